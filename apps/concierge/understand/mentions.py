"""What of the catalogue a message mentions: places, services, areas, kinds, features, price."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from apps.concierge.catalogue import AREAS
from apps.concierge.understand.clean import plain
from apps.concierge.understand.gazetteer import Gazetteer, Known

SERVICE_WORDS = {
    "restaurant": "restaurants? eat eating food dinner lunch dine dining cuisine cafes? coffee hungry meal breakfast",
    "hotel": "hotels? hostels? inns? stay sleep accommodation lodging overnight rooms?",
    "event": "events? concerts? shows gigs? theatre theater comedy festivals? music happening",
    "museum": "museums? galler(?:y|ies) exhibitions? exhibits? art history",
    "ride": "rides? taxis? cabs? ferry ferries bikes? kayaks? scooters? transport boats? rickshaws?",
    "spa": "spas? massages? sauna yoga baths? wellness relax",
}
# Words that name a service only when nothing clearer does.
WEAK_WORDS = {"breakfast", "music", "art", "history", "stay", "rooms?", "sauna", "coffee"}
KIND_SYNONYMS = {"pizza": "italian", "pasta": "italian", "sushi": "japanese", "tacos": "mexican", "curry": "indian",
                 "noodles": "chinese", "fish": "seafood", "steak": "grill", "vegan": "vegetarian", "cafes": "cafe",
                 "coffee": "cafe", "jazz": "concert", "concerts": "concert", "movie": "cinema", "film": "cinema",
                 "play": "theatre", "stand-up": "comedy", "massages": "massage spa", "massage": "massage spa",
                 "hostels": "hostel", "taxis": "taxi", "cab": "taxi", "bike": "bike hire", "bikes": "bike hire",
                 "kayak": "kayak hire", "scooter": "scooter hire", "boat": "ferry", "yoga": "yoga studio",
                 "art": "art museum", "science": "science museum", "history": "history museum"}  # fmt: skip
FEATURE_SYNONYMS = {"outside": "outdoor seating", "outdoors": "outdoor seating", "terrace": "outdoor seating",
                    "wi-fi": "wifi", "internet": "wifi", "dogs": "pets welcome", "dog": "pets welcome",
                    "pets": "pets welcome", "pet": "pets welcome", "wheelchair": "wheelchair access",
                    "accessible": "wheelchair access", "kids": "kids friendly", "children": "kids friendly",
                    "park the car": "parking", "car park": "parking", "swimming pool": "pool", "wine": "wine list",
                    "takeout": "takeaway", "take away": "takeaway", "tour guide": "guided tours",
                    "towels": "towels included", "mats": "mats included", "luggage": "luggage space"}  # fmt: skip
PRICES = {"cheap": "cheap cheaper inexpensive budget affordable", "expensive": "expensive fancy luxury posh upscale",
          "moderate": "moderate mid-range"}  # fmt: skip
AREA_WORDS = {"Old Harbour": "harbour|harbor|port", "Lantern Quarter": "lantern quarter|quarter",
              "Hillgate": "hillgate", "Riverside": "riverside|river side|by the river", "Glass Market": "glass market",
              "North Gardens": "gardens|north gardens"}  # fmt: skip
SURE, LIKELY = 90.0, 76.0


@dataclass(frozen=True, slots=True)
class Mentions:
    """places: best first, with `sure` only when one is clear; others "" or () when not said"""

    places: tuple[Known, ...]
    sure: bool
    services: tuple[str, ...]
    area: str
    kind: str
    feature: str
    price: str


def mentions(text: str, names: Gazetteer) -> Mentions:
    """`text` is plain."""
    places, sure = _places(text, names)
    # Words inside a name say nothing else: "Museum of Tides" is no wish for museums.
    rest = _without(text, places[0]) if sure and places else text
    kind, kind_service = _kind(rest, names)
    services = _services(rest, kind_service)
    feature = _feature(rest, names)
    area = next((area for area, words in AREA_WORDS.items() if _has(rest, words)), "")
    price = next((band for band, words in PRICES.items() if _has(rest, words.replace(" ", "|"))), "")
    return Mentions(places, sure, services, area or _area_named(rest), kind, feature, price)


def _has(text: str, pattern: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", text) is not None


def _area_named(text: str) -> str:
    return next((area for area in AREAS if area.lower() in text), "")


def _places(text: str, names: Gazetteer) -> tuple[tuple[Known, ...], bool]:
    exact = [known for known in names.places if _has(text, re.escape(_bare(known.name)))]
    if exact:
        return tuple(sorted(exact, key=lambda known: -len(known.name))), True
    scored = sorted(((_score(text, known), known) for known in names.places), key=lambda s: (-s[0], s[1].name))
    close = [(score, known) for score, known in scored if score >= LIKELY][:2]
    sure = bool(close) and close[0][0] >= SURE and (len(close) == 1 or close[0][0] - close[1][0] >= 4)
    return tuple(known for _, known in close), sure


def _bare(name: str) -> str:
    return plain(name).removeprefix("the ")


def _score(text: str, known: Known) -> float:
    """Likeness, 0 to 100, of the name and the closest run of as many words in the text."""
    name, words = _bare(known.name), text.split()
    size = len(name.split())
    runs = [" ".join(words[i : i + size]) for i in range(max(1, len(words) - size + 1))]
    return max((fuzz.ratio(name, run) for run in runs), default=0.0)


def _without(text: str, known: Known) -> str:
    return re.sub(rf"\b{re.escape(_bare(known.name))}\b", " ", text)


def _kind(text: str, names: Gazetteer) -> tuple[str, str]:
    kinds = names.kinds()
    for word, kind in KIND_SYNONYMS.items():
        if _has(text, re.escape(word)) and kind in kinds:
            return kinds[kind]
    for kind, found in kinds.items():
        if _has(text, re.escape(kind) + "s?"):
            return found
    return "", ""


def _services(text: str, kind_service: str) -> tuple[str, ...]:
    strong, weak = [], []
    for service, words in SERVICE_WORDS.items():
        hits = {word for word in words.split() if _has(text, word)}
        if hits - WEAK_WORDS:
            strong.append(service)
        elif hits:
            weak.append(service)
    if kind_service:
        return (kind_service,)
    return tuple(strong or weak)


def _feature(text: str, names: Gazetteer) -> str:
    known = sorted(names.features, key=lambda f: (-len(f), f))
    exact = next((feature for feature in known if _has(text, re.escape(feature))), "")
    synonyms: Mapping[str, str] = FEATURE_SYNONYMS
    return exact or next((f for word, f in synonyms.items() if _has(text, word) and f in names.features), "")
