// One turn: what the user said, the reply, how it was served, and what can be done about it.
import { attribute, icon, make, setText } from "../lib/elements.js";
import { withoutMarks } from "../lib/format.js";
import { badge, TEMPLATE_BADGE, usedTemplate } from "./served.js";
import { SiblingSwitch } from "./sibling-switch.js";
import { isLive } from "./tree.js";

const NOTES = { failed: "This answer could not be finished.", stopped: "Stopped." };

function badgeNode({ name, text, detail }) {
  const glyph = name === "instant" ? "bolt" : name === "checked" ? "check" : null;
  return make(
    "button",
    { class: "badge", type: "button", "data-how": name, "aria-label": `${text}. ${detail}` },
    glyph && icon(glyph),
    make("span", {}, text),
    make("span", { class: "tip", "aria-hidden": "true" }, detail),
  );
}

export class TurnView {
  #hands; #turn = null; #said; #words; #edit; #switch; #body; #foot; #badges; #note; #retry; #shown = null;

  /** hands: {edit(turn), retry(turnId), goto(turnId)} */
  constructor(turn, hands) {
    this.#hands = hands;
    this.#words = make("div", { class: "said-text", dir: "auto" });
    this.#edit = make(
      "button",
      { class: "tool", type: "button", "aria-label": "Edit", title: "Edit", on: { click: () => hands.edit(this.#turn, this.#said) } },
      icon("edit"),
    );
    this.#switch = new SiblingSwitch(hands.goto);
    this.#said = make("div", { class: "said" }, this.#words, make("div", { class: "said-tools" }, this.#switch.root, this.#edit));
    this.#body = make("div", { class: "reply-body", dir: "auto" });
    this.#badges = make("div", { class: "badges" });
    this.#note = make("p", { class: "reply-note" });
    this.#retry = make(
      "button",
      { class: "tool", type: "button", on: { click: () => hands.retry(this.#turn.id) } },
      icon("retry"), make("span", {}, "Try again"),
    );
    this.#foot = make("div", { class: "reply-foot" }, this.#badges, this.#retry);
    this.root = make(
      "article",
      { class: "turn", "data-turn": turn.id, "aria-label": turn.kind === "start" ? "Greeting" : "Turn" },
      this.#said,
      make("div", { class: "reply" }, make("h3", { class: "visually-hidden" }, "Concierge"), this.#body, this.#note, this.#foot),
    );
  }

  update(turn, alternatives, locked) {
    this.#turn = turn;
    attribute(this.root, "data-state", turn.state);
    this.#said.hidden = turn.kind === "start";
    setText(this.#words, turn.text ?? "");
    attribute(this.#said, "data-kind", turn.kind);
    this.#edit.hidden = turn.kind !== "text" || isLive(turn);
    this.#retry.hidden = turn.kind === "start" || isLive(turn);
    for (const tool of [this.#edit, this.#retry]) attribute(tool, "aria-disabled", locked ? "true" : null);
    this.#switch.update(turn, alternatives);
    if (this.#shown === turn) return;
    this.#shown = turn;
    this.#fill(turn);
  }

  #fill(turn) {
    const waiting = isLive(turn) && !turn.reply;
    attribute(this.#body, "data-waiting", waiting ? "true" : null);
    attribute(this.#body, "data-streaming", isLive(turn) && turn.reply ? "true" : null);
    // `html` is the server's own rendering, sanitised there; everything else enters as text.
    if (turn.html && !isLive(turn)) this.#body.innerHTML = turn.html;
    else setText(this.#body, withoutMarks(turn.reply ?? ""));
    this.#body.hidden = !waiting && !turn.reply && !turn.html;
    const error = turn.error?.message ?? (typeof turn.error === "string" ? turn.error : "");
    const mend = turn.error?.mend ? ` ${turn.error.mend}` : "";
    this.#note.hidden = !NOTES[turn.state];
    setText(this.#note, turn.state === "failed" ? `${error || NOTES.failed}${mend}` : (NOTES[turn.state] ?? ""));
    this.#foot.hidden = turn.kind === "start" || isLive(turn);
    const how = badge(turn);
    this.#badges.replaceChildren(
      ...(how ? [badgeNode(how)] : []),
      ...(usedTemplate(turn) ? [badgeNode(TEMPLATE_BADGE)] : []),
    );
  }
}
