// The conversation log: the shown path, one view per turn, kept in place while its data changes.
import { attribute } from "../lib/elements.js";
import { OfferView } from "./offer.js";
import { isLive, offerStanding, shownPath, siblings } from "./tree.js";
import { TurnView } from "./turn.js";

export class Log {
  #root; #session; #hands; #views = new Map(); #offers = new Map();

  constructor(root, session, hands) {
    this.#root = root;
    this.#session = session;
    this.#hands = hands;
  }

  render() {
    const { conversation, intents } = this.#session;
    const path = shownPath(conversation);
    const live = path.some(isLive);
    const locked = intents.busy !== null;
    const focused = document.activeElement?.closest?.(".offer") ?? null;
    const nodes = [];
    for (const turn of path) {
      const view = this.#view(turn);
      view.update(turn, siblings(conversation, turn), locked || live);
      nodes.push(view.root);
      if (turn.offer?.actions?.length && !isLive(turn)) nodes.push(this.#offer(conversation, turn, path, locked, live));
    }
    this.#place(nodes);
    attribute(this.#root, "aria-busy", live ? "true" : "false");
    if (focused) this.#keepFocus(focused);
    return path;
  }

  /** The offer that number keys mean: the last turn's, while it can be picked. */
  get openOffer() {
    const { conversation } = this.#session;
    const offer = conversation.turns.get(conversation.head)?.offer;
    const view = offer && this.#offers.get(offer.id);
    return view?.root.isConnected && view.root.dataset.open === "true" ? view : null;
  }

  #view(turn) {
    if (!this.#views.has(turn.id)) this.#views.set(turn.id, new TurnView(turn, this.#hands));
    return this.#views.get(turn.id);
  }

  #offer(conversation, turn, path, locked, live) {
    if (!this.#offers.has(turn.offer.id)) this.#offers.set(turn.offer.id, new OfferView(turn, this.#hands));
    const view = this.#offers.get(turn.offer.id);
    const busy = this.#session.intents.busy;
    const pending = busy?.type === "pick" && busy.offer === turn.offer.id ? busy.action : null;
    view.update(offerStanding(conversation, turn, path), { pending, locked: locked || live });
    return view.root;
  }

  /** Puts exactly these nodes, in this order, touching only what differs. */
  #place(nodes) {
    const wanted = new Set(nodes);
    for (const child of [...this.#root.children]) if (!wanted.has(child)) child.remove();
    nodes.forEach((node, at) => {
      if (this.#root.children[at] !== node) this.#root.insertBefore(node, this.#root.children[at] ?? null);
    });
  }

  /** Who picked with the keyboard goes on from the new offer, not from the top of the page. */
  #keepFocus(before) {
    const open = this.openOffer;
    if (open && open.root !== before && !before.dataset.open) {
      open.root.focus({ preventScroll: true });
    }
  }
}
