// The list of events, newest first. Each line expands to its JSON.
//
// Reads   an EventBuffer and the two filters in #event-filters
// Draws   into #events, #event-count and #event-empty; keeps open lines open by their number

export class EventList {
  constructor(root, buffer) {
    this.buffer = buffer;
    this.list = root.querySelector("#events");
    this.counted = root.querySelector("#event-count");
    this.empty = root.querySelector("#event-empty");
    this.kind = root.querySelector("#filter-kind");
    this.conversation = root.querySelector("#filter-conversation");
    this.items = new Map();
    for (const field of [this.kind, this.conversation]) field.addEventListener("input", () => this.draw());
  }

  wanted(event) {
    if (this.kind.value && event.kind !== this.kind.value) return false;
    const conversation = this.conversation.value.trim();
    return !conversation || event.conversation.includes(conversation);
  }

  draw() {
    this.learnKinds();
    const epoch = this.buffer.epoch;
    const shown = this.buffer.shown.filter((event) => this.wanted(event));
    const keep = new Set(shown.map((event) => `${epoch}/${event.seq}`));
    for (const [key, item] of this.items) {
      if (keep.has(key)) continue;
      item.remove();
      this.items.delete(key);
    }
    let below = null; // walk from the oldest up; insert only what is new
    for (const event of shown) {
      const key = `${epoch}/${event.seq}`;
      const item = this.items.get(key) ?? this.make(key, event);
      if (item.parentNode !== this.list || item.nextSibling !== below) this.list.insertBefore(item, below);
      below = item;
    }
    this.words(shown.length);
  }

  words(shown) {
    const { shown: all, dropped, limit } = this.buffer;
    const hidden = all.length - shown ? `, ${all.length - shown} hidden by the filter` : "";
    const lost = dropped ? `, ${dropped} older ones dropped (a page keeps ${limit})` : "";
    this.counted.textContent = `${shown} shown${hidden}${lost}`;
    this.empty.hidden = shown > 0;
    // An empty epoch: the server has not read the stream yet, so nothing is known.
    if (!this.buffer.epoch) this.empty.textContent = "Waiting for events…";
    else this.empty.textContent = all.length ? "No event passes the filter." : "No event yet. Pick an action in the chat.";
  }

  learnKinds() {
    const known = new Set([...this.kind.options].map((option) => option.value));
    for (const event of this.buffer.shown) {
      if (known.has(event.kind)) continue;
      known.add(event.kind);
      this.kind.add(new Option(event.kind, event.kind));
    }
  }

  make(key, event) {
    const item = document.createElement("li");
    const line = item.appendChild(document.createElement("details"));
    line.dataset.tone = event.tone;
    const summary = line.appendChild(document.createElement("summary"));
    for (const part of ["at", "words", "kind", "conversation"]) {
      const span = summary.appendChild(document.createElement("span"));
      span.className = part;
      span.textContent = event[part];
    }
    line.addEventListener("toggle", () => {
      if (!line.open || line.querySelector("pre")) return;
      const detail = line.appendChild(document.createElement("pre"));
      detail.tabIndex = 0;
      detail.textContent = JSON.stringify({ seq: event.seq, ...event.data }, null, 2);
    });
    this.items.set(key, item);
    return item;
  }
}
