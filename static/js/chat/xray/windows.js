// The x-ray's model: windows (branches) and the lives of their fills, from the conversation's events. No DOM.

const ALREADY_HELD = "already held";
const PLACED_IN_TIME = new Set(["reserved", "running", "shadow", "held"]);

/** {name, moves: [{state, at_ms, reason}]}: one stage of a candidate's chain. Admission reserves every stage. */
function stageOf(name, admitted, at_ms) {
  return { name, moves: admitted ? [{ state: "reserved", at_ms, reason: "" }] : [] };
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

/** Emits `changed`. `list` is oldest first and bounded. */
export class Windows extends EventTarget {
  list = [];
  skew_ms = 0; // this browser's clock minus the server's, by the least delayed event

  #byBranch = new Map();
  #leastDelay = Infinity;
  #answering = null;

  clear() {
    this.list = [];
    this.#byBranch.clear();
    this.#answering = null;
    this.dispatchEvent(new CustomEvent("changed"));
  }

  take({ kind, at_ms, data, live }) {
    if (live && Date.now() - at_ms < this.#leastDelay) {
      this.#leastDelay = this.skew_ms = Date.now() - at_ms;
    }
    if (this.#apply(kind, at_ms, data)) this.dispatchEvent(new CustomEvent("changed"));
  }

  #apply(kind, at_ms, data) {
    if (kind === "branch.opened") return this.#open(at_ms, data);
    if (kind === "stage.served") return this.#answering ? this.#answering.served.push(data) : false;
    if (kind === "write.committed") return this.list.at(-1)?.writes.push({ at_ms, invalidated: data.invalidated }) ?? false;
    const window = this.#byBranch.get(data.branch);
    if (!window) return false;
    if (kind === "fill.moved") return this.#move(window, at_ms, data);
    if (kind === "branch.resolved") {
      window.resolved_ms = at_ms;
      window.choice = data.choice;
      this.#answering = window;
    } else if (kind === "branch.settled") {
      window.settled_ms = at_ms;
    }
    return true;
  }

  #open(at_ms, data) {
    const candidates = [...data.candidates].sort((a, b) => a.rank - b.rank).map((one) => ({
      choice: String(one.choice),
      label: one.label,
      admitted: one.admitted,
      reason: one.reason,
      stages: one.stages.map((name) => stageOf(name, one.admitted, at_ms)),
    }));
    const window = {
      branch: data.branch, coordinate: data.coordinate, opened_ms: at_ms, expires_ms: data.expires_at_ms, candidates,
      resolved_ms: null, choice: null, settled_ms: null, served: [], writes: [], last_ms: at_ms,
    };
    if (this.#byBranch.has(data.branch)) return false;
    this.#byBranch.set(data.branch, window);
    this.list.push(window);
    if (this.list.length > 30) this.#byBranch.delete(this.list.shift().branch);
    return true;
  }

  #move(window, at_ms, data) {
    const candidate = window.candidates.find((one) => one.choice === String(data.choice));
    if (!candidate) return false;
    candidate.stages[data.position] ??= stageOf(data.stage, false, at_ms);
    const stage = candidate.stages[data.position];
    // Given up because the same result is there already: to the user that is finished work, not lost work.
    const state = data.state === "discarded" && data.reason === ALREADY_HELD ? "held" : data.state;
    if (stateOf(stage) !== state) stage.moves.push({ state, at_ms, reason: data.reason });
    window.last_ms = Math.max(window.last_ms, at_ms);
    return true;
  }
}
