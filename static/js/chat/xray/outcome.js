// What became of a candidate, in words: one name for the colour, one short text, one sentence.
import { duration, plural } from "../../lib/format.js";
import { segments, stateOf } from "./stages.js";

const SENTENCES = {
  refused: "not prepared",
  queued: "reserved: a place is held, nothing has been sent to the engine",
  running: "being prepared",
  ready: "finished; it stays hidden until exactly this is asked for",
  promoted: "shown: it was finished, its name matched, and everything it read was still fresh",
  kept: "finished and kept, in case you go back and pick it",
  partly: "given up when you chose something else; what was finished of it is kept",
  discarded: "given up when you chose something else",
  stale: "thrown away, since a record that it read was changed",
  failed: "failed; it is never shown",
  expired: "ended, since nobody asked for it in time",
  idle: "not begun",
};

const FINAL = ["promoted", "stale", "failed", "expired", "discarded"];

const DONE = new Set(["shadow", "held", "promoted"]);

export function isPicked(candidate, window) {
  return window.resolved_ms !== null && String(window.choice) === candidate.choice;
}

function nameOf(candidate, window) {
  if (!candidate.admitted) return "refused";
  const states = candidate.stages.map(stateOf);
  const has = (state) => states.includes(state);
  if (has("promoted")) return "promoted";
  if (states.length && states.every((state) => DONE.has(state))) {
    if (window.resolved_ms === null) return "ready";
    // Results that it shares with another fill are promoted under that fill's name.
    const stored = window.served.some((one) => one.how !== "executed");
    return isPicked(candidate, window) && stored ? "promoted" : "kept";
  }
  if (has("running") || (has("reserved") && states.some((state) => DONE.has(state)))) return "running";
  if (has("discarded") && (has("shadow") || has("held"))) return "partly";
  for (const state of FINAL) if (has(state)) return state;
  return has("reserved") ? "queued" : "idle";
}

/** {name, text, sentence} */
export function outcome(candidate, window) {
  const name = nameOf(candidate, window);
  const of = candidate.stages.length;
  const done = candidate.stages.filter((stage) => DONE.has(stateOf(stage))).length;
  let text = name;
  if (name === "refused") text = "not admitted";
  else if (name === "running") text = `running ${done}/${of}`;
  else if (name === "partly") text = `kept ${done}/${of}`;
  else if (name === "promoted" && done < of) text = `promoted ${done}/${of}`;
  const reason = name === "refused" ? candidate.reason : candidate.stages.map((one) => one.moves.at(-1)?.reason).find(Boolean);
  return { name, text, sentence: reason && name !== "promoted" ? `${SENTENCES[name]} (${reason})` : SENTENCES[name] };
}

/** "lookup: shadow after 0.1 s; reply: running" for those who do not see the bars. */
export function stagesInWords(candidate) {
  return candidate.stages
    .map((stage) => {
      const run = segments(stage).bars.find((bar) => bar.state === "running");
      const took = run?.to_ms ? ` after ${duration(run.to_ms - run.from_ms)}` : "";
      return `${stage.name}: ${stateOf(stage) ?? "not begun"}${took}`;
    })
    .join("; ");
}

export function windowKind(window) {
  return window.coordinate.includes("understand") ? "Reading your words" : "Think window";
}

/** What the answer after this window was made of, in one line; "" before it came. */
export function servedInWords(window) {
  if (!window.served.length) return window.resolved_ms === null ? "" : "Answering…";
  const saved = window.served.reduce((sum, one) => sum + (one.saved_ms ?? 0), 0);
  const stored = window.served.filter((one) => one.how !== "executed").length;
  if (!stored) return `Answered live: ${plural(window.served.length, "stage")} run after the choice.`;
  return `${stored} of ${plural(window.served.length, "stage")} taken from finished work; ${duration(saved)} saved.`;
}
