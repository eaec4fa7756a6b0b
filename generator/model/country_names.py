"""What a word of a table or a form says about a country: a code, a name in English, German or
French, or the name of a part of a country.

The last part of "Atlanta, Georgia" and of "San Francisco, CA" is a country and a part of another
country.  Such a word has several readings, and only a person knows which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Any, NamedTuple

import orjson

from generator.kinds.types import COUNTRIES, package_folder
from generator.problems.one_edit import differ_by_one_edit
from generator.text.words import fold

#: Countries whose addresses give a state or province by its code of ISO 3166-2: Austin, TX.
_CODED_PARTS = ("US", "CA", "AU")
_LANGUAGES = ("de", "fr")
#: Common names that ISO 3166-1 and its translations do not have.
_COMMON_NAMES = {
    "AE": "UAE, VAE, Emirates, Emirate", "BA": "Bosnia, Bosnien, Bosnie", "BN": "Brunei",
    "BY": "White Russia, Weissrussland, Biélorussie", "CD": "DR Congo, DRC, Congo Kinshasa, "
    "Congo DRC, Zaire, Democratic Republic of Congo", "CF": "Central Africa, Zentralafrika",
    "CG": "Congo Brazzaville, Republic of Congo", "CI": "Ivory Coast, Elfenbeinküste",
    "CV": "Cape Verde, Kapverden", "CZ": "Czech Republic, Tschechische Republik, "
    "République tchèque", "DE": "BRD", "FK": "Falkland Islands, Falklandinseln, Malouines",
    "FM": "Micronesia, Mikronesien, Micronésie", "GB": "UK, Great Britain, Britain, England, "
    "Scotland, Wales, Northern Ireland, Grossbritannien, Schottland, Nordirland, "
    "Grande-Bretagne, Angleterre, Écosse, Pays de Galles, Irlande du Nord",
    "KN": "Saint Kitts", "KP": "North Korea", "KR": "South Korea, Korea, Republic of Korea, Corée",
    "LA": "Laos", "MD": "Moldova, Moldawien", "MK": "Macedonia, Mazedonien, Macédoine",
    "MM": "Burma, Birma", "NL": "Holland, Hollande, The Netherlands", "PS": "Palestine, "
    "Palästina", "RU": "Russia, Russland, Russie", "SZ": "Swaziland, Swasiland",
    "TL": "East Timor, Osttimor", "TR": "Turkey", "TT": "Trinidad", "US": "America, USA, "
    "Amerika, Amérique, Vereinigte Staaten von Amerika, États-Unis d'Amérique",
    "VA": "Vatican, Vatican City, Vatikan, Vatikanstadt", "VN": "Vietnam",
}  # fmt: skip
_LITTLE = {"a", "and", "d", "das", "de", "der", "des", "die", "du", "et", "l", "la", "le", "les",
           "of", "the", "und", "von"}  # fmt: skip
#: Words that the names of many countries have.
_GENERAL = {"democratic", "federal", "federation", "iles", "inseln", "island", "islands", "kingdom",
            "republic", "republik", "republique", "state", "states", "united"}  # fmt: skip
_joints = re.compile(r"[^\w]+|_").sub
_letters = re.compile(r"\b(\w) (?=\w\b)").sub
_article = re.compile(r"^(?:the|der|die|das|le|la|les|l) (?=\w)").sub
_MIN_RATIO = 0.8  # of the letters of two words, of which one is probably a misspelling


class Reading(NamedTuple):
    """A meaning of a word: a country, or the region of a country."""

    country: str
    region: str = ""

    @property
    def label(self) -> str:
        """The place in English."""
        country = COUNTRIES[self.country]
        return f"{self.region}, {country}" if self.region else f"{country} ({self.country})"


@lru_cache(maxsize=1 << 12)
def find_country(word: str) -> str | None:
    """The code of the country that a word is the code or the name of."""
    return _countries().get(_key(word))


def near_country(word: str) -> str | None:
    """The code of the country whose name differs from a word by one letter."""
    key = _key(word)
    near = (code for name, code in _countries().items() if differ_by_one_edit(key, name))
    return next(near, None) if len(key) > 4 else None


@lru_cache(maxsize=1 << 12)
def read_last_part(word: str) -> tuple[Reading, ...]:
    """The readings of the last part of an address: a country, then parts of other countries."""
    country = find_country(word)
    own = (Reading(country),) if country is not None else ()
    parts = _parts().get(_key(word), ())
    return own + tuple(part for part in parts if part.country != country)


def is_part(word: str, country: str) -> bool:
    """Whether a word is the name of a part of a country, or its code."""
    return any(part.country == country for part in _parts().get(_key(word), ()))


@lru_cache(maxsize=1 << 12)
def other_spelling(region: str, country: str) -> str | None:
    """The code of a region for its name, or its name for its code, where addresses give codes."""
    if country not in _CODED_PARTS:
        return None
    for code, name, _ in _first_level():
        if code[:2] == country and _key(region) in (_key(code[3:]), _key(name)):
            return name if _key(region) == _key(code[3:]) else code[3:]
    return None


def only_spelling(country: str) -> str:
    """The name of a country, or the code if the name has other readings."""
    spellings = (COUNTRIES[country], country, *_codes_of_three(country))
    return next(word for word in spellings if len(read_last_part(word)) == 1)


@lru_cache(maxsize=1 << 10)
def nearest_country(word: str) -> str | None:
    """The country whose name differs from a word by misspelt letters or by words that many
    countries have; None if there is no such country, or several.
    """
    words = _words(_key(word))
    scores: dict[str, float] = {}
    for others, code in _words_of_names():
        scores[code] = max(scores.get(code, 0), _likeness(words, others))
    best = max(scores.values())
    nearest = [code for code, score in scores.items() if score == best]
    return nearest[0] if best and len(nearest) == 1 else None


def _likeness(words: list[str], others: list[str]) -> float:
    """How like the words of two names are, from `_MIN_RATIO` to 1; 0 if one has another word."""
    least, left, unpaired, is_named = 1.0, list(others), False, False
    for word in words:
        ratio, nearest = max(((_ratio(word, other), other) for other in left), default=(0.0, ""))
        if ratio >= _MIN_RATIO:
            left.remove(nearest)
            is_named = is_named or nearest not in _GENERAL
            least = min(least, ratio)
        elif word not in _GENERAL:
            return 0
        else:
            unpaired = True
    if not is_named and (unpaired or left):
        return 0
    return least if _GENERAL.issuperset(left) else 0


def _ratio(word: str, other: str) -> float:
    if word == other:
        return 1
    if min(len(word), len(other)) < 4 or abs(len(word) - len(other)) > 2:
        return 0
    matcher = SequenceMatcher(None, word, other)
    return matcher.ratio() if matcher.quick_ratio() >= _MIN_RATIO else 0


def _key(word: str) -> str:
    """A key that is the same for spellings of a name: U.S.A. and USA, Côte d’Ivoire and
    cote d'ivoire, St Lucia and Saint Lucia.
    """
    words = _joints(" ", fold(word).replace(".", "").replace("&", " and ")).strip()
    words = re.sub(r"\bste?\b", lambda match: match[0].replace("st", "saint"), words)
    return _article("", _letters(r"\1", words))


def _words(key: str) -> list[str]:
    return [word for word in key.split() if word not in _LITTLE]


@cache
def _words_of_names() -> list[tuple[list[str], str]]:
    """(words, code) of each name of a country."""
    return [(_words(key), code) for key, code in _countries().items() if len(key) > 3]


@cache
def _table(name: str) -> list[dict[str, Any]]:
    """A table of pycountry, whose package is slow to import."""
    raw = (package_folder("pycountry") / "databases" / f"iso{name}.json").read_bytes()
    rows: list[dict[str, Any]] = orjson.loads(raw)[name]
    return rows


@cache
def _countries() -> dict[str, str]:
    """Key of a name or a code -> code.  English names win over those of other languages."""
    keys = {_key(code): code for code in COUNTRIES}
    for code, names in _COMMON_NAMES.items():
        keys |= {_key(name): code for name in names.split(", ")}
    for code, name in _names():
        keys.setdefault(_key(name), code)
    return keys


def _names() -> Iterator[tuple[str, str]]:
    """(code, name) of all countries, first the names in English."""
    import gettext

    folder = package_folder("pycountry") / "locales"
    languages = [gettext.translation("iso3166-1", folder, [name]) for name in _LANGUAGES]
    rows = _table("3166-1")
    yield from (("XK", "XKX"), *COUNTRIES.items())
    for translate in (gettext.NullTranslations().gettext, *(one.gettext for one in languages)):
        for row in rows:
            for name in ("name", "official_name", "common_name", "alpha_3"):
                if name in row:
                    yield row["alpha_2"], translate(row[name])


def _codes_of_three(country: str) -> list[str]:
    return [row["alpha_3"] for row in _table("3166-1") if row["alpha_2"] == country]


@cache
def _first_level() -> list[tuple[str, str, str]]:
    """(code, name, type) of the parts of countries, without the parts of these."""
    rows = _table("3166-2")
    return [(row["code"], row["name"], row["type"]) for row in rows if "parent" not in row]


@cache
def _parts() -> dict[str, tuple[Reading, ...]]:
    """Key of a name or a code -> the parts of countries that have it.

    A territory that has a code of its own in ISO 3166-1 is no part of another country.
    """
    parts: dict[str, tuple[Reading, ...]] = {}
    for code, name, type_ in _first_level():
        country, _, part = code.partition("-")
        own = _countries().get(_key(name))
        if own is not None and (own == part or type_.startswith("Overseas")):
            continue
        for word in (name, part) if country in _CODED_PARTS else (name,):
            known = parts.get(_key(word), ())
            if not any(reading.country == country for reading in known):
                parts[_key(word)] = (*known, Reading(country, name))
    return parts
