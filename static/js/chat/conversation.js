// The conversation as its event stream tells it: turns by id, the head, and how far we have applied.

/**
 * `apply` answers "applied", "old" or "gap". Listeners get `changed` (detail: {reason, turn, live}) and `trace`
 * (detail: {kind, at_ms, data, live}) for everything, which the x-ray panel reads.
 */
export class Conversation extends EventTarget {
  epoch = null;
  seq = null;
  title = "";
  head = null;
  turns = new Map();

  load(snapshot) {
    this.epoch = snapshot.epoch;
    this.seq = snapshot.seq;
    this.turns = new Map(snapshot.turns.map((turn) => [turn.id, turn]));
    this.title = snapshot.conversation.title ?? "";
    this.head = snapshot.conversation.head ?? snapshot.turns.at(-1)?.id ?? null;
    this.#changed("snapshot", null, false);
    this.dispatchEvent(new CustomEvent("reset"));
    for (const event of snapshot.xray ?? []) this.#trace(event, false);
  }

  apply(event) {
    if (event.epoch !== this.epoch || this.seq === null) return "gap";
    if (event.seq <= this.seq) return "old";
    if (event.seq !== this.seq + 1) return "gap";
    if (!this.#take(event.kind, event.data)) return "gap";
    this.seq = event.seq;
    this.#trace(event, true);
    return "applied";
  }

  #take(kind, data) {
    switch (kind) {
      case "turn.created":
        this.turns.set(data.turn.id, data.turn);
        this.head = data.turn.id;
        break;
      case "turn.done":
        this.turns.set(data.turn.id, data.turn);
        return this.#changed(kind, data.turn.id);
      case "turn.text":
        return this.#append(data) && this.#changed(kind, data.turn);
      case "turn.restarted": {
        const turn = this.turns.get(data.turn);
        if (!turn) return false;
        this.turns.set(turn.id, { ...turn, epoch: data.turn_epoch, reply: "", html: "", state: "running" });
        return this.#changed(kind, turn.id);
      }
      case "head.changed":
        this.head = data.head;
        break;
      case "title.changed":
        this.title = data.title;
        break;
      default:
        return true;
    }
    return this.#changed(kind, data.turn?.id ?? null);
  }

  /** False where the text does not continue what we have: that is a gap. */
  #append({ turn: id, turn_epoch: epoch, offset, text }) {
    const turn = this.turns.get(id);
    if (!turn) return false;
    if (epoch < turn.epoch) return true; // a former owner's late words
    if (epoch > turn.epoch && offset !== 0) return false;
    // Offsets count characters as Python does: code points, not UTF-16 units.
    const had = [...(epoch > turn.epoch ? "" : turn.reply)];
    if (offset > had.length) return false;
    const fresh = [...text].slice(had.length - offset).join("");
    this.turns.set(id, { ...turn, epoch, state: "running", reply: had.join("") + fresh });
    return true;
  }

  #changed(reason, turn, live = true) {
    this.dispatchEvent(new CustomEvent("changed", { detail: { reason, turn, live } }));
    return true;
  }

  #trace({ kind, at_ms, data }, live) {
    this.dispatchEvent(new CustomEvent("trace", { detail: { kind, at_ms, data, live } }));
  }
}
