// The x-ray panel: the newest window live, earlier ones by ‹ ›, and what the conversation saved so far.
import { attribute, make, setText } from "../../lib/elements.js";
import { seconds } from "../../lib/format.js";
import { totals } from "../served.js";
import { answerItems } from "./answers.js";
import { drawLastChoice, lastAnswered } from "./last-choice.js";
import { servedInWords, windowKind } from "./outcome.js";
import { Timeline } from "./timeline.js";
import { Windows } from "./windows.js";

const STEP_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 80;

export class XrayPanel {
  #root; #conversation; #windows; #at = null; #newest; #timeline = null; #drawn_ms = 0;

  constructor(root, conversation) {
    this.#root = root;
    this.#conversation = conversation;
    this.#windows = new Windows((turn) => conversation.turns.get(turn));
    conversation.addEventListener("reset", () => this.#windows.clear());
    conversation.addEventListener("trace", (event) => this.#windows.take(event.detail));
    conversation.addEventListener("changed", () => this.#drawTotals());
    this.#windows.addEventListener("changed", () => this.#draw());
    this.#on("older", -1);
    this.#on("newer", 1);
    requestAnimationFrame((at) => this.#tick(at));
    this.#draw();
  }

  #part(name) {
    return this.#root.querySelector(`[data-xray="${name}"]`);
  }

  #on(name, by) {
    this.#part(name).addEventListener("click", () => {
      const last = this.#windows.list.length - 1;
      const at = Math.min(last, Math.max(0, (this.#at ?? last) + by));
      this.#at = at === last ? null : at; // null follows the newest
      this.#draw();
    });
  }

  #tick(at) {
    requestAnimationFrame((next) => this.#tick(next));
    if (!this.#timeline?.running || at - this.#drawn_ms < STEP_MS || this.#root.inert) return;
    this.#drawn_ms = at;
    this.#drawTime();
  }

  #drawTime() {
    const now = Date.now() - this.#windows.skew_ms;
    this.#timeline.draw(now);
    const { window } = this.#timeline;
    const end = window.resolved_ms ?? window.settled_ms ?? now;
    setText(this.#part("clock"), seconds(end - window.opened_ms));
  }

  #draw() {
    const { list } = this.#windows;
    // A new window means that the user went on: the panel follows, also from a look back.
    if (list.at(-1) !== this.#newest) this.#at = null;
    this.#newest = list.at(-1);
    const window = list[this.#at ?? list.length - 1] ?? null;
    this.#part("empty").hidden = window !== null;
    this.#part("window").hidden = window === null;
    if (!window) return;
    if (this.#timeline?.window !== window) {
      this.#timeline = new Timeline(window);
      this.#part("timeline").replaceChildren(this.#timeline.root);
    }
    const at = list.indexOf(window);
    setText(this.#part("title"), windowKind(window));
    setText(this.#part("count"), `${at + 1}/${list.length}`);
    attribute(this.#part("older"), "disabled", at === 0);
    attribute(this.#part("newer"), "disabled", at === list.length - 1);
    attribute(this.#part("clock"), "data-running", this.#timeline.running ? "true" : null);
    setText(this.#part("served"), servedInWords(window));
    this.#part("answers").replaceChildren(...answerItems(window.served));
    const last = at === list.length - 1 ? lastAnswered(list, window) : null;
    drawLastChoice(this.#part("last"), last, () => {
      this.#at = list.indexOf(last);
      this.#draw();
    });
    this.#drawTime();
  }

  #drawTotals() {
    const { picks, served, saved_ms: saved } = totals(this.#conversation.turns.values());
    const numbers = [make("strong", {}, `${served}/${picks}`), " picks instant", make("span", { class: "xray-dot" }, "·"), make("strong", {}, seconds(saved)), " saved"];
    this.#part("totals").replaceChildren(...(picks ? numbers : ["No picks yet"]));
  }
}
