"""What the model is to say of one fact: one sentence for each kind of fact and service, never a matter of chance.

A sentence names the fact's values by number; {list} is every value from the first unnamed one on, {an} the article of
the second value.
"""

from collections.abc import Mapping

from apps.concierge.catalogue import SERVICES
from apps.concierge.fact_types import Fact
from apps.concierge.wording import article, joined
from training.text.phrases_place import PLACE_PHRASES

_BY_SERVICE: dict[str, tuple[str, ...]] = PLACE_PHRASES | {
    # In the order of SERVICES: restaurant, hotel, event, museum, ride, spa.
    "best of many": (
        "For {0}, I would suggest {list}.",
        "My picks among the {0} are {list}.",
        "The best {0} are {list}.",
        "Among the {0}, the best are {list}.",
        "The best rated {0} are {list}.",
        "My favourite {0} are {list}.",
    ),
    "all found": (
        "The {0} are {list}.",
        "We have these {0}: {list}.",
        "I found these {0}: {list}.",
        "You can choose among these {0}: {list}.",
        "These {0} would suit you: {list}.",
        "The {0} here are {list}.",
    ),
    "only one": (
        "{0} in {1} is a good {2}.",
        "I would suggest {0} in {1}, a good {2}.",
        "You could try {0} in {1}, a good {2}.",
        "{0} in {1} is a fine {2}.",
        "I recommend {0} in {1}, a good {2}.",
        "I would suggest {0} in {1}, a fine {2}.",
    ),
    "none found": (
        "Sorry, there are no {0}.",
        "Sorry, I found no {0}.",
        "I am sorry, there are no {0}.",
        "Sorry, I know of no {0}.",
        "Sorry, I found no {0}.",
        "I am afraid there are no {0}.",
    ),
    "none exactly": (
        "I found no {0}.",
        "There are no {0}.",
        "I could not find any {0}.",
        "I know of no {0}.",
        "Sadly, there are no {0}.",
        "We have no {0}.",
    ),
    "some instead": (
        "Good {0} are {list}.",
        "You might like these {0}: {list}.",
        "Instead, you could try these {0}: {list}.",
        "I can suggest these {0}: {list}.",
        "You could take these {0}: {list}.",
        "Other good {0} are {list}.",
    ),
    "one instead": (
        "You could try {0}.",
        "You might like {0}.",
        "You could go to {0}.",
        "You could visit {0} instead.",
        "You could take {0} instead.",
        "I can suggest {0} instead.",
    ),
    "to book": (
        "So that is a table at {0} for {1} on {2} at {3}.",
        "I will book a room at {0} for {1} on {2} at {3}.",
        "I will get you tickets to {0} for {1} on {2} at {3}.",
        "So that is tickets to {0} for {1} on {2} at {3}.",
        "I will book a ride with {0} for {1} on {2} at {3}.",
        "So that is a session at {0} for {1} on {2} at {3}.",
    ),
    "your booking": (
        "You have a booking at {0} for {1} on {2} at {3}.",
        "You are booked at {0} for {1} on {2} at {3}.",
        "You have a booking at {0} for {1} on {2} at {3}.",
        "You are booked at {0} for {1} on {2} at {3}.",
        "You have a booking at {0} for {1} on {2} at {3}.",
        "You are booked at {0} for {1} on {2} at {3}.",
    ),
    "booked": (
        "Done, your table at {0} is booked for {1} on {2} at {3}.",
        "Your room at {0} is booked for {1} on {2} at {3}.",
        "Your tickets to {0} are booked for {1} on {2} at {3}.",
        "Done, I have booked tickets to {0} for {1} on {2} at {3}.",
        "Your ride with {0} is booked for {1} on {2} at {3}.",
        "Done, your session at {0} is booked for {1} on {2} at {3}.",
    ),
    "choose time": (
        "For {0} at {1}, please choose a day and time.",
        "Please choose a day and time for {0} at {1}.",
        "For {0} at {1}, please choose a day and time.",
        "Please choose a day and time for {0} at {1}.",
        "For {0} at {1}, please choose a day and time.",
        "Please choose a day and time for {0} at {1}.",
    ),
    "choose visit": (
        "For {0}, please choose a day and time.",
        "Please choose a day and time for your visit to {0}.",
        "For {0}, please choose a day and time.",
        "Please choose a day and time for your visit to {0}.",
        "For {0}, please choose a day and time.",
        "Please choose a day and time for your visit to {0}.",
    ),
}
_ALWAYS: Mapping[str, str] = {
    "place gone": "I am sorry, but I cannot find that place any more.",
    "booking gone": "I am sorry, but I cannot find that booking any more.",
    "to change": "Your booking at {0} would then be for {1} on {2} at {3}.",
    "changed": "Done, your booking at {0} is now for {1} on {2} at {3}.",
    "to cancel": "I will then cancel your booking at {0} for {1} on {2} at {3}.",
    "cancelled": "Done, your booking at {0} for {1} on {2} at {3} is cancelled.",
    "never open": "I am afraid {0} is closed every day.",
    "no features": "There is nothing special to mention about {0}.",
    "reference": "Your reference is {0}.",
    "more bookings": "Besides these, you have {0}.",
    "closed then": "I am sorry, but {0} is closed on {1} at {2}.",
    "full then": "I am sorry, but {0} is fully booked on {1} at {2}.",
    "too many": "I am sorry, but {0} cannot take groups of more than {1}.",
    "choose change": "Please tell me what I should change.",
    "no bookings": "So far you have no bookings.",
    "nothing done": "Nothing was done, since I cannot find it any more.",
    "left as it is": "All right, I will leave it as it is.",
    "nothing changed": "All right, I will change nothing for {0}.",
    "thanks": "You are most welcome.",
    "goodbye": "Goodbye, and enjoy your time in {0}.",
    "hello": "Hello, and welcome to {0}.",
    "something else": "What would you like to do instead?",
    "outside": "I am sorry, I can only help with {list} in {last}.",
    "unclear": "Sorry, I did not quite understand that, but I can help with {list}.",
    "menu": "I can help you find {list} in {last}.",
}


def phrase(fact: Fact) -> str:
    """The sentence for this fact. Raises KeyError for a kind that nobody has put into words."""
    form = _ALWAYS[fact.about] if fact.about in _ALWAYS else _BY_SERVICE[fact.about][list(SERVICES).index(fact.service)]
    values = fact.values
    listed = values[sum(f"{{{number}}}" in form for number in range(4)) :]
    last = values[-1] if values else ""
    if "{last}" in form:
        listed = listed[:-1]
    an = article(values[1]) if "{an}" in form else ""
    return form.format(*values, list=joined(listed) if listed else "", last=last, an=an)
