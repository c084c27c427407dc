// The life of one stage of a candidate's chain, and how it is drawn in time. No DOM.

const ALREADY_HELD = "already held";
const PLACED_IN_TIME = new Set(["reserved", "running", "shadow", "held"]);

/** {name, moves: [{state, at_ms, reason}]}: one stage of a candidate's chain. Admission reserves every stage. */
export function stageOf(name, admitted, at_ms) {
  return { name, moves: admitted ? [{ state: "reserved", at_ms, reason: "" }] : [] };
}

/** Adds a `fill.moved` to the stage's life; a repeat changes nothing. */
export function moved(stage, { state, reason }, at_ms) {
  // Given up because the same result is there already: to the user that is finished work, not lost work.
  const shown = state === "discarded" && reason === ALREADY_HELD ? "held" : state;
  if (stateOf(stage) !== shown) stage.moves.push({ state: shown, at_ms, reason });
}

export function stateOf(stage) {
  return stage.moves.at(-1)?.state ?? null;
}

/** Segments of a stage's bar: {state, from_ms, to_ms or null while it lasts}; ends are {state, at_ms}. */
export function segments(stage) {
  const bars = [];
  const ends = [];
  stage.moves.forEach((move, at) => {
    const to = stage.moves[at + 1]?.at_ms ?? null;
    if (PLACED_IN_TIME.has(move.state)) bars.push({ state: move.state, from_ms: move.at_ms, to_ms: to });
    else ends.push({ state: move.state, at_ms: move.at_ms });
  });
  return { bars, ends };
}
