// The time axis of one window: a span that grows in steps, so that bars do not crawl while time runs.

const SPANS_S = [2, 4, 6, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 3600, 86_400];
const AFTER_PICK_MS = 8_000; // later moves (a fork, an expiry) are drawn at the right edge

/** {start_ms, span_ms, now_ms}: now_ms is where the drawing ends, frozen once the window is over. */
export function axisOf(window, serverNow_ms) {
  let end = serverNow_ms;
  if (window.resolved_ms !== null) {
    end = Math.max(window.resolved_ms + 300, Math.min(window.last_ms, window.resolved_ms + AFTER_PICK_MS));
  } else if (window.settled_ms !== null) {
    end = window.settled_ms;
  }
  const elapsed = Math.max(0, end - window.opened_ms);
  const span = (SPANS_S.find((s) => s * 1000 >= elapsed * 1.04) ?? SPANS_S.at(-1)) * 1000;
  return { start_ms: window.opened_ms, span_ms: span, now_ms: end };
}

/** Where a time lies on the axis, in percent of its width. */
export function place(axis, at_ms) {
  return Math.min(100, Math.max(0, ((at_ms - axis.start_ms) / axis.span_ms) * 100));
}

/** Label positions: {at (percent), text}. */
export function ticks(axis) {
  const s = axis.span_ms / 1000;
  const parts = s % 4 === 0 ? 4 : s % 5 === 0 ? 5 : s % 3 === 0 ? 3 : 2;
  return Array.from({ length: parts + 1 }, (_, at) => ({
    at: (at / parts) * 100,
    text: `${Number(((s * at) / parts).toFixed(1))} s`,
  }));
}
