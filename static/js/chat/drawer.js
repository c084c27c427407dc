// A side panel that is a drawer where the page is narrow: opened by a button, closed by Escape, scrim or button.
import { attribute } from "../lib/elements.js";

/** narrow: a media query under which the panel is a drawer; there it starts closed and is inert while closed. */
export function drawer(panel, button, narrow) {
  const media = matchMedia(narrow);
  let open = false;

  function draw() {
    attribute(panel, "data-open", open ? "true" : null);
    panel.inert = media.matches && !open;
    attribute(button, "aria-expanded", open ? "true" : "false");
  }

  function set(value) {
    open = value;
    draw();
    if (!media.matches) return;
    if (open) panel.querySelector("button, a")?.focus();
    else button.focus();
  }

  button.addEventListener("click", () => set(!open));
  panel.querySelector("[data-close]")?.addEventListener("click", () => set(false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && open && media.matches && set(false));
  document.addEventListener("pointerdown", (event) => {
    if (open && media.matches && !panel.contains(event.target) && !button.contains(event.target)) set(false);
  });
  media.addEventListener("change", draw);
  draw();
}
