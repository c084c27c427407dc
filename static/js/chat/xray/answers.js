// How each stage of an answer was answered, and why: hit, promoted, miss or bypass.
import { make } from "../../lib/elements.js";
import { duration } from "../../lib/format.js";

const WHY = {
  absent: "nothing kept under its name",
  state: "another event came first",
  name: "what was prepared answers something else",
  stale: "a record that it rests on was changed",
  uncertain: "a record that it rests on is being changed",
  unconfirmed: "still running, and not waited for any longer",
  failed: "its preparation failed",
  bypass: "not to be served from what is kept",
  "too old": "kept for longer than was asked for",
  unavailable: "the shared state, or the engine's identity, was away",
};

/** "promoted: prepared, exact and fresh" | "miss: nothing kept under its name" */
export function answeredInWords(stage) {
  const answered = stage.answered ?? stage.how; // events of an older version lack it
  const why = WHY[stage.reason] ?? stage.reason;
  return why ? `${answered}: ${why}` : answered;
}

/** One list item for each stage served, in order. */
export function answerItems(served) {
  return served.map((stage) =>
    make("li", { "data-answered": stage.answered ?? stage.how },
      make("b", {}, stage.stage), ` ${answeredInWords(stage)}, ${duration(stage.ms)}`));
}
