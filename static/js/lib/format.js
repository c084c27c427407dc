// Numbers and times for people.

/** 940 -> "940 ms", 1240 -> "1.2 s", 75000 -> "75 s" */
export function duration(ms) {
  const value = Math.max(0, ms);
  if (value < 100) return `${Math.round(value)} ms`;
  const s = value / 1000;
  return `${s < 20 ? s.toFixed(1) : Math.round(s)} s`;
}

/** Always in seconds with one decimal: for columns that are compared. */
export function seconds(ms) {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** "14:05" today, "Mar 4" this year, "Mar 4, 2025" before. */
export function when(ms, nowMs = Date.now()) {
  const date = new Date(ms);
  const now = new Date(nowMs);
  if (date.toDateString() === now.toDateString()) {
    return date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  }
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString(undefined, { month: "short", day: "numeric", year });
}

/** Markdown still streaming: its marks mean something only in the finished rendering, so they are left out. */
export function withoutMarks(markdown) {
  return markdown.replace(/\*\*|`/g, "");
}
