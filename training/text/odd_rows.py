"""Places whose names, numbers and times are odder than a catalogue's, so that values are copied and not guessed."""

import random
from collections.abc import Callable, Mapping

from apps.concierge.hours import DAYS, Hours
from apps.serving.names import Json
from training.text.catalogues import any_catalogue, full_row
from training.text.example import Split
from training.text.pools import POOLS, Pool

ODD_SHARE = 0.5
_FEATURES: Mapping[Split, tuple[str, ...]] = {
    Split.TRAIN: (
        "24-hour reception", "no smoking", "step-free access", "board games", "free refills", "dogs allowed",
        "charging points", "roof garden", "late check-out", "3 private rooms", "halal menu", "student discount",
        "baby changing", "bike storage", "hot stone massage", "card payment", "lockers", "lift", "sea view",
    ),
    Split.HELD_OUT: (
        "play corner", "cash only", "gluten-free menu", "quiet hours", "umbrella loan", "2 saunas", "braille signs",
        "airport shuttle", "open kitchen", "river view",
    ),
}  # fmt: skip
_KINDS: Mapping[str, Mapping[Split, tuple[str, ...]]] = {
    "restaurant": {
        Split.TRAIN: ("fish-and-chips", "Basque", "Ethiopian", "Tex-Mex", "all-day breakfast", "Irish", "udon", "cafe"),
        Split.HELD_OUT: ("Peruvian", "oyster", "Austrian", "ramen", "cafe"),
    },
    "hotel": {
        Split.TRAIN: ("art hotel", "18th-century house", "old mill", "airport hotel", "youth camp"),
        Split.HELD_OUT: ("eco lodge", "1920s villa", "inn"),
    },
    "event": {
        Split.TRAIN: ("open-air show", "escape game", "ice show", "e-sports cup", "antiques sale"),
        Split.HELD_OUT: ("owl show", "quiz night", "ukulele class"),
    },
    "museum": {
        Split.TRAIN: ("aquarium", "coin museum", "18th-century kitchen", "X-ray museum"),
        Split.HELD_OUT: ("tea museum", "observatory"),
    },
    "ride": {
        Split.TRAIN: ("horse cart", "u-boat tour", "hour-long cruise", "e-bike hire"),
        Split.HELD_OUT: ("submarine tour", "rickshaw"),
    },
    "spa": {
        Split.TRAIN: ("mud bath", "ice bath", "oxygen bar", "day spa"),
        Split.HELD_OUT: ("salt cave", "hammam"),
    },
}


def any_row(rng: random.Random, split: Split, service: str) -> dict[str, Json]:
    """A place of the service as a lookup gives it; about half of them are odd in some ways."""
    row = full_row(rng.choice(any_catalogue(rng, split).of(service)))
    row["rating"] = f"{rng.randint(10, 50) / 10:.1f}"
    if rng.random() < ODD_SHARE:
        row["kind"] = rng.choice(_KINDS[service][split])
    for key, change in _CHANGES.items():
        if rng.random() < ODD_SHARE:
            row[key] = change(rng, split)
    if rng.random() < ODD_SHARE:
        row |= _way(rng, split) | {"price": _price(rng), "capacity": rng.randint(1, 999), "walk": rng.randint(1, 25)}
    return row


def clock_time(rng: random.Random) -> str:
    """A time to come, "HH:MM" """
    return f"{rng.randint(6, 23):02d}:{rng.choice(('00', '00', '30', '15', '45'))}"


