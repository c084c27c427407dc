// The page's line to the console: the socket, and HTTP every few seconds while the socket is cut.
//
// position()          what the page has: {epoch, seq, load_ms}, sent with every hello and question
// onMessage(message)  a snapshot or events; returns false when they do not follow: then all is asked anew
// onLine(line)        "live" | "http" | "down" | "forbidden"

const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const POLL_MS = 3000;
const SILENT_MS = 15000; // the server speaks every 5 s, so a socket this quiet is dead
const FORBIDDEN = 4403;

export class Feed {
  constructor({ socketPath, statePath, position, onMessage, onLine }) {
    Object.assign(this, { statePath, position, onMessage, onLine });
    this.socketUrl = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${socketPath}`;
    this.tries = 0;
    this.live = false;
    this.over = false;
  }

  start() {
    this.open();
    this.poller = setInterval(() => this.tick(), POLL_MS);
  }

  open() {
    const socket = new WebSocket(this.socketUrl);
    this.socket = socket;
    this.heardAt = performance.now();
    socket.onopen = () => this.hello(this.position());
    socket.onmessage = (frame) => this.hear(JSON.parse(frame.data));
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  hello(position) {
    this.socket.send(JSON.stringify({ type: "hello", ...position }));
  }

  hear(message) {
    this.heardAt = performance.now();
    if (message.type !== "snapshot" && message.type !== "events") return;
    this.tries = 0;
    if (!this.live) {
      this.live = true;
      this.onLine("live");
    }
    if (this.onMessage(message) === false) this.hello({ ...this.position(), epoch: null, seq: null });
  }

  closed(socket, code) {
    if (this.over || socket !== this.socket) return;
    if (code === FORBIDDEN) return this.end();
    if (this.live) {
      this.live = false;
      this.onLine("http");
    }
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
    setTimeout(() => this.open(), wait * (0.5 + Math.random())); // jitter: pages must not return all at once
  }

  end() {
    this.over = true;
    clearInterval(this.poller);
    this.socket.close();
    this.onLine("forbidden");
  }

  async tick() {
    if (this.live && performance.now() - this.heardAt > SILENT_MS) this.socket.close();
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
