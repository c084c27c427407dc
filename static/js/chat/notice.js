// One message near the composer: what went wrong, and what to do about it.
import { setText } from "../lib/elements.js";

export class Notice {
  #root; #passing = false;

  constructor(root) {
    this.#root = root;
    root.querySelector("[data-dismiss]").addEventListener("click", () => this.clear());
  }

  /** passing: it is about a state that ends by itself, and goes with it: see `passed`. */
  show(message, mend = "", passing = false) {
    this.#passing = passing;
    setText(this.#root.querySelector("[data-message]"), message);
    setText(this.#root.querySelector("[data-mend]"), mend);
    this.#root.hidden = false;
  }

  passed() {
    if (this.#passing) this.clear();
  }

  clear() {
    this.#root.hidden = true;
  }
}
