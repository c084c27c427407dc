// The chat socket's protocol: hello, snapshot or missed events, gaps, acknowledgements.
import { LiveSocket } from "../lib/socket.js";
import { Conversation } from "./conversation.js";
import { Intents } from "./intents.js";

/** Emits `error` (detail: the frame) for errors that the user should see. `socket` emits the connection's state. */
export class Session extends EventTarget {
  #asked = false;

  constructor(path) {
    super();
    this.socket = new LiveSocket(path);
    this.conversation = new Conversation();
    this.intents = new Intents(this.socket);
    this.socket.addEventListener("open", () => this.#greet());
    this.socket.addEventListener("frame", (event) => this.#take(event.detail));
  }

  start() {
    this.socket.now();
  }

  stop(turn) {
    this.socket.send({ type: "stop", turn });
  }

  goto(turn) {
    this.socket.send({ type: "goto", turn });
  }

  #greet() {
    this.#asked = this.conversation.epoch === null;
    this.socket.send({ type: "hello", epoch: this.conversation.epoch, seq: this.conversation.seq });
    this.intents.resend();
  }

  #take(frame) {
    if (frame.type === "snapshot") {
      this.#asked = false;
      this.conversation.load(frame);
    } else if (frame.type === "event") {
      if (this.conversation.apply(frame) === "gap") this.#askSnapshot();
    } else if (frame.type === "ack") {
      this.intents.settle(frame);
    } else if (frame.type === "error") {
      this.intents.settle(frame);
      this.dispatchEvent(new CustomEvent("error", { detail: frame }));
    }
  }

  /** Once per gap: the events until the snapshot comes are gaps too, and ask for nothing. */
  #askSnapshot() {
    if (this.#asked) return;
    this.#asked = true;
    this.socket.send({ type: "hello", epoch: null, seq: null });
  }
}