def _name(rng: random.Random, split: Split) -> str:
    pool = POOLS[split]
    first, noun, person = rng.choice(pool.firsts), rng.choice(pool.nouns), rng.choice(pool.people)
    word = "".join(rng.sample(pool.syllables, rng.choice((2, 3)))).capitalize()
    return rng.choice(
        (
            f"{noun} & {rng.choice(pool.others)}",
            f"{person} & {rng.choice(pool.people)}'s",
            f"The {first} {noun} & {rng.choice(pool.nouns)}",
            f"{noun} No. {rng.randint(2, 99)}".replace("No. ", "No "),
            f"{rng.randint(2, 99)} {noun}s",
            f"Hotel {first} {noun}",
            f"L'{word}",
            f"{word}-{''.join(rng.sample(pool.syllables, 2)).capitalize()}",
            f"{word} {noun} by the {rng.choice(pool.nouns)}",
            f"The House of the {first} {noun}",
            f"The {noun} and the {rng.choice(pool.nouns)}",
            f"{person}'s {first} {noun}",
            f"{noun}{rng.choice((' ', ''))}{rng.randint(1, 2099)}",
            f"Old {person}",
            noun,
            word.upper(),
        )
    )


def _phone(rng: random.Random, split: Split) -> str:
    four, three = f"{rng.randint(0, 9999):04d}", f"{rng.randint(0, 999):03d}"
    return rng.choice(
        (
            f"555-{four}",
            f"0{rng.randint(10, 99)} {three} {four}",
            f"+{rng.randint(1, 99)} {three}-{four}",
            f"{three}{four}",
        )
    )


def _address(rng: random.Random, split: Split) -> str:
    street = rng.choice(POOLS[split].streets)
    number = rng.randint(1, 399)
    return rng.choice((f"{number} {street}", f"{number}{rng.choice('abc')} {street}", f"{street} {number}"))


def _way(rng: random.Random, split: Split) -> dict[str, Json]:
    lines = ("Tram", "Bus", "Metro", "Night Bus", "Ferry", "Line", "Train")
    number = rng.choice((str(rng.randint(1, 99)), rng.choice("ABCDKNSX"), f"{rng.choice('MNSU')}{rng.randint(1, 9)}"))
    pool: Pool = POOLS[split]
    stop = rng.choice((*pool.streets, *pool.areas, f"{rng.choice(pool.nouns)} Square"))
    return {"line": f"{rng.choice(lines)} {number}", "stop": stop}


def _price(rng: random.Random) -> int:
    return 0 if rng.random() < 0.12 else rng.choice((rng.randint(1, 99), rng.randint(100, 999)))


def _features(rng: random.Random, split: Split) -> list[Json]:
    if rng.random() < 0.12:
        return []
    return list(rng.sample(_FEATURES[split], rng.choice((1, 2, 2, 3, 4))))


def _hours(rng: random.Random, split: Split) -> Hours:
    form = rng.random()
    if form < 0.04:
        return {}
    if form < 0.16:
        return {day: ["00:00", "24:00"] for day in some_days(rng)}
    hours = dict.fromkeys(some_days(rng), open_span(rng))
    if form < 0.4:
        hours |= dict.fromkeys(rng.sample(DAYS, rng.choice((1, 2))), open_span(rng))
    return {day: hours[day] for day in DAYS if day in hours}


def some_days(rng: random.Random) -> list[str]:
    """A run of days, which may wrap round the week's end, or a few single ones."""
    if rng.random() < 0.2:
        return rng.sample(DAYS, rng.choice((1, 2, 3)))
    first, count = rng.randrange(7), rng.choice((3, 4, 5, 6, 7, 7))
    return [DAYS[(first + step) % 7] for step in range(count)]


def open_span(rng: random.Random) -> list[str]:
    opens = f"{rng.randint(5, 17):02d}:{rng.choice(('00', '00', '30', '15', '45'))}"
    closes = f"{rng.randint(18, 23):02d}:{rng.choice(('00', '00', '30', '15', '45'))}"
    return [opens, "24:00" if rng.random() < 0.06 else closes]


_CHANGES: Mapping[str, Callable[[random.Random, Split], Json]] = {
    "name": _name,
    "phone": _phone,
    "address": _address,
    "hours": _hours,
    "features": _features,
}
