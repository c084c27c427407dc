// The race's script: how many picks, how long to think, and which action each time, from one seed.

export const PICKS = 4;

/** Think times in ms; typical is the median of the keystroke-level model that the evaluation uses. */
export const THINK_MS = { short: 1000, typical: 2700, long: 6000 };

/** Uniform numbers in [0, 1) from a 32-bit seed: the same seed, the same race. */
function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** choose(offer, turn number) -> the action to pick; only actions that change nothing are raced. */
export function chooser(seed) {
  const next = uniform(seed);
  const draws = Array.from({ length: PICKS }, next);
  return (offer, number) => {
    const open = offer.actions.filter((action) => action.kind === "speculable");
    return open[Math.floor(draws[number] * open.length)] ?? null;
  };
}
