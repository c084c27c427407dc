// The latest choice in one card: what it was answered from, and what became of the other actions.
import { make } from "../../lib/elements.js";
import { answerItems } from "./answers.js";
import { isPicked, outcome, servedInWords } from "./outcome.js";

/** The window that was answered last, unless it is the one that is drawn; or null. */
export function lastAnswered(list, drawn) {
  const answered = list.filter((window) => window.answered_ms !== null);
  const last = answered.reduce((best, window) => (best && best.answered_ms > window.answered_ms ? best : window), null);
  return last === drawn ? null : last;
}

/** Redraws the card for `window`; `show` brings its whole time line back. */
export function drawLastChoice(root, window, show) {
  root.hidden = window === null;
  if (!window) return;
  const picked = window.candidates.find((candidate) => isPicked(candidate, window));
  const chips = window.candidates.map((candidate, at) => {
    const { name, text, sentence } = outcome(candidate, window);
    const number = /^\d+$/.test(candidate.choice) ? Number(candidate.choice) + 1 : at + 1;
    return make(
      "li",
      { "data-outcome": name, "data-picked": candidate === picked, title: `${candidate.label}: ${sentence}` },
      make("span", { class: "visually-hidden" }, `${candidate.label}: `),
      make("b", { "aria-hidden": "true" }, String(number)),
      text,
    );
  });
  const title = window.choice === null ? "You wrote your own" : (picked?.label ?? "Your choice");
  root.replaceChildren(
    make("div", { class: "xray-last-head" },
      make("span", { class: "xray-last-label" }, "Last: ", make("strong", { dir: "auto" }, title)),
      make("button", { class: "tool", type: "button", on: { click: show } }, "Show")),
    make("p", {}, servedInWords(window)),
    make("ul", { class: "xray-answers", "aria-label": "How each stage was answered" }, ...answerItems(window.served)),
    make("ul", { class: "xray-last-chips" }, ...chips),
  );
}
