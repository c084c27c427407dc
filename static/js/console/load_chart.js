// Load over time.
//
// Reads  #load-figures: {light, dark}, two Plotly figures of the same points
// Takes  drawn points {t_ms, y: [per trace], text: [per trace]}, oldest first
// Draws  into #load-chart, anew when the reader switches theme, and the newest points into #load-table
/* global Plotly */

const MOST_POINTS = 900;
const TABLE_ROWS = 20;
const CONFIG = { responsive: true, displaylogo: false, displayModeBar: false };

export class LoadChart {
  constructor(root) {
    this.chart = root.querySelector("#load-chart");
    this.table = root.querySelector("#load-table");
    this.figures = JSON.parse(root.querySelector("#load-figures").textContent);
    const { data } = this.figures.light;
    this.names = data.map((trace) => trace.name);
    this.points = (data[0].x ?? []).map((t_ms, n) => ({
      t_ms, y: data.map((trace) => trace.y[n]), text: data.map((trace) => trace.text[n]),
    }));
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.draw());
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.draw();
  }

  get lastMs() { return this.points.at(-1)?.t_ms ?? null; }

  get theme() { return document.documentElement.dataset.theme ?? (this.dark.matches ? "dark" : "light"); }

  extend(points) {
    const fresh = points.filter((point) => point.t_ms > (this.lastMs ?? 0));
    if (!fresh.length) return;
    this.points = this.points.concat(fresh).slice(-MOST_POINTS);
    if (!document.hidden) this.draw();
  }

  draw() {
    if (typeof Plotly === "undefined") {
      this.chart.textContent = "The figure's library did not load; the table and the CSV below hold the same data.";
    } else {
      const { data, layout } = this.figures[this.theme] ?? this.figures.light;
      const x = this.points.map((point) => point.t_ms);
      const traces = data.map((trace, i) => ({
        ...trace, x, y: this.points.map((point) => point.y[i]), text: this.points.map((point) => point.text[i]),
      }));
      Plotly.react(this.chart, traces, layout, CONFIG);
    }
    this.drawTable();
  }

  drawTable() {
    const rows = this.points.slice(-TABLE_ROWS).reverse().map((point) => {
      const row = document.createElement("tr");
      const time = row.appendChild(document.createElement("th"));
      time.scope = "row";
      time.textContent = new Date(point.t_ms).toISOString().slice(11, 19);
      for (const text of point.text) row.insertCell().textContent = text;
      return row;
    });
    this.table.replaceChildren(...rows);
  }
}
