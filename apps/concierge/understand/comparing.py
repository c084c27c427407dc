"""Comparisons: which of several places costs less, is rated higher, has more room; and the one that does."""

from collections.abc import Mapping, Sequence

from apps.concierge.understand.clean import plain, says, whole
from apps.concierge.understand.gazetteer import Gazetteer, Known
from apps.concierge.understand.names import named
from apps.serving.names import Json

MOST = 3
CHEAP = r"cheaper|cheapest|less expensive|least expensive|less pricey|lower priced?|costs? less|more affordable"
DEAR = r"more expensive|most expensive|pricier|priciest|dearer|dearest|costs? more"
_RATED = (
    r"better(?: rated)?|best(?: rated)?|nicer|nicest|top rated|(?:more|most) popular|(?:higher|highest) rated"
    r"|worse|worst"
)
# What a comparison is about -> the aspect that tells it, and the order in which places are told.
_ABOUT = (
    ("price", "price", CHEAP),
    ("price", "-price", DEAR),
    ("capacity", "-capacity", r"bigger|biggest|larger|largest|more room|most room|more space|most space"),
    ("capacity", "capacity", r"smaller|smallest|cosier|cosiest"),
    ("hours", "", r"(?:opens?|closes?|shuts?|open|ends?|starts?) (?:earlier|later|longe(?:r|st)|latest|earliest|first"
     r"|last)"),
    ("address", "", r"closer|closest|nearer|nearest"),
    ("rating", "-rating", _RATED),
    ("overview", "", r"compare|comparison|differences?|differ|versus|vs"),
)  # fmt: skip
_SHOWN = (
    r"which (?:one|ones|of (?:them|those|these|the (?:two|three|2|3))|is|has|costs?|opens?|closes?)|of (?:them|those"
    r"|these|the (?:two|three))|(?:between|compare) (?:them|those|these|the (?:two|three))|compare both"
)
_ONE = r"(?:one|place|option|of (?:them|those|these|the (?:two|three)))"
_CHOSEN = ((f"the (?:{CHEAP}) {_ONE}", "price"), (f"the (?:{DEAR}) {_ONE}", "-price"),
           (f"the (?:{_RATED}) (?:rated )?{_ONE}", "-rating"), (rf"the free {_ONE}", "free"))  # fmt: skip


def compares(text: str) -> str:
    """The aspect that a comparison in `text` (plain, names masked) is about; "" when it is none."""
    return next((aspect for aspect, _, words in _ABOUT if says(text, words)), "")


def order_of(text: str) -> str:
    """The key by which the compared are told, "-" for the most first; "" as they stand."""
    return next((order for _, order, words in _ABOUT if says(text, words)), "")


def points_at_shown(text: str) -> bool:
    """Whether those shown before are compared: "which of them", "between the two"."""
    return says(text, _SHOWN)


def all_named(text: str, names: Gazetteer, talked_of: Sequence[str]) -> list[Known]:
    """The places that `text` (plain) surely names, at most MOST; those named in full in the order said."""
    found: list[Known] = []
    said = text
    for _ in range(MOST):
        one = named(text, names, talked_of)
        if not one.sure:
            break
        found += [place for place in one.places if place not in found]
        text = one.text.replace("_place_", " ")
    return sorted(found, key=lambda place: said.find(plain(place.name).removeprefix("the ").split()[0]))


def chosen_shown(text: str, shown: Sequence[Mapping[str, Json]]) -> str:
    """The slug of the one shown that "the cheaper one" and the like mean; "" when that is not known."""
    key = next((key for words, key in _CHOSEN if whole(words).search(text)), "")
    by = key.removeprefix("-") if key != "free" else "price"
    if not key or len(shown) < 2 or any(by not in place for place in shown):
        return ""
    if key == "free":
        free = [str(place["slug"]) for place in shown if place["price"] == 0]
        return free[0] if len(free) == 1 else ""
    pick = max if key.startswith("-") else min
    return str(pick(shown, key=lambda place: float(str(place[by])))["slug"])
