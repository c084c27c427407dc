// What the race showed: each pick's wait in both lanes, the time saved, and whether the words were the same.
import { make } from "../lib/elements.js";
import { duration, plural, seconds } from "../lib/format.js";

function bar(lane, ms, longest) {
  const fill = make("span", { class: "race-result-fill", "data-lane": lane });
  fill.style.width = `${Math.max(0.5, (ms / longest) * 100)}%`;
  return make("div", { class: "race-result-bar" }, make("span", { class: "race-result-track" }, fill), make("span", {}, duration(ms)));
}

function row(off, on, longest) {
  return make(
    "tr", {},
    make("th", { scope: "row", dir: "auto" }, off.label),
    make("td", {}, bar("off", off.complete_ms, longest)),
    make("td", {}, bar("on", on.complete_ms, longest)),
    make("td", { class: "race-same" }, off.reply === on.reply ? "same" : "different"),
  );
}

function total(picks) {
  return picks.reduce((sum, pick) => sum + pick.complete_ms, 0);
}

/** Fills `root` from the two lanes' picks. */
export function showResult(root, off, on) {
  const count = Math.min(off.length, on.length);
  const [left, right] = [off.slice(0, count), on.slice(0, count)];
  const saved = total(left) - total(right);
  const same = left.filter((pick, at) => pick.reply === right[at].reply && pick.label === right[at].label).length;
  const instant = right.filter((pick) => pick.how?.name === "instant").length;
  const longest = Math.max(1, ...[...left, ...right].map((pick) => pick.complete_ms));
  root.querySelector("[data-saved]").textContent = saved >= 0 ? `${seconds(saved)} less waiting` : `${seconds(-saved)} more waiting`;
  root.querySelector("[data-detail]").textContent =
    `${seconds(total(left))} of waiting without speculation, ${seconds(total(right))} with it; ` +
    `${instant} of ${plural(count, "pick")} answered at once.`;
  root.querySelector("[data-words]").textContent =
    same === count ? `Same words: all ${count} answers are identical in both lanes.`
      : `${same} of ${count} answers are identical. The engine is not repeatable for the others (see the limits in the README).`;
  root.querySelector("tbody").replaceChildren(...left.map((pick, at) => row(pick, right[at], longest)));
  root.hidden = false;
}
