// The page's line to the console: the socket, and HTTP every few seconds while the socket is cut.
//
// position()          what the page has: {epoch, seq, load_ms}, sent with every hello and question
// onMessage(message)  a snapshot or events; returns false when they do not follow: then all is asked anew
// onLine(line)        "live" | "http" | "down" | "forbidden"
import { LiveSocket } from "../lib/socket.js";

const POLL_MS = 3000;

export class Feed {
  constructor({ socketPath, statePath, position, onMessage, onLine }) {
    Object.assign(this, { statePath, position, onMessage, onLine });
    this.live = false;
    this.polling = false;
    this.socket = new LiveSocket(socketPath);
    this.socket.addEventListener("open", () => this.hello(this.position()));
    this.socket.addEventListener("frame", (event) => this.hear(event.detail));
    this.socket.addEventListener("state", (event) => this.moved(event.detail.name));
  }

  start() {
    this.socket.now();
    this.poller = setInterval(() => this.tick(), POLL_MS);
  }

  hello(position) {
    this.socket.send({ type: "hello", ...position });
  }

  hear(message) {
    if (message.type !== "snapshot" && message.type !== "events") return;
    if (!this.live) {
      this.live = true;
      this.onLine("live");
    }
    if (this.onMessage(message) === false) this.hello({ ...this.position(), epoch: null, seq: null });
  }

  moved(state) {
    if (state === "refused") return this.end();
    if (state === "connected" || state === "connecting" || !this.live) return;
    this.live = false;
    this.onLine("http");
    this.tick();
  }

  end() {
    this.live = false;
    clearInterval(this.poller);
    this.socket.close();
    this.onLine("forbidden");
  }

  async tick() {
    if (this.live || this.polling) return;
    this.polling = true;
    try {
      await this.ask(this.position());
    } catch {
      if (!this.live) this.onLine("down");
    } finally {
      this.polling = false;
    }
  }

  async ask(position) {
    const query = new URLSearchParams(Object.entries(position).filter(([, value]) => value !== null));
    const answer = await fetch(`${this.statePath}?${query}`, { signal: AbortSignal.timeout(5000) });
    if (answer.status === 403) return this.end();
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const message = await answer.json();
    if (this.live) return; // the socket came back meanwhile and is ahead
    this.onLine("http");
    if (this.onMessage(message) === false) await this.ask({ ...position, epoch: null, seq: null });
  }
}
