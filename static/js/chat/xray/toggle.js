// Shows and hides the x-ray panel; the choice is kept. It is a bottom sheet where the page is narrow.
import { attribute } from "../../lib/elements.js";
import { read, write } from "../../lib/stored.js";

export function xrayToggle(panel, button) {
  const narrow = matchMedia("(max-width: 63.99rem)");
  let open = (read("xray") ?? (narrow.matches ? "closed" : "open")) === "open";

  function draw() {
    panel.hidden = false;
    panel.inert = !open;
    attribute(panel, "data-open", open ? "true" : null);
    attribute(document.body, "data-xray", open ? "open" : "closed");
    attribute(button, "aria-expanded", open ? "true" : "false");
  }

  function set(value) {
    open = value;
    write("xray", open ? "open" : "closed");
    draw();
    if (!open) button.focus();
  }

  button.addEventListener("click", () => set(!open));
  panel.querySelector("[data-close]").addEventListener("click", () => set(false));
  panel.addEventListener("keydown", (event) => event.key === "Escape" && set(false));
  draw();
}
