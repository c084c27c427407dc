// One message near the composer: what went wrong, and what to do about it.
import { setText } from "../lib/elements.js";

export class Notice {
  #root;

  constructor(root) {
    this.#root = root;
    root.querySelector("[data-dismiss]").addEventListener("click", () => this.clear());
  }

  show(message, mend = "") {
    setText(this.#root.querySelector("[data-message]"), message);
    setText(this.#root.querySelector("[data-mend]"), mend);
    this.#root.hidden = false;
  }

  clear() {
    this.#root.hidden = true;
  }
}
