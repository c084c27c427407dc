// The composer: Enter sends, Shift+Enter breaks the line, an input method's Enter does neither; the draft is kept.
import { attribute } from "../lib/elements.js";
import { read, write } from "../lib/stored.js";

/** True while an input method holds half a word; some browsers mark its last key only by code 229. */
export function composing(event) {
  return event.isComposing || event.keyCode === 229;
}

export class Composer {
  #form; #box; #send; #stop; #draft; #live = null;

  /** hands: {send(text) -> true where it is on its way, stop(turnId)} */
  constructor(form, conversationId, hands) {
    this.#form = form;
    this.#box = form.querySelector("textarea");
    this.#send = form.querySelector("[data-send]");
    this.#stop = form.querySelector("[data-stop]");
    this.#draft = `draft.${conversationId}`;
    this.#box.value = read(this.#draft) ?? "";
    this.#box.addEventListener("input", () => this.#changed());
    this.#box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || composing(event)) return;
      event.preventDefault();
      if (!event.repeat) this.#submit(hands);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(hands);
    });
    this.#stop.addEventListener("click", () => this.#live && hands.stop(this.#live));
    this.#grow();
  }

  get box() {
    return this.#box;
  }

  get text() {
    return this.#box.value;
  }

  set text(value) {
    this.#box.value = value;
    this.#changed();
  }

  #submit(hands) {
    const text = this.#box.value;
    if (!text.trim() || this.#live || this.#box.readOnly) return;
    hands.send(text);
  }

  /** pending: a message is on its way and not confirmed; live: id of the turn being answered, or null. */
  update({ pending, live }) {
    const hadFocus = document.activeElement === this.#stop;
    this.#live = live;
    this.#box.readOnly = pending;
    attribute(this.#form, "data-pending", pending ? "true" : null);
    this.#stop.hidden = live === null;
    this.#send.hidden = live !== null;
    this.#ready();
    if (hadFocus && this.#stop.hidden) this.#box.focus();
  }

  #ready() {
    attribute(this.#send, "disabled", !this.#box.value.trim() || this.#box.readOnly);
  }

  #changed() {
    write(this.#draft, this.#box.value);
    this.#ready();
    this.#grow();
  }

  #grow() {
    this.#box.style.height = "auto";
    this.#box.style.height = `${Math.min(this.#box.scrollHeight + 2, innerHeight * 0.4)}px`;
  }
}
