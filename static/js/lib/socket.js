// A WebSocket that comes back: exponential backoff with full jitter, a heartbeat, and a visible state.

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 8_000;
const REFUSED = new Set([4403, 4404]);

export function socketUrl(path) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}

/**
 * Events, as CustomEvent: `open`; `frame` (detail: the parsed frame); `state` (detail: {name, retryAt}) with name
 * "connecting" | "connected" | "reconnecting" | "offline" | "refused" | "closed".
 */
export class LiveSocket extends EventTarget {
  #url; #socket = null; #failures = 0; #retry = null; #beat = null; #deadline = null; #closed = false;

  constructor(path) {
    super();
    this.#url = socketUrl(path);
    addEventListener("online", () => this.now());
    addEventListener("offline", () => this.#drop());
  }

  /** Connects at once; also cuts a backoff short. */
  now() {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#retry);
    this.#state("connecting");
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#received(socket, event.data));
    socket.addEventListener("close", (event) => socket === this.#socket && this.#lost(event.code));
  }

  /** True where the frame went out; a frame that did not is the caller's to send again after `open`. */
  send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#stopBeat();
    this.#socket?.close();
    this.#socket = null;
  }

  #state(name, retryAt = null) {
    this.dispatchEvent(new CustomEvent("state", { detail: { name, retryAt } }));
  }

  #opened() {
    this.#state("connected");
    this.#beat = setInterval(() => {
      this.send({ type: "ping" });
      this.#deadline ??= setTimeout(() => this.#drop(), PONG_WITHIN_MS);
    }, PING_EVERY_MS);
    this.dispatchEvent(new CustomEvent("open"));
  }

  #received(socket, data) {
    if (socket !== this.#socket) return;
    // Only now is the connection known to be good: a server that accepts and closes keeps backing off.
    this.#failures = 0;
    clearTimeout(this.#deadline);
    this.#deadline = null;
    this.dispatchEvent(new CustomEvent("frame", { detail: JSON.parse(data) }));
  }

  #drop() {
    const socket = this.#socket;
    if (!socket) return this.#state(navigator.onLine ? "reconnecting" : "offline");
    this.#lost(1006);
    socket.close();
  }

  #lost(code) {
    this.#socket = null;
    this.#stopBeat();
    if (this.#closed) return;
    if (REFUSED.has(code)) return this.#state("refused");
    if (!navigator.onLine) return this.#state("offline");
    const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures++);
    const delay = ceiling / 2 + Math.random() * (ceiling / 2);
    this.#retry = setTimeout(() => this.now(), delay);
    this.#state("reconnecting", Date.now() + delay);
  }

  #stopBeat() {
    clearInterval(this.#beat);
    clearTimeout(this.#deadline);
    this.#deadline = null;
  }
}
