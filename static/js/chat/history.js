// The history: this session's conversations, newest first; new, rename, delete, export.
import { icon, make } from "../lib/elements.js";
import { when } from "../lib/format.js";
import { request } from "../lib/request.js";
import { askTitle, confirmDelete } from "./dialogs.js";

const API = "/api/conversations/";

export class History {
  #list; #state; #current; #notice; #items = [];

  constructor(root, currentId, notice) {
    this.#list = root.querySelector("[data-list]");
    this.#state = root.querySelector("[data-list-state]");
    this.#current = currentId;
    this.#notice = notice;
    root.querySelector("[data-new]").addEventListener("click", () => this.#try(() => this.#create()));
  }

  async refresh() {
    try {
      const answer = await request("GET", API);
      this.#items = answer.conversations ?? answer;
      this.#draw();
    } catch (error) {
      this.#state.hidden = false;
      this.#state.textContent = `The list could not be loaded. ${error.mend ?? ""}`;
    }
  }

  /** The shown conversation got a title, by rename or from its first message. */
  retitle(title) {
    const item = this.#items.find((one) => one.id === this.#current);
    if (!item || item.title === title) return;
    item.title = title;
    this.#draw();
  }

  async #try(work) {
    try {
      await work();
    } catch (error) {
      this.#notice.show(error.message, error.mend);
    }
  }

  async #create() {
    location.assign((await request("POST", API, {})).url);
  }

  async #rename(item) {
    const title = await askTitle(item.title ?? "");
    if (title === null) return;
    await request("PATCH", `${API}${item.id}/`, { title });
    item.title = title;
    this.#draw();
    if (item.id === this.#current) document.dispatchEvent(new CustomEvent("retitled", { detail: title }));
  }

  async #delete(item) {
    if (!(await confirmDelete(item.title || "New conversation"))) return;
    await request("DELETE", `${API}${item.id}/`);
    if (item.id === this.#current) return location.assign("/");
    this.#items = this.#items.filter((one) => one.id !== item.id);
    this.#draw();
  }

  #draw() {
    this.#state.hidden = this.#items.length > 0;
    this.#state.textContent = "No conversations yet.";
    this.#list.replaceChildren(...this.#items.map((item) => this.#row(item)));
  }

  #row(item) {
    const title = item.title || "New conversation";
    const here = item.id === this.#current;
    const changed = item.updated_ms ?? item.created_ms;
    const tool = (glyph, name, work) =>
      make("button", { class: "tool", type: "button", "aria-label": `${name}: ${title}`, title: name, on: { click: () => this.#try(work) } }, icon(glyph));
    return make(
      "li",
      { class: "history-row", "data-current": here || null },
      make("a", { href: item.url ?? `/c/${item.id}/`, "aria-current": here ? "page" : null },
        make("span", { class: "history-title", dir: "auto" }, title),
        changed ? make("time", {}, when(changed)) : null),
      make("span", { class: "history-tools" },
        tool("edit", "Rename", () => this.#rename(item)), tool("trash", "Delete", () => this.#delete(item))),
    );
  }
}
