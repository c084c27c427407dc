"""Whether a message is in another language: English is the only one that is understood, and that can be said."""

import re
import unicodedata

from apps.concierge.understand.clean import plain, says, words_of
from apps.concierge.understand.lexicon import FILLERS

# Small words of Spanish, French, German, Italian, Portuguese and Dutch that are no English words; accents are off.
_FOREIGN = words_of(
    "hola donde puedo quiero quisiera una unos unas para por favor el la los las que cuanto cuesta tiene tienen manana"
    " hoy noche mesa reservar comer habitacion gracias buenos buenas dias tardes cual muy hay espanol habla hablas del"
    " bonjour bonsoir je voudrais une les le pour avec est combien avez vous nous puis demain soir deux merci cherche"
    " chambre dans pres francais parlez quel quelle ou sont"
    " ich suche ein eine einen der das dem und mit wo ist gibt es bitte danke heute abend wie viel kostet mochte wir"
    " haben sie konnen nicht guten tag zimmer tisch nahe vom zum fur deutsch sprechen wann welche"
    " ciao vorrei dove posso lo gli che quanto costa buongiorno buonasera grazie domani sera stasera tavolo prenotare"
    " parla parli italiano della nel sono aperto"
    " onde quero uma obrigado obrigada voce tem custa amanha hoje noite portugues fala"
    " ik zoek een het voor waar wij graag vanavond nederlands spreekt"
)
_ENGLISH = FILLERS | words_of("no not yes what who when how why if but by with this about today tomorrow tonight")
_LANGUAGES = (
    r"spanish|french|german|italian|portuguese|dutch|chinese|mandarin|japanese|russian|polish|turkish|arabic|korean"
    r"|hindi|swedish|danish|greek|(?:any |an)?other languages?"
)
_SPEAK = rf"(?:do|can|could) you (?:also )?(?:speak|talk|understand)(?: any| in)? (?:{_LANGUAGES})"
_LEAST = 2


def is_foreign(shown: str, masked: str) -> bool:
    """Whether the message is in another language, or asks for one. `shown` is cleaned; in `masked` no names are left.

    One foreign word alone is none: "ciao" and "merci" are English enough.
    """
    if says(masked, _SPEAK) or _is_other_script(shown):
        return True
    words = [word for word in re.split(r"[-' ]", plain(masked)) if word]
    foreign = sum(word in _FOREIGN and word not in _ENGLISH for word in words)
    return foreign >= _LEAST and foreign > sum(word in _ENGLISH for word in words)


def _is_other_script(shown: str) -> bool:
    letters = [c for c in shown if c.isalpha()]
    return sum(not unicodedata.name(c, "").startswith("LATIN") for c in letters) * 2 > len(letters)
