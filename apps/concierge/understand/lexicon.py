"""Words that guests use for what the catalogue calls otherwise. Patterns match whole words of plain text."""

from collections.abc import Mapping

from apps.concierge.understand.clean import words_of

# Words that name a service whatever else is said.
SERVICE_WORDS: Mapping[str, str] = {
    "restaurant": r"rest[aeo]?u?ra?u?nts?|resturaunts?|eat|eating|food|(?<!after )(?<!before )dinner(?! time)|diner|"
    r"(?<!after )(?<!before )lunch(?! time)|dine|dining|cuisine|cafes?|"
    r"hungry|starving|meals?|supper|brunch|bite|eatery|eateries|grub|bistros?",
    "hotel": r"hotell?s?|hostels?|inns?|accommodations?|accomodation|lodging|lodges?|overnight|guesthouses?|"
    r"bed for the night|(?:place|somewhere) to (?:stay|sleep|crash)|(?:stay|sleep) (?:for )?the night",
    "event": r""
    r"events?|concerts?|shows|gigs?|theatre|theater|comedy|festivals?|entertainment|nightlife|going on|happening|"
    r"what(?:'s| is|s) on(?! (?:offer|the menu|it|there))|"
    r"performances?|(?:things?|something|anything|what can (?:we|i)) (?:to )?do (?:with|for|on|in|this|today|tonight"
    r"|tomorrow)",
    "museum": r"museums?|musuems?|galler(?:y|ies)|exhibitions?|exhibits?",
    "ride": r""
    r"rides?|taxis?|cabs?|ferry|ferries|bikes?|kayaks?|scooters?|transport|boats?|rickshaws?|carriages?|cycling|"
    r"getting around",
    "spa": r"spas?|massages?|yoga|steam baths?|wellness|relaxing treatment|pamper(?:ing|ed)?|hammam",
}
# Words that name a service only when nothing clearer does.
WEAK_SERVICE_WORDS: Mapping[str, str] = {
    "restaurant": r"breakfast|coffee|drinks?|eats|table",
    "hotel": r"stay|staying|sleep|rooms?|bed|nights",
    "event": r"(?<!with )(?<!with some )music|show(?! me| us)|play|film|movie|fun|tickets?",
    "museum": r"art|history|paintings?|culture",
    "ride": r"bus|drive|driver|cycle|rent",
    "spa": r"sauna|baths?|relax|relaxing|unwind|treatment",
}
# Synonym -> kind in lower case; used only where the catalogue has the kind.
KIND_SYNONYMS: Mapping[str, str] = {
    r"pizzas?|pasta|pizzeria|risotto|spaghetti|lasagn[ae]|gnocchi|ravioli": "italian",
    r"sushi|ramen|sashimi|udon|tempura|bento": "japanese",
    r"tacos?|burritos?|fajitas?|quesadillas?|enchiladas?|nachos": "mexican",
    r"curry|curries|tandoori|naan|biryani|samosas?|dal": "indian",
    r"noodles?|dumplings?|dim sum|wok|peking duck": "chinese",
    r"fish|oysters?|lobsters?|shrimps?|prawns?|crabs?|mussels|clams?|shellfish": "seafood",
    r"steak ?house|steaks?|barbecue|bbq|ribs|burgers?|grilled|meat(?![- ]?(?:free|less))": "grill",
    r"vegans?|veggies?|plant[- ]based|vegetarians|meat[- ]?(?:free|less)|no meat|tofu": "vegetarian",
    r"coffee|espresso|cappuccino|latte|cakes?|pastry|pastries|croissants?|tea": "cafe",
    r"paella|tapas": "spanish",
    r"kebabs?|doner": "turkish",
    r"gyros|souvlaki|moussaka": "greek",
    r"pad thai": "thai",
    r"bibimbap|kimchi": "korean",
    r"pho|banh mi": "vietnamese",
    r"falafel|hummus|mezze": "lebanese",
    r"jazz|gigs?|live band|orchestra|symphony|classical music|recital|choir": "concert",
    r"movies?|films?": "cinema",
    r"(?:an?|the|any|see) play|plays|theater|drama|musicals?|opera|ballet|puppets?": "theatre",
    r"stand[- ]?up|comedians?|laughs?|laugh": "comedy",
    r"guided walk|walking tours?|sightseeing|guided tours?|city tours?": "tour",
    r"massages?": "massage spa",
    r"steam bath|steam room": "steam baths",
    r"hot springs?|thermal baths?|thermal waters?": "thermal pool",
    r"float(?:ing)? tank|floating": "float spa",
    r"yoga": "yoga studio",
    r"cabs?": "taxi",
    r"bikes?|bicycles?": "bike hire",
    r"kayaks?": "kayak hire",
    r"scooters?|moped": "scooter hire",
    r"boats?": "ferry",
    r"horse|carriages?": "carriage",
    r"art (?:galler|exhibi)\w+|paintings?|sculptures?|modern art|fine arts?": "art museum",
    r"planets?|astronomy|telescopes?|science": "science museum",
    r"plants|flowers|botany": "botanical museum",
    r"toys|dolls|teddy bears": "toy museum",
    r"trains|locomotives": "railway museum",
    r"backpackers?": "hostel",
    r"cable car": "funicular",
    r"canoes?": "kayak hire",
    r"tuk[- ]?tuks?": "rickshaw",
    r"scientific museums?|science exhibi\w+": "science museum",
    r"historical museums?|history exhibi\w+": "history museum",
    r"ships? museums?": "maritime museum",
    r"toys museums?": "toy museum",
    r"train museums?": "railway museum",
    r"crafts museums?": "craft museum",
}
# Synonym -> feature; used only where the catalogue has the feature.
FEATURE_SYNONYMS: Mapping[str, str] = {
    r"outside|outdoors?|patio|al fresco|open air|in the (?:sun|open)|terrace|sit out|rooftop": "outdoor seating",
    r"wi-fi|wi fi|internet|wlan|wireless|get online": "wifi",
    r"dogs?|pets?|puppy|cats?|pet friendly|dog friendly": "pets welcome",
    r"wheelchairs?|accessible|step[- ]free|ramp|disabled|barrier[- ]free": "wheelchair access",
    r"kids? menu|children's menu|menu for (?:kids|children)": "kids menu",
    r"kids?|children|child friendly|family friendly|toddlers?|families": "kids friendly",
    r"(?:park|leave) (?:the|my|our|a) car|car park|parking (?:lot|space|spot)|park|garage": "parking",
    r"swimming(?: pool)?|swim": "pool",
    r"wines?|good wine": "wine list",
    r"take ?out|take ?away|take (?:it|something) (?:away|home)|carry ?out": "takeaway",
    r"tour guide|guided(?: tour)?|guide": "guided tours",
    r"audio ?guides?|headphones": "audio guide",
    r"towels?": "towels included",
    r"(?:yoga )?mats?": "mats included",
    r"luggage|suitcases?|bags|baggage": "luggage space",
    r"fitness(?: room| centre| center)?|work(?:ing)? ?out|treadmill": "gym",
    r"souvenirs?|(?:gift )?shop": "gift shop",
    r"band|bands|live bands?|(?:with|have|has) (?:some |good )?music|musicians": "live music",
    r"vegan(?: options?| food| dishes)?": "vegan menu",
    r"gluten[- ]free": "gluten-free menu",
    r"(?:child|baby|car|booster) seats?|seats? for (?:a |the )?(?:child|kid|baby|toddler)": "child seats",
    r"helmet": "helmets",
    r"shower": "showers",
    r"kitchen|self[- ]catering": "shared kitchen",
    r"elevator": "lift",
    r"a ?c|air con(?:ditioning)?|aircon": "air conditioning",
    r"breakfasts?": "breakfast",
    r"wardrobe|coats?": "cloakroom",
    r"drinks?|cocktails?": "bar",
    r"card|pay by card|credit cards?": "card payment",
    r"couples": "couples room",
    r"workshop": "workshops",
    r"locker": "lockers",
}
_DEAR = r"(?:expensive|pricey|dear|costly|fancy|posh|upscale|luxurious|high[- ]end)"
PRICES: Mapping[str, str] = {
    "free": r"(?:anything|something|somewhere|things?|stuff|do|go|see|visit|is|are)(?: that's| that is)? (?:for )?free"
    r"(?! (?:on|at|to|this|tomorrow|tonight|today))|for free|free (?:of charge|entry|admission|things?|stuff|events?"
    r"|shows?|concerts?|museums?|galler(?:y|ies)|exhibitions?|activit(?:y|ies)|rides?)|costs? nothing|without paying",
    "cheap": r""
    r"(?<!not )(?<!nothing )(?<!not too )(?<!too )cheap|cheaper|cheapest|inexpensive|budget|affordable|low[- ]cost|"
    rf"(?:not|nothing|too|less|isn't|isnt)(?: that is)?(?: (?:too|that|so|very|as|all that))? {_DEAR}|"
    r"too much money|costs? too much|cheapish|bargain|won't break the bank|tight budget|low price[ds]?",
    "expensive": r"(?<!how )expensive|(?<!i )(?<!we )(?<!you )fancy(?! a | some)|luxury|luxurious|posh|upscale"
    r"|high[- ]end|classy|fine dining|splurge|money(?: is|'s)? no object|money (?:doesn't|does not) matter",
    "moderate": r"moderate(?:ly priced)?|mid[- ]range|mid[- ]priced|reasonabl[ey](?: priced)?|medium priced?",
}
# "under 40": the number is of money unless people, minutes or the like follow.
MOST_PRICE = (
    r"(?<!kids )(?<!children )(?<!anyone )(?<!people )"
    r"(?:under|below|less than|cheaper than|no more than|not more than|not over|(?<!for )(?:at most|maximum|max))"
    r"(?: of)? \$?(\d{2,4})(?![\d:.])(?! ?(?:people|persons?|ppl|guests?|of us|years?|minutes?|mins?|hours?|stars?"
    r"|nights?|days?|km|am|pm)\b)"
)
# What is near water, in the words of guests -> in the names of areas.
PLACES_BY: tuple[tuple[str, str], ...] = (
    (r"harbou?r|port|docks?|wharf|seaside|sea|marina|ships", r"harbou?r|port|docks?|wharf|quay|pier|bay"),
    (r"rivers?|river ?side|riverbank", r"river\w*|waterside"),
    (r"lakes?|lakeside", r"lake\w*"),
    (r"canals?", r"canal"),
    (r"water|waterfront|waterside", r"harbou?r|river\w*|water\w*|lake\w*|canal|quay|pier|bay|docks?|wharf"),
    (r"hills?|up the hill|a view", r"hill\w*|heights"),
    (r"gardens?|parks?|greenery|green", r"gardens?|park|green"),
    (r"markets?", r"market"),
    (r"universit(?:y|ies)|campus", r"university"),
    (r"cathedral|church", r"cathedral"),
    (r"castle", r"castle"),
    (r"opera(?: house)?", r"opera"),
    (r"stations?", r"station"),
)
# What may stand beside recognised words without changing what is wanted.
FILLERS = words_of(
    "a an the some any of in on at to for with near nearby around by close please pls plz me us i we i'd we'd i'm"
    " we're my our"
    " would want need looking look find show get give can could you that's is are there and or somewhere"
    " someplace place"
    " places something one ones hi hello hey so ok okay um well then just really nice good great decent lovely serve"
    " serves"
    " serving which what where has have having do does did it its it's they their them this these that thats here"
    " area"
    " part city town know tell about let lets let's go going grab recommend recommendation suggest search us list all"
    " bring take stay sleep eat spot be people were be ill i'll we'll only also too open opening oh wanna gonna"
    " gimme more"
)
