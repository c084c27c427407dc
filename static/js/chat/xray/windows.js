// The x-ray's model: windows (branches) and the lives of their fills, from the conversation's events. No DOM.

import { moved, stageOf } from "./stages.js";

/** Emits `changed`. `list` is oldest first and bounded. */
export class Windows extends EventTarget {
  list = [];
  skew_ms = 0; // this browser's clock minus the server's, by the least delayed event

  #byBranch = new Map();
  #leastDelay = Infinity;
  #turnOf;

  /** turnOf(id): the conversation's turn, or undefined. */
  constructor(turnOf) {
    super();
    this.#turnOf = turnOf;
  }

  clear() {
    this.list = [];
    this.#byBranch.clear();
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
    if (kind === "stage.served") return this.#serve(at_ms, data);
    if (kind === "write.committed") return this.list.at(-1)?.writes.push({ at_ms }) ?? false;
    const window = this.#byBranch.get(data.branch);
    if (!window) return false;
    if (kind === "fill.moved") return this.#move(window, at_ms, data);
    if (kind === "branch.resolved") {
      window.resolved_ms = at_ms;
      window.choice = data.choice;
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
      branch: data.branch, turn: data.turn, coordinate: data.coordinate, opened_ms: at_ms, expires_ms: data.expires_at_ms, candidates,
      resolved_ms: null, choice: null, answered_ms: null, settled_ms: null, served: [], writes: [], last_ms: at_ms,
    };
    if (this.#byBranch.has(data.branch)) return false;
    this.#byBranch.set(data.branch, window);
    this.list.push(window);
    if (this.list.length > 30) this.#byBranch.delete(this.list.shift().branch);
    return true;
  }

  /** A stage belongs to the window inside its own turn, or else to the one that its turn answered. */
  #serve(at_ms, data) {
    const answer = this.#turnOf(data.turn);
    const within = (turn) => this.list.findLast((window) => window.turn === turn && window.resolved_ms !== null);
    const window = within(data.turn) ?? within(answer?.parent);
    if (!window) return false;
    // Going back and picking another action answers the same window anew.
    if (window.served.some((one) => one.turn !== data.turn)) window.served = [];
    if (answer?.kind === "pick" && window.turn === answer.parent) window.choice = String(answer.action);
    window.answered_ms = at_ms;
    return window.served.push(data);
  }

  #move(window, at_ms, data) {
    const candidate = window.candidates.find((one) => one.choice === String(data.choice));
    if (!candidate) return false;
    candidate.stages[data.position] ??= stageOf(data.stage, false, at_ms);
    moved(candidate.stages[data.position], data, at_ms);
    window.last_ms = Math.max(window.last_ms, at_ms);
    return true;
  }
}
