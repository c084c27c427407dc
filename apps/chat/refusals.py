"""Why a command was refused: values that become `error` frames and JSON errors, each with the way out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """code for programs, message and mend for people; `status` is the HTTP status where there is one."""

    code: str
    message: str
    mend: str
    status: int = 400


def bad_frame(field: str, why: str) -> Refusal:
    return Refusal("bad_frame", f"{field}: {why}", "Send a frame as docs/interfaces.md describes it.")


def bad_field(field: str, why: str, mend: str) -> Refusal:
    return Refusal("bad_field", f"{field}: {why}", mend)


def too_long(limit: str) -> Refusal:
    return Refusal("too_long", f"The message is longer than {limit}.", "Shorten it and send it again.", 413)


EMPTY = Refusal("empty", "The message has no text.", "Write something, or pick an offered action.")
KEY_REUSED = Refusal(
    "key_reused", "Another command was sent under this key before.", "Send it again under a key of its own.", 409
)
STALE_HEAD = Refusal(
    "stale_head", "The conversation went on since you saw it.", "Look at the newest answer and choose again.", 409
)
STALE_OFFER = Refusal(
    "stale_offer", "This offer is no longer the current one.", "Go back to it first to pick from it again.", 409
)
PICKED = Refusal(
    "already_picked", "An action of this offer was already picked.", "Go back to it to pick another one.", 409
)
UNKNOWN_OFFER = Refusal("unknown_offer", "This conversation has no such offer.", "Reload the page.", 404)
UNKNOWN_ACTION = Refusal("unknown_action", "The offer has no such action.", "Pick one of the actions shown.", 404)
UNKNOWN_TURN = Refusal("unknown_turn", "This conversation has no such turn.", "Reload the page.", 404)
NOT_EDITABLE = Refusal(
    "not_editable", "Only a message that you wrote can be edited.", "Go back and pick another action instead.", 409
)
BUSY = Refusal("busy", "An answer is still being written.", "Wait for it, or stop it first.", 409)
FORBIDDEN = Refusal("forbidden", "This conversation belongs to someone else.", "Open your own conversations.", 403)
UNKNOWN_CONVERSATION = Refusal("unknown_conversation", "There is no such conversation.", "Start a new one.", 404)
UNAVAILABLE = Refusal(
    "unavailable", "The service is reconnecting to its store.", "Nothing is lost; it goes on by itself.", 503
)
INTERNAL = Refusal("internal", "Something went wrong on the server.", "Try again.", 500)
