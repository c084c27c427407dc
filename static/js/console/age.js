// How old the shown state is; always visible, a warning when it grows.
//
// fresh(ageMs)  takes the age that the server gave; the page's own clock only counts on from there
// Draws         into #data-age every half second

const WARN_MS = 5000;
const BAD_MS = 15000;

export class Age {
  constructor(root) {
    this.shown = root.querySelector("#data-age");
    this.bornAt = null;
    setInterval(() => this.draw(), 500);
  }

  fresh(ageMs) {
    this.bornAt = ageMs === null ? null : performance.now() - ageMs;
    this.draw();
  }

  draw() {
    if (this.bornAt === null) return;
    const ageMs = performance.now() - this.bornAt;
    const tone = ageMs >= BAD_MS ? "bad" : ageMs >= WARN_MS ? "warn" : "plain";
    this.shown.dataset.tone = tone;
    const words = `Data ${(ageMs / 1000).toFixed(0)} s old`;
    this.shown.textContent = tone === "plain" ? words : `${words}: what is shown may no longer be so`;
  }
}
