// The theme button: light or dark, over what the system prefers; kept in this browser.
import { write } from "./stored.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function current() {
  return root.dataset.theme ?? (system.matches ? "dark" : "light");
}

function label(button) {
  button.setAttribute("aria-label", `Switch to ${current() === "dark" ? "light" : "dark"} theme`);
}

for (const button of document.querySelectorAll("[data-theme-toggle]")) {
  label(button);
  button.addEventListener("click", () => {
    root.dataset.theme = current() === "dark" ? "light" : "dark";
    write("theme", root.dataset.theme);
    label(button);
    document.dispatchEvent(new CustomEvent("themechange", { detail: current() }));
  });
  system.addEventListener("change", () => label(button));
}
