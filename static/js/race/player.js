// Plays one lane live: a conversation of its own in one mode, the script's picks, and a frame for all that is seen.
import { request } from "../lib/request.js";
import { badge } from "../chat/served.js";
import { Session } from "../chat/session.js";
import { isLive } from "../chat/tree.js";
import { PICKS } from "./plan.js";

const PATIENCE_MS = 60_000;

/** Resolves with `found()` as soon as it is not null; rejects when the lane fails or `signal` aborts. */
function until(session, signal, found) {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (settle, value) => {
      over.abort();
      clearTimeout(timer);
      settle(value);
    };
    const timer = setTimeout(() => end(reject, new Error("No answer came within a minute.")), PATIENCE_MS);
    const look = () => {
      try {
        const value = found();
        if (value !== null) end(resolve, value);
      } catch (error) {
        end(reject, error);
      }
    };
    session.conversation.addEventListener("changed", look, { signal: over.signal });
    session.addEventListener("error", (event) => end(reject, new Error(event.detail.message)), { signal: over.signal });
    signal.addEventListener("abort", () => end(reject, signal.reason), { signal: over.signal });
    if (signal.aborted) end(reject, signal.reason);
    else look();
  });
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}

/** The head turn, once it is finished and offers something; throws where it failed. */
function finished(conversation) {
  const head = conversation.turns.get(conversation.head);
  if (!head || isLive(head)) return null;
  if (head.state !== "done") throw new Error(head.error ?? "An answer could not be finished.");
  return head;
}

/**
 * plan: {mode, think_ms, choose}. `show(frame)` gets {at_ms, type, …} as it happens, at_ms counted from the lane's
 * start, which is when its first offer is on the page. Returns the picks: {label, reply, first_ms, complete_ms, how}.
 */
export async function play(plan, show, signal) {
  const made = await request("POST", "/api/conversations/", { mode: plan.mode, title: `Race (${plan.mode})` });
  const session = new Session(made.socket);
  try {
    session.start();
    let turn = await until(session, signal, () => finished(session.conversation));
    const start = performance.now();
    const tell = (type, more) => show({ at_ms: performance.now() - start, type, ...more });
    tell("greeting", { html: turn.html, offer: turn.offer });
    const picks = [];
    for (let number = 0; number < PICKS; number += 1) {
      const action = turn.offer && plan.choose(turn.offer, number);
      if (!action) break;
      tell("think", { ms: plan.think_ms });
      await pause(plan.think_ms, signal);
      const pick = await onePick(session, turn, action, tell, signal);
      picks.push(pick);
      turn = finished(session.conversation);
    }
    tell("end", {});
    return picks;
  } finally {
    session.socket.close();
    // A race leaves nothing behind in the history; `keepalive` lets this outlive the page.
    request("DELETE", `/api/conversations/${made.id}/`, undefined, { keepalive: true }).catch(() => {});
  }
}

async function onePick(session, from, action, tell, signal) {
  const { conversation } = session;
  const at = performance.now();
  let first_ms = null;
  tell("pick", { label: action.label });
  session.intents.start({ type: "pick", head: conversation.head, offer: from.offer.id, action: action.index, fork: false });
  const done = await until(session, signal, () => {
    const head = conversation.turns.get(conversation.head);
    if (head.id === from.id) return null;
    if (head.reply && first_ms === null) first_ms = performance.now() - at;
    if (isLive(head)) tell("text", { text: head.reply });
    return finished(conversation);
  });
  const pick = { label: action.label, reply: done.reply, first_ms, complete_ms: performance.now() - at, how: badge(done) };
  tell("done", { html: done.html, offer: done.offer, pick });
  return pick;
}
