// One candidate's row: its label, what became of it, and a bar for each stage of its chain.
import { attribute, make, setText } from "../../lib/elements.js";
import { place } from "./axis.js";
import { isPicked, outcome, stagesInWords } from "./outcome.js";
import { segments } from "./stages.js";

class StageBar {
  #track; #bars = []; #ends = [];

  constructor(stage) {
    this.#track = make("div", { class: "xray-track" });
    this.root = make("div", { class: "xray-stage" }, make("span", { class: "xray-stage-name" }, stage.name), this.#track);
  }

  #ensure(list, count, kind) {
    while (list.length < count) {
      list.push(make("span", { class: kind }));
      this.#track.append(list.at(-1));
    }
  }

  draw(stage, axis) {
    const { bars, ends } = segments(stage);
    this.#ensure(this.#bars, bars.length, "xray-bar");
    this.#ensure(this.#ends, ends.length, "xray-end");
    bars.forEach((bar, at) => {
      const node = this.#bars[at];
      const left = place(axis, bar.from_ms);
      attribute(node, "data-state", bar.state);
      node.style.left = `${left}%`;
      node.style.width = `${Math.max(0.6, place(axis, bar.to_ms ?? axis.now_ms) - left)}%`;
    });
    ends.forEach((end, at) => {
      const node = this.#ends[at];
      attribute(node, "data-state", end.state);
      attribute(node, "title", end.state);
      node.style.left = `${Math.min(place(axis, end.at_ms), 99)}%`;
    });
  }
}

export class CandidateRow {
  #candidate; #chip; #detail; #words; #bars;

  constructor(candidate, number) {
    this.#candidate = candidate;
    this.#chip = make("span", { class: "xray-chip" });
    this.#detail = make("p", { class: "xray-reason" });
    this.#words = make("span", { class: "visually-hidden" });
    this.#bars = candidate.stages.map((stage) => new StageBar(stage));
    this.root = make(
      "li",
      { class: "xray-row" },
      make("div", { class: "xray-head" },
        make("kbd", { "aria-hidden": "true" }, String(number)),
        make("span", { class: "xray-label", dir: "auto" }, candidate.label),
        this.#chip),
      this.#detail,
      this.#words,
      make("div", { class: "xray-bars", "aria-hidden": "true" }, ...this.#bars.map((bar) => bar.root)),
    );
  }

  draw(window, axis) {
    const { name, text, sentence } = outcome(this.#candidate, window);
    const picked = isPicked(this.#candidate, window);
    attribute(this.root, "data-outcome", name);
    attribute(this.root, "data-picked", picked ? "true" : null);
    setText(this.#chip, text);
    attribute(this.#chip, "title", sentence);
    this.#detail.hidden = name !== "refused";
    setText(this.#detail, name === "refused" ? this.#candidate.reason : "");
    setText(this.#words, `${picked ? "Picked. " : ""}${sentence}. ${stagesInWords(this.#candidate)}.`);
    this.#bars.forEach((bar, at) => bar.draw(this.#candidate.stages[at], axis));
  }
}
