// One lane on the page: shows frames, whether they come live or from the recording.
import { attribute, make, setText } from "../lib/elements.js";
import { duration, seconds, withoutMarks } from "../lib/format.js";
import { PICKS } from "./plan.js";

export class Lane {
  #root; #log; #status; #clock; #track; #body = null; #bars = []; #since = null;

  constructor(root) {
    this.#root = root;
    this.#log = root.querySelector("[data-log]");
    this.#status = root.querySelector("[data-status]");
    this.#clock = root.querySelector("[data-clock]");
    this.#track = root.querySelector("[data-track]");
  }

  reset(status) {
    this.#log.replaceChildren();
    this.#track.replaceChildren();
    this.#bars = [];
    this.#since = null;
    attribute(this.#root, "data-phase", "idle");
    setText(this.#status, status);
    setText(this.#clock, seconds(0));
  }

  /** Draws time up to `at_ms` on an axis of `span_ms`. */
  tick(at_ms, span_ms) {
    const over = this.#root.dataset.phase === "end";
    if (this.#since === null && !this.#bars.length) return;
    const now = over ? this.#bars.at(-1).to_ms : at_ms;
    setText(this.#clock, seconds(now));
    for (const bar of this.#bars) {
      bar.node.style.left = `${(bar.from_ms / span_ms) * 100}%`;
      bar.node.style.width = `${(((bar.to_ms ?? now) - bar.from_ms) / span_ms) * 100}%`;
    }
  }

  show(frame) {
    attribute(this.#root, "data-phase", frame.type);
    if (frame.type === "greeting") this.#reply(frame.html);
    if (frame.type === "think") this.#phase("think", frame.at_ms, "Reading the answer…");
    if (frame.type === "pick") {
      this.#phase("wait", frame.at_ms, "Waiting for the answer…");
      this.#log.append(make("p", { class: "race-said", dir: "auto" }, frame.label));
      this.#body = null;
    }
    if (frame.type === "text") this.#text(withoutMarks(frame.text));
    if (frame.type === "done") this.#done(frame);
    if (frame.type === "end") {
      this.#close(frame.at_ms);
      setText(this.#status, `Done after ${seconds(frame.at_ms)}`);
    }
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #phase(kind, at_ms, words) {
    this.#close(at_ms);
    const node = make("span", { class: "race-bar", "data-kind": kind });
    this.#bars.push({ from_ms: at_ms, to_ms: null, node });
    this.#track.append(node);
    this.#since = at_ms;
    setText(this.#status, words);
  }

  #close(at_ms) {
    const last = this.#bars.at(-1);
    if (last) last.to_ms ??= at_ms;
  }

  #reply(html) {
    this.#text("");
    this.#body.innerHTML = html; // the server's sanitised rendering of a finished turn
  }

  #text(text) {
    if (!this.#body) {
      this.#body = make("div", { class: "race-reply", dir: "auto" });
      this.#log.append(this.#body);
    }
    setText(this.#body, text);
  }

  #done({ at_ms, html, pick }) {
    this.#close(at_ms);
    this.#reply(html);
    const how = pick.how ? ` · ${pick.how.name}` : "";
    const instant = pick.how?.name === "instant";
    this.#log.append(make("p", { class: "race-took", "data-instant": instant || null }, `${duration(pick.complete_ms)}${how}`));
    const done = this.#log.querySelectorAll(".race-took").length;
    setText(this.#status, `${done} of ${PICKS} answered`);
  }
}
