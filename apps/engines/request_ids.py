"""Ids of engine requests: random, of one length, never reused, since engines match them by prefix."""

from uuid import uuid4

REQUEST_ID_LENGTH = 32


def new_request_id() -> str:
    return uuid4().hex
