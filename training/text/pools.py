"""The words that random catalogues are made of. The splits share no name word, syllable, area or street."""

from collections.abc import Mapping
from dataclasses import dataclass

from training.text.example import Split


@dataclass(frozen=True, slots=True)
class Pool:
    """firsts: adjectives; others: nouns that follow "and"; syllables make up words"""

    firsts: tuple[str, ...]
    nouns: tuple[str, ...]
    others: tuple[str, ...]
    syllables: tuple[str, ...]
    people: tuple[str, ...]
    areas: tuple[str, ...]
    streets: tuple[str, ...]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_TRAIN = Pool(
    firsts=_words(
        "Blue Copper Silver Old Quiet Red Golden White Crooked Salty Amber Iron Wild Rusty Velvet Hidden Bright Royal"
        " Lazy Black Crystal Lucky Marble Secret Twin Misty Proud Polar Painted Wandering Humble Jade Paper Thirsty"
        " Winter Summer Midnight Whistling Patient Speckled"
    ),
    nouns=_words(
        "Lantern Fork Anchor Olive Swan Kettle Barn Whale Spoon Pepper Fox Harp Maple Otter Dragon Sparrow Oven"
        " Wagon Cellar Badger Compass Drum Tiger Fig Goose Ladder Crown Moon Bell Bear Island Thistle Heron Plum"
        " Beacon Clover Barrel Ember Finch Ivy Juniper Magpie Nettle Poppy Quill Saffron Tulip Willow"
    ),
    others=_words("Salt Smoke Vine Honey Thyme Stone Crumb Bone Butter Rye Reed Clay"),
    syllables=_words("va rne lo tis kam bor mi dra sel on pe qui zan fe rul ba ve ska lin tor"),
    people=_words(
        "Anna Peter Maria Lucas Emma Clara Hugo Nina Oscar Sara Ivan Laura Felix Marta Julia Simon Eva Rosa Irene"
        " Paul Vera Leo Olga Helen Marco Alice Viktor Teresa Bruno Agnes"
    ),
    areas=_listed(
        "Harbour Point, Old Town, Castle Hill, Waterside, Market Square, North Gate, Mill Quarter, Station District,"
        " Lakeside, University Quarter, Garden Row, West End, Fisher Wharf, Cathedral Close, Pine Heights, Canal Side,"
        " Brickfields, Opera Quarter, Southbank, Elm Park, Glass Docks, Sandy Bay, Upper Town, Rope Island,"
        " Queensgate, Little Haven, Potters Field, Orchard Bank, Cooper's Cross, Stonebridge, Saint Agnes, Vineyards"
    ),
    streets=_listed(
        "Mill Street, Harbour Road, Castle Lane, Church Street, Station Road, Garden Avenue, Bridge Street,"
        " King Street, Lime Avenue, Queen Road, Park Lane, Potter Row, Sailmaker Steps, Nightingale Path, Long Acre,"
        " Tanner Alley, Plover Walk, Granary Court, Vesper Street, Cobble Hill, Meadow Rise, Fountain Square"
    ),
)
_HELD_OUT = Pool(
    firsts=_words(
        "Orange Laughing Wooden Purple Brave Gentle Frosty Dancing Scarlet Noble Dusty Emerald Sleepy Clever Southern"
        " Tangled Ivory Roaming Stormy Tidy"
    ),
    nouns=_words(
        "Pelican Teapot Candle Walnut Falcon Cabbage Mirror Turtle Violin Basket Hammer Lemon Raven Fountain Acorn"
        " Lynx Marigold Pigeon Saddle Trumpet"
    ),
    others=_words("Sage Flint Malt Cream Barley Ash"),
    syllables=_words("gal pho ni ster wu cre da hul ta mos"),
    people=_words("Greta Walter Bianca Theo Monika Edgar Lena Rafael Sofia Arthur Katrin Dominik"),
    areas=_listed(
        "Saddle Yard, Birch Hollow, Clock Tower, Merchant Row, East Pier, Windmill Green, Bishop Quay, Tram Depot,"
        " Curlew Marsh, Lower Bastion, Chandler's Reach, Twelve Arches"
    ),
    streets=_listed(
        "Chapel Street, Weaver Lane, Gable Road, Tower Avenue, Ferry Road, Cutler Row, Larkspur Way, Pump Court,"
        " Gallows Hill, Mercer Steps, Quarry Lane, Hazel Path"
    ),
)
POOLS: Mapping[Split, Pool] = {Split.TRAIN: _TRAIN, Split.HELD_OUT: _HELD_OUT}


