// Plays recorded frames again at the times at which they happened.

/** Shows each frame when `clock()` reaches its time; resolves after the last. */
export function replay(frames, clock, show, signal) {
  return new Promise((resolve, reject) => {
    let next = 0;
    const step = () => {
      if (signal.aborted) return reject(signal.reason);
      while (next < frames.length && frames[next].at_ms <= clock()) show(frames[next++]);
      if (next === frames.length) return resolve();
      // A timer, not an animation frame: a hidden tab must not stop the race half-way.
      setTimeout(step, Math.min(50, Math.max(4, frames[next].at_ms - clock())));
    };
    step();
  });
}
