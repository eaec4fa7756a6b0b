"""Reads numbers as people write them: with groups of thousands, a decimal mark, a unit.

`readings` is the only function that makes a number of a word, for hints of records, fixes, forms
and cells of tables.  It never guesses: `12.500` has two readings.  `is_placeholder` finds what is
written where there is no value.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from functools import lru_cache

Number = int | float

#: Languages with a decimal comma, and those of places that write a point all the same.
_COMMA = (
    " af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk ky lb lt lv mk mn "
    "nb nl nn no pl pt ro ru sk sl sq sr sv tr tt uk uz vi "
)
_POINT = ("de-ch", "de-li", "it-ch", "es-do", "es-gt", "es-hn", "es-mx", "es-ni", "es-pa", "es-pe",
    "es-pr", "es-sv", "es-us",
)  # fmt: skip

SPACES = " \u00a0\u2009\u202f"
_GROUPS = rf"'’_{SPACES}"


def _form(mark: str, other: str) -> re.Pattern[str]:
    """The form of numbers with a decimal mark.  Groups of thousands never begin with 0."""
    return re.compile(
        rf"""(?P<sign>[-+\u2212]?)[{SPACES}]?
        (?P<whole>[0-9]{{1,300}}
          | [1-9][0-9]{{0,2}}(?P<group>[{other}{_GROUPS}])[0-9]{{3}}(?:(?P=group)[0-9]{{3}}){{0,99}}
          | {"[1-9][0-9]?(?:,[0-9]{2}){1,9},[0-9]{3}" if other == "," else "(?!)"}
          | (?=[.,][0-9]))
        (?:{re.escape(mark)}(?P<decimals>[0-9]{{1,300}}))?
        (?P<power>[eE][-+]?[0-9]{{1,3}})?""",
        re.VERBOSE | re.ASCII,
    )


_FORMS = {".": _form(".", ","), ",": _form(",", ".")}
#: Words for a power of ten.  "Billion" is 9 in English and 12 in German, "m" may be metres.
_POWERS = {
    **dict.fromkeys(("k", "K", "tsd", "tausend", "thousand"), 3),
    **dict.fromkeys(("M", "mio", "mln", "mn", "million", "millions", "millionen"), 6),
    **dict.fromkeys(("bn", "mrd", "milliarde", "milliarden"), 9),
}
_with_word = re.compile(rf"(.*[0-9])[{SPACES}]?([A-Za-z]+)\.?", re.DOTALL).fullmatch
#: The end of a price without cents: 12.500,- and 12'500.–
_no_cents = re.compile(r"(.*[0-9])([.,])[-\u2013\u2014]{1,2}", re.DOTALL).fullmatch
#: Sign or word in a unit -> the code of its currency.
CURRENCY_SIGNS = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW",
    "₴": "UAH", "₫": "VND", "₪": "ILS", "₦": "NGN", "₱": "PHP", "zł": "PLN", "kč": "CZK",
    "fr.": "CHF", "euro": "EUR", "euros": "EUR", "us$": "USD", "dollar": "USD", "dollars": "USD",
}  # fmt: skip
_OTHER_SIGNS = {"percent": "%", "prozent": "%"}


def decimal_mark(language: str) -> str:
    """The decimal mark of a language like `de` or `de-CH`."""
    tag = language.casefold()
    return "," if f" {tag.partition('-')[0]} " in _COMMA and tag not in _POINT else "."


def readings(text: str, mark: str = "", unit: str = "", *, whole: bool = False) -> list[Number]:
    """The numbers that a text may mean: none, one, or two, if one separator with three digits
    behind it can group thousands and can be the decimal mark.

    `mark` is the decimal mark if it is known, `unit` what may be beside the number.  With `whole`
    only whole numbers are meant.
    """
    text = _without_unit(text.strip(), unit)
    if price := _no_cents(text):
        text, mark = price[1], mark or price[2]
    has_power = any(map(_power, re.findall(r"[^\W\d_]+", unit)))  # thousands or millions
    text, power = (text, 0) if has_power else _without_word(text)
    found = (_with_mark(text, each, power) for each in mark or ".,")
    numbers = dict.fromkeys(number for number in found if number is not None)
    return [number for number in numbers if not whole or isinstance(number, int)]


def read_number(
    text: str, mark: str = "", language: str = "", unit: str = "", *, whole: bool = False
) -> Number | None:
    """The number that a text means; None if there is none, or if a person must say which.

    The language decides between two readings, but it makes no whole number of one with decimals:
    5.000 persons may be five thousand in English, too.
    """
    found = readings(text, mark, unit, whole=whole)
    if len(found) > 1 and language:
        decided = readings(text, decimal_mark(language), unit, whole=whole)
        found = decided if not whole or max(found) in decided else found
    return found[0] if len(found) == 1 else None


def is_unclear(text: str) -> bool:
    """Whether a decimal point in a number may group thousands: 12.500."""
    return len(readings(text)) > 1


def in_digits(number: Number) -> str:
    """A number in digits; with a fourth decimal if three could be a group of thousands."""
    text = json.dumps(number)
    return f"{text}0" if is_unclear(text) else text


def _with_mark(text: str, mark: str, power: int) -> Number | None:
    """The number of a text with a known decimal mark; `power` is of ten."""
    match = _FORMS[mark].fullmatch(text)
    if match is None or (match["group"] and match["power"]):
        return None
    digits = re.sub("[^0-9]", "", match["whole"])
    exact = Decimal(f"{digits or 0}.{match['decimals'] or 0}{match['power'] or ''}")
    if exact.adjusted() > 300:
        return None
    exact = exact.scaleb(power) * (-1 if match["sign"] in tuple("-\u2212") else 1)
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def _without_unit(text: str, unit: str) -> str:
    """A text without the unit, or its sign, before or after it."""
    signs = {**CURRENCY_SIGNS, **_OTHER_SIGNS}
    meant = signs.get(unit.casefold(), unit)
    words = {unit, meant, *(sign for sign, code in signs.items() if code == meant)} - {""}
    for word in sorted(words, key=len, reverse=True):
        for end, rest in (
            (text[-len(word) :], text[: -len(word)]),
            (text[: len(word)], text[len(word) :]),
        ):
            if end.casefold() == word.casefold() and rest.strip(SPACES):
                return rest.strip(SPACES)
    return text


def _power(word: str) -> int:
    return _POWERS.get(word) or (_POWERS.get(word.casefold(), 0) if len(word) > 1 else 0)


def _without_word(text: str) -> tuple[str, int]:
    """A text without a word for thousands or millions at its end, and the power of ten."""
    match = _with_word(text)
    power = _power(match[2]) if match else 0
    return (match[1], power) if match and power else (text, 0)


#: In lower case, without dots, and with one space for hyphens, slashes and underscores.
_WORDS = frozenset((
    "n a", "na", "k a", "ka", "none", "nil", "null", "nan", "undefined", "unknown", "not known",
    "not available", "not applicable", "not specified", "not provided", "no data", "no answer",
    "no response", "tbd", "tba", "tbc", "to be determined", "to be announced", "to be confirmed",
    "keine", "keine angabe", "keine angaben", "ohne angabe", "nicht angegeben", "nicht bekannt",
    "nicht vorhanden", "nicht verfügbar", "unbekannt", "entfällt", "keine daten",
    "inconnu", "inconnue", "non renseigné", "non disponible", "sans objet", "aucun", "aucune",
    "desconocido", "desconocida", "no disponible", "no aplica", "sin datos", "ninguno", "ninguna",
    "sconosciuto", "non disponibile", "nessuno", "onbekend", "niet beschikbaar",
))  # fmt: skip
#: Short words that are names too when they are written like these: Nan is a city, Na a surname.
_NAMES = ("Na", "Ka", "Nan", "Nil", "Tba")
_LONGEST = 24
_is_mark = re.compile(r"[-\u2010-\u2015\u2212?.\u2026/\\_*#]+").fullmatch


def is_placeholder(text: str) -> bool:
    """Whether a text says only that there is no value: "N/A", "-", "keine Angabe"."""
    return len(text) <= _LONGEST and _is_placeholder(text)


@lru_cache(maxsize=1 << 14)
def _is_placeholder(text: str) -> bool:
    text = text.strip()
    if not text or text in _NAMES:
        return False
    if _is_mark(text):
        return True
    plain = text.strip("()[]<>\"'#*_-–—.:!? ").casefold().replace(".", "")
    return " ".join(re.split(r"[\s/_\-]+", plain)) in _WORDS
