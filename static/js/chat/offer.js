// One offer: real buttons in a labelled group. Open ones pick; answered ones pick another, on a branch of its own.
import { attribute, icon, make, setText } from "../lib/elements.js";

/** A double click's second half can land after the first was confirmed; it must not become a fork. */
const DOUBLE_CLICK_MS = 600;

export class OfferView {
  #turn; #offer; #hands; #label; #buttons; #answeredAt = 0; #standing = null;

  /** hands: {pick(turn, index, fork), goto(turnId)} */
  constructor(turn, hands) {
    this.#turn = turn.id;
    this.#offer = turn.offer;
    this.#hands = hands;
    this.#label = make("p", { class: "offer-label", id: `offer-${this.#offer.id}` });
    this.#buttons = this.#offer.actions.map((action) => this.#button(action));
    this.root = make(
      "div",
      { class: "offer", role: "group", tabindex: -1, "aria-labelledby": this.#label.id, "data-offer": this.#offer.id },
      this.#label,
      make("div", { class: "offer-actions" }, ...this.#buttons),
    );
  }

  get offerId() {
    return this.#offer.id;
  }

  #button(action) {
    const button = make(
      "button",
      { class: "action", type: "button", dir: "auto", "data-action": action.index, "data-kind": action.kind },
      make("kbd", { "aria-hidden": "true" }, String(action.index + 1)),
      make("span", { class: "action-text" }, action.label),
    );
    button.append(icon("check"));
    button.addEventListener("click", (event) => event.detail < 2 && this.press(action.index));
    return button;
  }

  /** Picks, forks or goes back, by how the offer stands now; nothing while disabled. */
  press(index) {
    const button = this.#buttons[this.#offer.actions.findIndex((action) => action.index === index)];
    if (!button || button.getAttribute("aria-disabled") === "true" || !this.#standing) return;
    if (!this.#standing.open && Date.now() - this.#answeredAt < DOUBLE_CLICK_MS) return;
    if (this.#standing.shown === index) return;
    const before = this.#standing.taken.get(index);
    if (before) this.#hands.goto(before.id);
    else this.#hands.pick(this.#turn, this.#offer.id, index, !this.#standing.open);
  }

  /** pending: the index on its way to the server, or null. locked: another turn is under way. */
  update(standing, { pending, locked }) {
    if (this.#standing?.open && !standing.open) this.#answeredAt = Date.now();
    this.#standing = standing;
    attribute(this.root, "data-open", standing.open);
    setText(this.#label, standing.open ? "Choose one, or write your own" : "Pick another");
    this.#offer.actions.forEach(({ index, label }, at) => {
      const button = this.#buttons[at];
      const shown = standing.shown === index;
      attribute(button, "aria-disabled", locked || pending !== null ? "true" : null);
      attribute(button, "aria-current", shown ? "true" : null);
      attribute(button, "data-pending", pending === index ? "true" : null);
      attribute(button, "data-taken", standing.taken.has(index) && !shown ? "true" : null);
      attribute(button, "aria-keyshortcuts", standing.open ? index + 1 : null);
      attribute(button, "title", this.#title(standing, index, shown));
      attribute(button, "aria-label", shown ? `${label} (your choice)` : null);
    });
  }

  #title(standing, index, shown) {
    if (standing.open || shown) return null;
    return standing.taken.has(index) ? "Show the branch where you picked this" : "Go back and pick this instead";
  }
}
