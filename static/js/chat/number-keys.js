// Keys 1-5 pick an offered action, wherever the focus is, unless someone is writing.
import { composing } from "./composer.js";

/** The same key again within this time is the second half of one press, not a pick in the next offer. */
const DOUBLE_PRESS_MS = 300;
/** In the empty composer a digit may begin a sentence ("2 people…"): it is a pick only if nothing follows. */
const ALONE_MS = 350;

function writingElsewhere(target, box) {
  return target !== box && target.closest?.("input, textarea, select, [contenteditable], dialog");
}

/** openOffer: () -> OfferView or null; composer: its box and text. */
export function listenForNumbers(openOffer, composer) {
  let last = { key: "", at: 0 };
  let waiting = null;

  function pick(key) {
    const now = Date.now();
    const again = key === last.key && now - last.at < DOUBLE_PRESS_MS;
    last = { key, at: now };
    if (!again) openOffer()?.press(Number(key) - 1);
  }

  document.addEventListener("keydown", (event) => {
    clearTimeout(waiting);
    if (!/^[1-5]$/.test(event.key) || event.repeat || composing(event)) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (composer.text !== "" || writingElsewhere(event.target, composer.box) || document.querySelector("dialog[open]")) return;
    if (!openOffer()) return;
    if (event.target !== composer.box) return pick(event.key);
    waiting = setTimeout(() => {
      if (composer.text !== event.key) return;
      composer.text = "";
      pick(event.key);
    }, ALONE_MS);
  });
}
