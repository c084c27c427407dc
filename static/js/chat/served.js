// How a turn was served, in words: the badge on each reply and the totals read from the same place.
import { duration } from "../lib/format.js";
import { answeredInWords } from "./xray/answers.js";

const FROM_STORE = new Set(["promoted", "hit"]);

const SPEAKING = new Set(["reply", "confirm"]);

/** The stages that the user waits for: everything up to and including the words. */
function awaited(stages) {
  const words = stages.findIndex((stage) => SPEAKING.has(stage.stage));
  return words < 0 ? stages : stages.slice(0, words + 1);
}

/** "instant" | "waited" | "live" | null where nothing was served yet. */
export function serving(turn) {
  const stages = awaited(turn.timing?.stages ?? []);
  if (!stages.length || turn.state !== "done") return null;
  const hows = stages.map((stage) => stage.how);
  if (hows.every((how) => FROM_STORE.has(how))) return "instant";
  return hows.every((how) => how !== "executed") ? "waited" : "live";
}

/** True where a checked template sentence stands in for the model's words. */
export function usedTemplate(turn) {
  return (turn.timing?.stages ?? []).some((stage) => SPEAKING.has(stage.stage) && stage.notes?.fallback === true);
}

export function savedMs(turn) {
  return turn.timing?.saved_ms ?? 0;
}

const EXPLAINED = {
  instant: "This answer was finished while you were thinking. Its name and everything it read matched exactly, so it was shown at once.",
  known: "Exactly this was answered before, and everything that answer read is still fresh, so it was shown at once.",
  waited: "This answer was still being prepared when you picked. We waited for it, which was shorter than starting over.",
  live: "This answer was made after you asked, the ordinary way.",
};

/** {name, text, detail} for the badge, or null. */
export function badge(turn) {
  const name = serving(turn);
  if (!name) return null;
  const saved = savedMs(turn);
  const took = turn.timing?.complete_ms;
  const parts = [name];
  if (name !== "live" && saved > 0) parts.push(`saved ${duration(saved)}`);
  if (name === "live" && took !== null && took !== undefined) parts.push(duration(took));
  const stages = (turn.timing?.stages ?? []).map((stage) => `${stage.stage} ${answeredInWords(stage)}, ${duration(stage.ms)}`);
  const known = name === "instant" && awaited(turn.timing.stages).every((stage) => stage.how === "hit");
  return { name, text: parts.join(" · "), detail: `${EXPLAINED[known ? "known" : name]} ${stages.join("; ")}.` };
}

export const TEMPLATE_BADGE = {
  name: "checked",
  text: "checked sentence",
  detail: "A sentence of the model did not pass the fact check, so a plain sentence with the checked facts replaced it.",
};

/** Picks that are done, how many of them were instant, and what the shown conversation saved in all, in ms. */
export function totals(turns) {
  const picks = [...turns].filter((turn) => turn.kind === "pick" && turn.state === "done");
  return {
    picks: picks.length,
    served: picks.filter((turn) => serving(turn) === "instant").length,
    saved_ms: picks.reduce((sum, turn) => sum + savedMs(turn), 0),
  };
}
