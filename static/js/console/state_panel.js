// The upper part of the console: engine, fills, reuse, workers. All words come ready from the server.
//
// Draws  `state` of a message into #groups, #workers, #workers-note and #load-summary

const WORKER_COLUMNS = ["name", "state", "active", "processed", "heard"];

function element(tag, text, data = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  Object.assign(made.dataset, data);
  return made;
}

function group({ name, cells }) {
  const section = document.createElement("section");
  section.className = "card";
  section.append(element("h2", name));
  const list = section.appendChild(document.createElement("dl"));
  for (const cell of cells) {
    const row = list.appendChild(document.createElement("div"));
    row.append(element("dt", cell.label), element("dd", cell.value, { tone: cell.tone }));
    if (cell.note) row.append(element("dd", cell.note, { tone: "quiet" }));
  }
  return section;
}

function workerRow(worker) {
  const row = document.createElement("tr");
  for (const column of WORKER_COLUMNS) {
    const cell = element(column === "name" ? "th" : "td", worker[column], column === "state" ? { tone: worker.tone } : {});
    if (column === "name") cell.scope = "row";
    row.append(cell);
  }
  return row;
}

export function drawState(root, state) {
  root.querySelector("#groups").replaceChildren(...state.groups.map(group));
  root.querySelector("#workers").replaceChildren(...state.workers.map(workerRow));
  root.querySelector("#workers-table").hidden = state.workers.length === 0;
  const note = root.querySelector("#workers-note");
  note.textContent = state.workers_note;
  note.hidden = !state.workers_note;
  root.querySelector("#load-summary").textContent = state.summary;
}
