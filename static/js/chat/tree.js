// Questions about the tree of turns. Pure.

export function isLive(turn) {
  return turn.state === "pending" || turn.state === "running";
}

/** From the first turn to the head: the branch of the conversation that is shown. */
export function shownPath(conversation) {
  const path = [];
  const seen = new Set();
  let turn = conversation.turns.get(conversation.head);
  while (turn && !seen.has(turn.id)) {
    seen.add(turn.id);
    path.unshift(turn);
    turn = conversation.turns.get(turn.parent);
  }
  return path;
}

export function children(conversation, parentId) {
  const found = [];
  for (const turn of conversation.turns.values()) if (turn.parent === parentId) found.push(turn);
  return found.sort((a, b) => a.created_ms - b.created_ms || (a.id < b.id ? -1 : 1));
}

/** Turns that are alternatives to this one, itself included, oldest first. */
export function siblings(conversation, turn) {
  return turn.parent === null || turn.parent === undefined ? [turn] : children(conversation, turn.parent);
}

/**
 * How a turn's offer stands: `open` (it can be picked now) or answered, with the turn that took each action.
 * taken: Map of action index -> newest turn that picked it; shown: index on the shown branch, or null.
 */
export function offerStanding(conversation, turn, path) {
  const answers = children(conversation, turn.id);
  const taken = new Map();
  for (const answer of answers) {
    if (answer.kind === "pick" && answer.offer_id === turn.offer.id) taken.set(answer.action, answer);
  }
  const next = path[path.indexOf(turn) + 1];
  const shown = next?.kind === "pick" ? next.action : null;
  return { open: conversation.head === turn.id && answers.length === 0, taken, shown };
}
