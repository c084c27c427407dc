// One window's time line: the axis, a row for each candidate, the pick, and the moving now.
import { attribute, make, setText } from "../../lib/elements.js";
import { axisOf, place, ticks } from "./axis.js";
import { CandidateRow } from "./row.js";

export class Timeline {
  #window; #rows; #scale; #pick; #now; #writes = []; #lines; #span = 0;

  constructor(window) {
    this.#window = window;
    this.#rows = window.candidates.map((candidate, at) => {
      const number = /^\d+$/.test(candidate.choice) ? Number(candidate.choice) + 1 : at + 1;
      return new CandidateRow(candidate, number);
    });
    this.#scale = make("div", { class: "xray-scale" });
    this.#pick = make("div", { class: "xray-line", "data-line": "pick" }, make("span", {}, "pick"));
    this.#now = make("div", { class: "xray-line", "data-line": "now" });
    this.#lines = make("div", { class: "xray-lines", "aria-hidden": "true" }, this.#scale, this.#pick, this.#now);
    this.root = make("div", { class: "xray-timeline" }, this.#lines, make("ol", { class: "xray-rows" }, ...this.#rows.map((row) => row.root)));
  }

  get window() {
    return this.#window;
  }

  /** True while time still moves it. */
  get running() {
    return this.#window.resolved_ms === null && this.#window.settled_ms === null;
  }

  draw(serverNow_ms) {
    const axis = axisOf(this.#window, serverNow_ms);
    if (axis.span_ms !== this.#span) {
      this.#span = axis.span_ms;
      this.#scale.replaceChildren(...ticks(axis).map(({ at, text }) => {
        const mark = make("span", {}, text);
        mark.style.left = `${at}%`;
        return mark;
      }));
    }
    const { resolved_ms: resolved, choice } = this.#window;
    this.#pick.hidden = resolved === null;
    const at = place(axis, resolved ?? 0);
    this.#pick.style.left = `${at}%`;
    attribute(this.#pick, "data-late", at > 85 ? "true" : null);
    setText(this.#pick.firstChild, choice === null ? "typed" : "pick");
    this.#now.hidden = !this.running;
    this.#now.style.left = `${place(axis, axis.now_ms)}%`;
    this.#drawWrites(axis);
    for (const row of this.#rows) row.draw(this.#window, axis);
  }

  #drawWrites(axis) {
    this.#window.writes.forEach((write, at) => {
      if (!this.#writes[at]) {
        this.#writes[at] = make("div", { class: "xray-line", "data-line": "write" }, make("span", {}, "edit"));
        this.#lines.append(this.#writes[at]);
      }
      this.#writes[at].style.left = `${place(axis, write.at_ms)}%`;
    });
  }
}
