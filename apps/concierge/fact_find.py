"""Facts about a search: how many fit, which are shown, and what had to be given up."""

from collections.abc import Mapping, Sequence

from apps.concierge.catalogue import SERVICES, Service
from apps.concierge.fact_place import ASPECTS
from apps.concierge.fact_types import Fact, fact
from apps.concierge.hours import DAY_NAMES
from apps.concierge.requests import Request
from apps.concierge.wording import clock, joined, kind_noun
from apps.serving.names import Json


def find_facts(asked: Request, found: Mapping[str, Json]) -> Sequence[Fact]:
    places, service = found["places"], str(asked["service"])
    what = wish_words(asked, ())
    if not places:
        return [fact("none found", f"Sorry, there are no {what}.", what, service=service)]
    names = [str(place["name"]) for place in places]
    if found["given_up"]:
        none = fact("none exactly", f"There are no {what}.", what, service=service)
        return [none, _instead(service, wish_words(asked, found["given_up"]), names)]
    if len(names) == 1:
        return [_single(places[0]), *([ASPECTS["price"](asked, places[0])] if "order" in asked else [])]
    if len(names) < found["total"]:
        return [fact("best of many", f"The best {what} are {joined(names)}.", what, *names, service=service)]
    return [fact("all found", f"The {what} are {joined(names)}.", what, *names, service=service)]


def _instead(service: str, what: str, names: Sequence[str]) -> Fact:
    if len(names) == 1:
        return fact("one instead", f"You could try {names[0]}.", names[0], service=service)
    return fact("some instead", f"Good {what} are {joined(names)}.", what, *names, service=service)


def _single(place: Mapping[str, Json]) -> Fact:
    name, area, noun = str(place["name"]), str(place["area"]), kind_noun(place)
    text = f"{name} in {area} is a good {noun}."
    return fact("only one", text, name, area, noun, name=name, service=place["service"])


def wish_words(asked: Request, without: Sequence[Json]) -> str:
    """ "cheap vegetarian restaurants in Riverside with parking open on Sunday", less the wishes given up"""
    wished = {key: value for key, value in asked.items() if key not in without}
    service = SERVICES[str(asked["service"])]
    words = [str(wished["price"])] if "price" in wished else []
    words += [_many_of(service, str(wished["kind"])) if "kind" in wished else service.many]
    words += [f"in {wished['area']}"] if "area" in wished else []
    words += [f"with {wished['feature']}"] if "feature" in wished else []
    if "day" in wished:
        at = f" at {clock(str(wished['time']))}" if "time" in wished else ""
        words += [f"open on {DAY_NAMES[str(wished['day'])]}{at}"]
    return " ".join(words)


def _many_of(service: Service, kind: str) -> str:
    """ "Italian restaurants", "cafes", "boutique hotels", "taxi rides" """
    if kind == "cafe" or kind.endswith(service.one):
        return f"{kind}s"
    return f"{kind} {service.many}"
