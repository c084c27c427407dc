// Tells screen readers what is new, in whole sentences: not every token, and not nothing.
import { plural } from "../lib/format.js";
import { isLive } from "./tree.js";

const SENTENCES = /[^.!?…\n]*(?:[.!?…]+["'”’)\]]*(?=\s|$)|\n+)/gu;

/** The length of the part of `text` that consists of whole sentences. */
export function wholeSentences(text) {
  let end = 0;
  for (const match of text.matchAll(SENTENCES)) end = match.index + match[0].length;
  return end;
}

function plain(markdown) {
  return markdown.replace(/[*_`#>|]+/g, "").replace(/\s+/g, " ").trim();
}

export class Announcer {
  #region; #said = new Map(); #finished = new Set();

  constructor(region) {
    this.#region = region;
  }

  /** What is already on the page is not news. */
  skip(turns) {
    for (const turn of turns) {
      this.#said.set(turn.id, turn.reply?.length ?? 0);
      if (!isLive(turn)) this.#finished.add(turn.id);
    }
  }

  update(turn) {
    if (!turn || this.#finished.has(turn.id)) return;
    const reply = turn.reply ?? "";
    const from = Math.min(this.#said.get(turn.id) ?? 0, reply.length);
    const live = isLive(turn);
    // The last sentence may still grow while streaming ("at 7." "30 pm"), so it waits for what follows.
    const to = live ? wholeSentences(reply.trimEnd().slice(0, -1)) : reply.length;
    if (to > from) {
      this.#say(plain(reply.slice(from, to)));
      this.#said.set(turn.id, to);
    }
    if (live) return;
    this.#finished.add(turn.id);
    if (turn.state === "stopped") this.#say("Stopped.");
    if (turn.state === "failed") this.#say("The answer could not be finished.");
    const offered = turn.offer?.actions?.length ?? 0;
    if (offered) this.#say(`${plural(offered, "action")} offered.`);
  }

  #say(text) {
    if (!text) return;
    const line = document.createElement("p");
    line.textContent = text;
    this.#region.append(line);
    while (this.#region.children.length > 20) this.#region.firstChild.remove();
  }
}