@dataclass(frozen=True, slots=True)
class Shared:
    """Words that both splits have, and those that only one has."""

    both: tuple[str, ...]
    train: tuple[str, ...]
    held_out: tuple[str, ...]

    def of(self, split: Split) -> tuple[str, ...]:
        return self.both + (self.train if split is Split.TRAIN else self.held_out)


def _shared(both: str, train: str, held_out: str) -> Shared:
    return Shared(_listed(both), _listed(train), _listed(held_out))


KINDS: Mapping[str, Shared] = {
    "restaurant": _shared(
        "Italian, French, Chinese, Indian, Japanese, Mexican, seafood, vegetarian, grill, cafe",
        "Thai, Greek, Turkish, Spanish, Portuguese, bistro",
        "Korean, Vietnamese, Lebanese, Ethiopian",
    ),
    "hotel": _shared(
        "boutique hotel, grand hotel, hostel, inn, lodge", "guesthouse, design hotel", "pension, aparthotel"
    ),
    "event": _shared(
        "cinema, comedy, concert, festival, market, theatre, tour", "opera, puppet show, poetry night", "ballet, circus"
    ),
    "museum": _shared(
        "art museum, history museum, science museum, maritime museum, toy museum, craft museum",
        "railway museum, glass museum, city museum",
        "clock museum, music museum",
    ),
    "ride": _shared(
        "bike hire, ferry, taxi, scooter hire, kayak hire, rickshaw, carriage, funicular, water taxi",
        "minibus, pedal boat",
        "cable car, night bus",
    ),
    "spa": _shared(
        "massage spa, thermal pool, yoga studio, steam baths, float spa", "salt cave, hammam", "sauna house, mud baths"
    ),
}
FEATURES: Mapping[str, Shared] = {
    "restaurant": _shared(
        "outdoor seating, wine list, wheelchair access, live music, vegan menu, takeaway, kids menu, parking, wifi",
        "roof terrace, gluten-free menu, fireplace",
        "sea view, tasting menu",
    ),
    "hotel": _shared(
        "pool, breakfast, wheelchair access, wifi, gym, parking, pets welcome, spa, shared kitchen, kids club",
        "lift, airport shuttle, air conditioning",
        "balcony, laundry",
    ),
    "event": _shared(
        "live music, outdoor seating, bar, wheelchair access, kids friendly, pets welcome", "cloakroom", "subtitles"
    ),
    "museum": _shared(
        "audio guide, cafe, wheelchair access, gift shop, guided tours, kids friendly, workshops, parking",
        "lockers, reading room",
        "sculpture garden",
    ),
    "ride": _shared(
        "helmets, kids friendly, child seats, luggage space, guided tours, wheelchair access, pets welcome",
        "card payment, rain cover",
        "phone charging",
    ),
    "spa": _shared(
        "sauna, showers, towels included, mats included, couples room, outdoor pool, parking, cafe, wheelchair access",
        "ice bath, quiet room",
        "aroma therapy",
    ),
}
HOURS: Mapping[str, tuple[str, ...]] = {
    "restaurant": (
        "tue-sun 12:00-22:00",
        "wed-sun 18:00-23:00",
        "daily 11:00-21:00",
        "daily 17:00-23:30",
        "mon-sat 07:30-18:00",
        "mon-fri 12:00-22:00, sat-sun 10:00-24:00",
        "wed-mon 18:00-22:30",
    ),
    "hotel": ("daily 00:00-24:00", "daily 07:00-23:00", "daily 06:00-24:00"),
    "event": (
        "fri-sun 19:30-22:00",
        "thu-sat 20:00-23:00",
        "sat-sun 10:00-16:00",
        "wed-sat 20:30-22:30",
        "sun 15:00-18:30",
        "daily 21:00-23:00",
    ),
    "museum": ("tue-sun 10:00-18:00", "daily 09:00-17:00", "wed-mon 11:00-19:00", "tue-sat 10:00-16:30"),
    "ride": ("daily 00:00-24:00", "daily 06:00-23:00", "tue-sun 09:00-18:00", "daily 08:30-20:00"),
    "spa": ("daily 09:00-21:00", "tue-sun 10:00-20:00", "daily 07:00-19:00", "mon-sat 10:00-22:00, sun 12:00-18:00"),
}
# From, up to, and step of prices in dollars; the bands of apps.concierge.catalogue.PRICE_BOUNDS all occur.
PRICES: Mapping[str, tuple[int, int, int]] = {
    "restaurant": (9, 81, 1),
    "hotel": (32, 260, 1),
    "event": (5, 60, 1),
    "museum": (3, 20, 1),
    "ride": (3, 45, 1),
    "spa": (9, 99, 1),
}
