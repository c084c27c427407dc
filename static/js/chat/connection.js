// The connection's state, in words, with a way to act on it.
import { attribute, setText } from "../lib/elements.js";

const WORDS = {
  connecting: "Connecting…",
  connected: "Connected",
  offline: "Offline",
  refused: "No access",
  closed: "Closed",
};

export function showConnection(root, socket) {
  const words = root.querySelector("[data-words]");
  const now = root.querySelector("[data-now]");
  let state = { name: "connecting", retryAt: null };

  function draw() {
    attribute(root, "data-state", state.name);
    const left = Math.max(0, Math.ceil(((state.retryAt ?? 0) - Date.now()) / 1000));
    setText(words, state.name === "reconnecting" ? `Reconnecting in ${left} s` : WORDS[state.name]);
    now.hidden = state.name !== "reconnecting" && state.name !== "offline";
  }

  socket.addEventListener("state", (event) => {
    state = event.detail;
    draw();
  });
  now.addEventListener("click", () => socket.now());
  setInterval(() => state.name === "reconnecting" && draw(), 500);
  draw();
}
