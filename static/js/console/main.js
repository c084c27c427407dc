// The operator console: one feed, three parts that draw from it.
import { Age } from "./age.js";
import { EventBuffer } from "./event_buffer.js";
import { EventList } from "./event_list.js";
import { Feed } from "./feed.js";
import { LoadChart } from "./load_chart.js";
import { drawState } from "./state_panel.js";

const LINES = {
  live: "",
  http: "The live connection is cut. This page asks every 3 seconds instead, and goes live again by itself.",
  down: "The server does not answer. What is shown is old; this page keeps trying.",
  forbidden: "You are no longer logged in as staff. Log in again to go on.",
};

const page = document.querySelector("#console");
const buffer = new EventBuffer(Number(page.dataset.mostEvents));
const list = new EventList(page, buffer);
const chart = new LoadChart(page);
const age = new Age(page);
let due = false;

function drawSoon() {
  if (due) return;
  due = true;
  // A timer, not an animation frame: a hidden page gets no frames and would draw all its backlog at once.
  setTimeout(() => {
    due = false;
    list.draw();
    drawPause();
  }, 50);
}

function drawPause() {
  const button = page.querySelector("#pause");
  button.setAttribute("aria-pressed", String(buffer.paused));
  button.textContent = buffer.paused ? `Resume (${buffer.waiting} waiting)` : "Pause";
}

function onMessage(message) {
  if (!buffer.apply(message)) return false;
  if (message.state) drawState(page, message.state);
  age.fresh(message.age_ms);
  chart.extend(message.load);
  const problem = page.querySelector("#problem");
  problem.textContent = message.problem;
  problem.hidden = !message.problem;
  drawSoon();
  return true;
}

function onLine(line) {
  page.querySelector("#line").dataset.line = line;
  page.querySelector("#line").textContent = line === "live" ? "Live" : line === "http" ? "Every 3 s" : "Not connected";
  const banner = page.querySelector("#banner");
  banner.textContent = LINES[line];
  banner.hidden = line === "live";
}

page.querySelector("#pause").addEventListener("click", () => {
  if (buffer.paused) buffer.resume();
  else buffer.pause();
  list.draw();
  drawPause();
});

new Feed({
  socketPath: page.dataset.socket,
  statePath: page.dataset.state,
  position: () => ({ epoch: buffer.epoch, seq: buffer.seq, load_ms: chart.lastMs }),
  onMessage,
  onLine,
}).start();
