// The chat page: puts the session, the log, the composer and the side panels together.
import { setText } from "../lib/elements.js";
import { pageData } from "../lib/request.js";
import { Announcer } from "./announcer.js";
import { Composer } from "./composer.js";
import { showConnection } from "./connection.js";
import { drawer } from "./drawer.js";
import { editor } from "./editor.js";
import { History } from "./history.js";
import { Log } from "./log.js";
import { Notice } from "./notice.js";
import { listenForNumbers } from "./number-keys.js";
import { Scroller } from "./scroller.js";
import { Session } from "./session.js";
import { isLive } from "./tree.js";
import { XrayPanel } from "./xray/panel.js";
import { xrayToggle } from "./xray/toggle.js";

const page = pageData("page");
const part = (name) => document.querySelector(`[data-part="${name}"]`);

const session = new Session(page.socket);
const { conversation, intents } = session;
const notice = new Notice(part("notice"));
const announcer = new Announcer(part("announcer"));
const scroller = new Scroller(part("scroller"), part("to-latest"));
const history = new History(part("history"), page.conversation, notice);

/** Starts a turn. False where one is already on its way. */
function start(frame, acknowledged = () => {}) {
  const started = intents.start(frame, {
    acknowledged: (turn) => {
      notice.clear();
      acknowledged(turn);
    },
  });
  if (started) {
    notice.clear();
    scroller.follow();
  }
  return started;
}

const hands = {
  pick: (turn, offer, action, fork) => start({ type: "pick", head: conversation.head, offer, action, fork }),
  goto: (turn) => session.goto(turn),
  retry: (turn) => start({ type: "retry", turn }),
  edit: editor((turn, text, close) => start({ type: "edit", turn, text }, close)),
};
const log = new Log(part("log"), session, hands);
const composer = new Composer(part("composer"), page.conversation, {
  send: (text) => start({ type: "say", head: conversation.head, text, fork: false }, () => (composer.text = "")),
  stop: (turn) => session.stop(turn),
});

function render() {
  if (conversation.epoch === null) return;
  const path = log.render();
  const live = path.find(isLive) ?? null;
  composer.update({ pending: intents.busy?.type === "say", live: live?.id ?? null });
  part("loading").hidden = true;
  part("empty").hidden = path.length > 0;
  setText(part("title"), conversation.title || "New conversation");
  document.title = `${conversation.title || "New conversation"} · DynBranch`;
  scroller.changed();
}

conversation.addEventListener("changed", (event) => {
  const { reason, turn, live } = event.detail;
  render();
  if (!live) announcer.skip(conversation.turns.values());
  else if (turn) announcer.update(conversation.turns.get(turn));
  if (reason === "snapshot") notice.passed();
  if (reason === "title.changed") history.retitle(conversation.title);
  if (reason === "turn.done" || reason === "snapshot") history.refresh();
});
intents.addEventListener("changed", render);
session.addEventListener("error", ({ detail: { message, mend, code } }) => notice.show(message, mend, code === "unavailable"));
session.socket.addEventListener("state", (event) => {
  if (event.detail.name !== "refused") return;
  part("loading").hidden = true;
  notice.show("This conversation was deleted, or it is not yours.", "Open another one, or start a new one.");
});
document.addEventListener("retitled", (event) => {
  conversation.title = event.detail;
  render();
});

showConnection(part("connection"), session.socket);
drawer(part("history"), part("history-button"), "(max-width: 63.99rem)");
listenForNumbers(() => log.openOffer, composer);
if (page.xray) {
  xrayToggle(part("xray"), part("xray-button"));
  new XrayPanel(part("xray"), conversation);
}
session.start();
