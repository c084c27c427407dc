// ‹ 1/2 ›: moves between alternatives of one turn.
import { attribute, icon, make, setText } from "../lib/elements.js";

export class SiblingSwitch {
  #count; #back; #forth; #ids = []; #at = 0;

  constructor(goto) {
    const step = (by) => () => this.#ids[this.#at + by] && goto(this.#ids[this.#at + by]);
    this.#count = make("span", { class: "sibling-count" });
    this.#back = make("button", { class: "tool", type: "button", "aria-label": "Earlier version", on: { click: step(-1) } }, icon("left"));
    this.#forth = make("button", { class: "tool", type: "button", "aria-label": "Later version", on: { click: step(1) } }, icon("right"));
    this.root = make("div", { class: "siblings", role: "group", "aria-label": "Versions of this message" }, this.#back, this.#count, this.#forth);
  }

  update(turn, alternatives) {
    this.#ids = alternatives.map((one) => one.id);
    this.#at = this.#ids.indexOf(turn.id);
    this.root.hidden = this.#ids.length < 2;
    setText(this.#count, `${this.#at + 1}/${this.#ids.length}`);
    attribute(this.#back, "aria-disabled", this.#at === 0 ? "true" : null);
    attribute(this.#forth, "aria-disabled", this.#at === this.#ids.length - 1 ? "true" : null);
  }
}
