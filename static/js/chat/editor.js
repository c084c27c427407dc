// Edits one of the user's own messages in place; saving makes a sibling, the old one stays reachable.
import { make } from "../lib/elements.js";
import { composing } from "./composer.js";

/** save(turnId, text, close) starts the edit and calls `close` when the server has it. */
export function editor(save) {
  return (turn, holder) => {
    if (holder.querySelector("form")) return;
    const words = holder.querySelector(".said-text");
    const tools = holder.querySelector(".said-tools");
    const box = make("textarea", { class: "field", rows: 2, "aria-label": "Edit your message", dir: "auto" });
    box.value = turn.text;

    const close = () => {
      form.remove();
      words.hidden = tools.hidden = false;
      tools.querySelector("button:not([aria-disabled])")?.focus();
    };
    const submit = (event) => {
      event.preventDefault();
      const text = box.value.trim();
      if (text === turn.text) close();
      else if (text) save(turn.id, text, close);
    };
    const keys = (event) => {
      if (composing(event)) return;
      if (event.key === "Escape") close();
      if (event.key === "Enter" && !event.shiftKey && !event.repeat) submit(event);
    };

    const form = make(
      "form",
      { class: "said-editor", on: { submit, keydown: keys } },
      box,
      make("div", { class: "dialog-buttons" },
        make("button", { class: "button quiet", type: "button", on: { click: close } }, "Cancel"),
        make("button", { class: "button primary", type: "submit" }, "Send again")),
    );
    words.hidden = tools.hidden = true;
    holder.append(form);
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  };
}
