// The newest events that a console page keeps, in order and without holes.
//
// Holds  at most `limit` events; `dropped` counts those that fell out since the last snapshot.
// Pause  freezes what `shown` returns; events go on arriving and `waiting` counts them.
// apply  answers false when a message does not follow what is here: then ask for a snapshot.

export class EventBuffer {
  constructor(limit) {
    this.limit = limit;
    this.epoch = null;
    this.seq = null;
    this.events = [];
    this.dropped = 0;
    this.frozen = null;
    this.waiting = 0;
  }

  get paused() { return this.frozen !== null; }
  get shown() { return this.frozen ?? this.events; }

  apply(message) {
    if (message.type === "snapshot") {
      this.events = [];
      this.dropped = 0;
      this.epoch = message.epoch;
    } else if (message.epoch !== this.epoch || message.after > this.seq) {
      return false;
    }
    const known = message.type === "snapshot" ? -1 : this.seq;
    const fresh = message.events.filter((event) => event.seq > known);
    this.events = this.events.concat(fresh);
    this.seq = message.seq;
    if (this.paused) this.waiting += fresh.length;
    const over = this.events.length - this.limit;
    if (over > 0) {
      this.events = this.events.slice(over);
      this.dropped += over;
    }
    return true;
  }

  pause() {
    this.frozen = this.events;
    this.waiting = 0;
  }

  resume() {
    this.frozen = null;
    this.waiting = 0;
  }
}
