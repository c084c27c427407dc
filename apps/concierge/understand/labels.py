"""What a message can want, as the model says it: one label of a constant list."""

SERVICES_FOUND = ("restaurant", "hotel", "event", "museum", "ride", "spa")
ASPECTS_ASKED = (
    "hours",
    "price",
    "address",
    "directions",
    "phone",
    "rating",
    "capacity",
    "features",
    "feature",
    "overview",
)
FIND = tuple(f"find {service}" for service in SERVICES_FOUND)
ASK = tuple(f"ask {aspect}" for aspect in ASPECTS_ASKED)
# "find" alone: some place, the service not said. "others": like the last ones, but other places.
LABELS = (
    *FIND,
    "find",
    "others",
    *ASK,
    "book",
    "change",
    "cancel",
    "bookings",
    "yes",
    "no",
    "else",
    "hello",
    "thanks",
    "bye",
    "menu",
    "outside",
    "unclear",
)
"""Their order is that of the schema's enum: a change of it is a change of every understand prompt's name."""
