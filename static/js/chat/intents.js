// What the user wants and the server has not yet confirmed. One key per intent, however often it is sent.
import { randomKey } from "../lib/request.js";

/** The server's store is away for a moment: the same intent, under the same key, is asked again. */
const AGAIN_MS = 1500;
const UNREAD = new Set(["bad_frame", "too_long"]);

/**
 * At most one turn-making intent is in flight: whatever is clicked twice makes one turn. A frame that could not go
 * out, or whose answer was lost with the connection, is sent again with the same key.
 * Emits `changed` when `busy` may have changed.
 */
export class Intents extends EventTarget {
  #socket;
  #pending = null;

  constructor(socket) {
    super();
    this.#socket = socket;
  }

  /** The pending frame, or null. */
  get busy() {
    return this.#pending?.frame ?? null;
  }

  /** Starts an intent. False where one is already in flight: then nothing happens. */
  start(frame, { acknowledged = () => {}, refused = () => {} } = {}) {
    if (this.#pending) return false;
    const keyed = { ...frame, key: randomKey() };
    this.#pending = { frame: keyed, acknowledged, refused };
    this.#socket.send(keyed);
    this.dispatchEvent(new CustomEvent("changed"));
    return true;
  }

  resend() {
    if (this.#pending) this.#socket.send(this.#pending.frame);
  }

  /** Takes an `ack` or `error` frame; true where it was about the pending intent. */
  settle(frame) {
    // A frame that the server could not read comes back without its key.
    const unread = frame.type === "error" && !frame.key && UNREAD.has(frame.code);
    if (!this.#pending || (frame.key !== this.#pending.frame.key && !unread)) return false;
    if (frame.code === "unavailable") {
      setTimeout(() => this.resend(), AGAIN_MS);
      return true;
    }
    const { acknowledged, refused } = this.#pending;
    this.#pending = null;
    if (frame.type === "ack") acknowledged(frame.turn);
    else refused(frame);
    this.dispatchEvent(new CustomEvent("changed"));
    return true;
  }
}
