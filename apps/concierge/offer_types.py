"""One offered action, JSON, and the one that is always last."""

from typing import TypedDict

from apps.concierge.requests import Request, request
from apps.serving.names import Json


class Offered(TypedDict):
    label: str
    payload: dict[str, Json]
    speculable: bool


def offered(label: str, asked: Request) -> Offered:
    """An action whose continuation is `asked`; a commit is never run early."""
    return {"label": label, "payload": dict(asked), "speculable": asked["op"] != "commit"}


def something_else(page: int) -> Offered:
    return offered("Something else", request("else", page=page))
