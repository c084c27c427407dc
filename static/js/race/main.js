// The race: a warm-up, the lane without speculation live, then the lane with it beside the other's recording.
import { attribute, setText } from "../lib/elements.js";
import { plural } from "../lib/format.js";
import { Lane } from "./lane.js";
import { chooser, PICKS, THINK_MS } from "./plan.js";
import { play } from "./player.js";
import { replay } from "./replay.js";
import { showResult } from "./result.js";

const part = (name) => document.querySelector(`[data-race="${name}"]`);
const lanes = { off: new Lane(part("off")), on: new Lane(part("on")) };
let running = null;

function say(text) {
  setText(part("phase"), text);
}

/** Runs `tick(ms since start)` on every frame until the returned function is called. */
function ticking(start, tick) {
  let request = 0;
  const step = () => {
    tick(performance.now() - start());
    request = requestAnimationFrame(step);
  };
  step();
  return () => {
    cancelAnimationFrame(request);
    tick(performance.now() - start());
  };
}

/** Plays a lane live: shows and records its frames. `span_ms` is the axis' length. */
async function live(lane, plan, span_ms, signal, started = () => {}) {
  const frames = [];
  let start = null;
  const stop = ticking(() => start ?? performance.now(), (ms) => lane.tick(ms, span_ms));
  try {
    const picks = await play(plan, (frame) => {
      if (start === null) {
        start = performance.now() - frame.at_ms;
        started(start);
      }
      frames.push(frame);
      lane.show(frame);
    }, signal);
    return { frames, picks };
  } finally {
    stop();
  }
}

async function race(think_ms, seed, signal) {
  const choose = chooser(seed);
  let answered = 0;
  say(`Warming up: the same ${PICKS} picks once, not measured, so that neither lane meets a colder engine.`);
  const warm = await play({ mode: "floor", think_ms: 0, choose }, (frame) => {
    if (frame.type === "done") say(`Warming up, not measured: ${(answered += 1)} of ${PICKS}`);
  }, signal);
  const estimate = PICKS * think_ms + warm.reduce((sum, pick) => sum + pick.complete_ms, 0);
  const span_ms = estimate * 1.15;
  say("First lane, live: every answer is made after the pick.");
  const off = await live(lanes.off, { mode: "floor", think_ms, choose }, span_ms, signal);
  lanes.off.reset("Starts again with the other lane…");
  say("Second lane, live: answers are prepared while the reader thinks. The first lane replays on the same clock.");
  let again = Promise.resolve();
  const on = await live(lanes.on, { mode: "c2", think_ms, choose }, span_ms, signal, (start) => {
    const clock = () => performance.now() - start;
    const stop = ticking(() => start, (ms) => lanes.off.tick(ms, span_ms));
    again = replay(off.frames, clock, (frame) => lanes.off.show(frame), signal).finally(stop);
  });
  await again;
  say(`Done: ${plural(on.picks.length, "pick")} in each lane.`);
  showResult(part("result"), off.picks, on.picks);
}

async function begin() {
  if (running) return running.abort(new Error("The race was stopped."));
  running = new AbortController();
  part("result").hidden = part("error").hidden = true;
  lanes.off.reset("Waiting for the start");
  lanes.on.reset("Waits for its turn");
  attribute(document.body, "data-racing", "true");
  setText(part("start"), "Stop");
  const think_ms = THINK_MS[document.querySelector('input[name="think"]:checked').value];
  try {
    await race(think_ms, crypto.getRandomValues(new Uint32Array(1))[0], running.signal);
  } catch (error) {
    part("error").hidden = false;
    setText(part("error"), `${error.message} ${error.mend ?? "Start it again when you like."}`);
    say("The race did not finish.");
  } finally {
    running = null;
    attribute(document.body, "data-racing", null);
    setText(part("start"), "Race again");
  }
}

part("start").addEventListener("click", begin);
addEventListener("pagehide", () => running?.abort(new Error("The page was left.")));
