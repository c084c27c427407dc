"""Examples of the `confirm` stage: an order restated before it is carried out, or why it cannot be."""

import random
from collections.abc import Iterator, Mapping

from apps.concierge.requests import request
from apps.serving.names import Json
from training.text.example import Example, Split
from training.text.odd_rows import any_row, clock_time
from training.text.reply import drawn
from training.text.situations import Maker, Situation, any_booking, any_day, any_ref, any_service

WHYS = ("closed", "full", "full", "too many")


def examples(rng: random.Random, split: Split, count: int) -> Iterator[Example]:
    """`count` examples; the same for the same state of `rng`."""
    return drawn("confirm", SHARES, rng, split, count)


def book(rng: random.Random, split: Split) -> Situation:
    return _booking_of(rng, split, "")


def refused(rng: random.Random, split: Split) -> Situation:
    why = rng.choice(WHYS)
    return _booking_of(rng, split, why) if rng.random() < 0.6 else _change_of(rng, split, why)


def change(rng: random.Random, split: Split) -> Situation:
    return _change_of(rng, split, "")


def cancel(rng: random.Random, split: Split) -> Situation:
    booking = any_booking(rng, split)
    found = {**_change(rng, split, booking, {}), "refusal": rng.choice(("", "", "closed"))}
    return Situation(request("cancel", ref=booking["ref"]), found)


def gone(rng: random.Random, split: Split) -> Situation:
    if rng.random() < 0.5:
        return Situation(request("cancel", ref=any_ref(rng)), {"booking": None})
    return Situation(request("book", place="gone", **_moment(rng)), {"place": None})


def _booking_of(rng: random.Random, split: Split, why: str) -> Situation:
    row = any_row(rng, split, any_service(rng))
    return Situation(request("book", place=row["slug"], **_moment(rng)), {"place": row, "refusal": why})


def _change_of(rng: random.Random, split: Split, why: str) -> Situation:
    booking, moment = any_booking(rng, split), _moment(rng)
    wished = {key: moment[key] for key in rng.sample(sorted(moment), rng.choice((1, 1, 2)))}
    found = {**_change(rng, split, booking, wished), "refusal": why}
    return Situation(request("change", ref=booking["ref"], **wished), found)


def _change(
    rng: random.Random, split: Split, booking: Mapping[str, Json], wished: Mapping[str, Json]
) -> dict[str, Json]:
    row = any_row(rng, split, str(booking["service"])) | {"slug": booking["place"], "name": booking["name"]}
    wanted = {key: wished.get(key, booking[key]) for key in ("day", "time", "people")}
    return {"booking": booking, "wanted": wanted, "place": row}


def _moment(rng: random.Random) -> dict[str, Json]:
    return {"day": any_day(rng).isoformat(), "time": clock_time(rng), "people": rng.randint(1, 12)}


SHARES: Mapping[Maker, int] = {book: 52, change: 16, cancel: 14, refused: 15, gone: 1}
