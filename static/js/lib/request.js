// JSON over HTTP with Django's CSRF token.

export class RequestError extends Error {
  constructor(message, mend, status) {
    super(message);
    this.mend = mend;
    this.status = status;
  }
}

function token() {
  return document.querySelector('meta[name="csrf-token"]')?.content ?? "";
}

/** The answer's JSON, or null where it has none. Throws RequestError with what to do about it. */
export async function request(method, path, body = undefined, { keepalive = false } = {}) {
  const headers = { Accept: "application/json", "X-CSRFToken": token() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, keepalive, body: body && JSON.stringify(body) });
  } catch {
    throw new RequestError("The server cannot be reached.", "Check the connection and try again.", 0);
  }
  const data = (answer.headers.get("Content-Type") ?? "").includes("json") ? await answer.json() : null;
  if (answer.ok) return data;
  const message = data?.message ?? data?.error ?? `The server answered ${answer.status}.`;
  throw new RequestError(message, data?.mend ?? "Try again, or reload the page.", answer.status);
}

/** Data that the server put into the page with `json_script`. */
export function pageData(id) {
  const holder = document.getElementById(id);
  return holder ? JSON.parse(holder.textContent) : {};
}

/** A random id; `crypto.randomUUID` is missing on plain http outside localhost. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
