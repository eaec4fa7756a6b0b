"""What a word of a table or a form says about a country: a code, a name in English, German, French
or another large language, or the name of a part of a country.

The last part of "Atlanta, Georgia" and of "San Francisco, CA" is a country and a part of another
country.  Such a word has several readings, and only a person knows which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.kinds.continents import CONTINENTS
from generator.kinds.types import COUNTRIES, package_folder
from generator.text.words import fold

#: Countries whose addresses often give a part by its code of ISO 3166-2, as in Austin, TX: their
#: parts are proposed first, and a word alone is no code of a part of others.
_OFTEN_CODED = ("US", "CA", "AU", "BR", "CH", "IT", "IN", "DE", "MX", "ES")
_CODED_ALONE = frozenset(("US", "CA", "AU"))
#: The most parts of countries that are proposed for a code.
_MAX_PARTS = 3
_LANGUAGES = ("de", "fr")
#: Looked up if no name in those languages fits.
_FURTHER = (
    "ar", "bn", "cs", "da", "el", "es", "fa", "fi", "he", "hi", "hu", "id", "it", "ja", "ko", "nb",
    "nl", "pl", "pt", "pt_BR", "ro", "ru", "sv", "ta", "th", "tr", "uk", "vi", "zh_CN", "zh_TW",
)  # fmt: skip
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
    """The code of the country that a word is the code or the name of: also "Gambia, The"."""
    code = _countries().get(_key(word))
    if code is None and word.count(",") == 1:
        code = _countries().get(_key(" ".join(reversed(word.split(",")))))
    return _further().get(_key(word)) if code is None and len(word) > 1 else code


def spellings_of_places() -> Iterator[tuple[str, str, list[str]]]:
    """(value of the filter "location", label, names and codes) of each continent and each country;
    words of a name are joined by hyphens.
    """
    names = dict[str, list[str]]()
    for key, code in _countries().items():
        names.setdefault(code, []).append(key.replace(" ", "-"))
    yield from ((slug, label, [slug]) for slug, label in CONTINENTS.items())
    for code, label in sorted(COUNTRIES.items()):
        yield code.lower(), label, sorted(names[code])


def split_parts(text: str) -> list[str]:
    """The parts of "City, Region, Country"; the comma in "Korea, Republic of" separates none."""
    parts = [part.strip() for part in text.split(",")]
    for count in (3, 2):
        name = ", ".join(parts[-count:])
        if len(parts) >= count and parts[-1] and find_country(name) is not None:
            return [*parts[:-count], name]
    return parts


@lru_cache(maxsize=1 << 12)
def read_last_part(word: str, *, alone: bool = False) -> tuple[Reading, ...]:
    """The readings of the last part of an address: a country, then parts of other countries, most
    of the time the likeliest first.

    A code `alone` is no part of a country whose addresses seldom have codes.
    """
    country, key = find_country(word), _key(word)
    own = (Reading(country),) if country is not None else ()
    coded = _codes().get(key, ())
    parts = dict.fromkeys((*_parts().get(key, ()), *sorted(coded, key=_rank)[:_MAX_PARTS]))
    is_usual = [
        part
        for part in parts
        if part.country != country
        and (not alone or part not in coded or part.country in _CODED_ALONE)
    ]
    return own + tuple(is_usual)


def is_part(word: str, country: str) -> bool:
    """Whether a word is the name of a part of a country, or its code."""
    key = _key(word)
    return any(p.country == country for p in (*_parts().get(key, ()), *_codes().get(key, ())))


@lru_cache(maxsize=1 << 12)
def other_spelling(region: str, country: str) -> str | None:
    """The code of a region for its name, or its name for its code."""
    return _spellings(country).get(_key(region))


def only_spelling(country: str) -> str:
    """The name of a country, or the code if the name has other readings."""
    row = next((row for row in _table("3166-1") if row["alpha_2"] == country), {})
    more: list[str] = [row[name] for name in ("alpha_3", "official_name") if name in row]
    spellings = (COUNTRIES[country], country, *more)
    return next((word for word in spellings if len(read_last_part(word)) == 1), country)


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
    """Key of a name or a code -> code.  English names win over those of other languages.

    country_names.json has common names that ISO 3166-1 and its translations do not have, its former
    codes, and those of sports that people write for countries.
    """
    keys = {_key(code): code for code in COUNTRIES}
    keys |= {_key(name): code for code, name in _common_names("common_names")}
    keys |= {_key(other): code for other, code in _own_table()["other_codes"].items()}
    for code, name in _names():
        keys.setdefault(_key(name), code)
    return keys


@cache
def _own_table() -> Any:
    return orjson.loads(Path(__file__).with_suffix(".json").read_bytes())


def _common_names(of: str) -> Iterator[tuple[str, str]]:
    """(code, name) of the names of countries that pycountry does not have."""
    for code, names in _own_table()[of].items():
        yield from ((code, name) for name in names)


@cache
def _further() -> dict[str, str]:
    """Key of a name in further languages -> code, without names of parts of countries, and those
    that mean several countries.
    """
    keys, unclear = dict[str, str](), set(_parts())
    for code, name in (*_common_names("further_names"), *_translated(_FURTHER)):
        key = _key(name)
        if keys.setdefault(key, code) != code:
            unclear.add(key)
    return {key: code for key, code in keys.items() if key not in unclear}


def _names() -> Iterator[tuple[str, str]]:
    """(code, name) of all countries, first the names in English."""
    yield from (("XK", "XKX"), *COUNTRIES.items())
    yield from _translated(("", *_LANGUAGES))


def _translated(languages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(code, name) of all countries in some languages of pycountry; "" for English."""
    import gettext

    folder, english = package_folder("pycountry") / "locales", gettext.NullTranslations()
    for language in languages:
        known = gettext.translation("iso3166-1", folder, [language]) if language else english
        for row in _table("3166-1"):
            for name in ("name", "official_name", "common_name", "alpha_3"):
                if name in row:
                    yield row["alpha_2"], known.gettext(row[name])


@cache
def _parts() -> dict[str, tuple[Reading, ...]]:
    """Key of a name or a code -> the parts of countries that have it.

    A territory that has a code of its own in ISO 3166-1 is no part of another country.
    """
    parts: dict[str, tuple[Reading, ...]] = {}
    for row in (row for row in _table("3166-2") if "parent" not in row):  # no parts of parts
        (country, _, part), name = row["code"].partition("-"), row["name"]
        own = _countries().get(_key(name))
        if own is not None and (own == part or row["type"].startswith("Overseas")):
            continue
        known = parts.get(_key(name), ())
        if not any(reading.country == country for reading in known):
            parts[_key(name)] = (*known, Reading(country, name))
    return parts


@cache
def _codes() -> dict[str, tuple[Reading, ...]]:
    """Key of a code of two or three letters -> the parts of countries that have it.

    A territory that has a code of its own in ISO 3166-1 is no part of another country, and a code
    of three letters that a country has is no code of a part.
    """
    codes: dict[str, tuple[Reading, ...]] = {}
    for row in _table("3166-2"):
        country, _, part = row["code"].partition("-")
        own = _countries().get(_key(part)) if len(part) > 2 else None
        is_code = len(part) > 1 and part.isalpha() and own is None
        if is_code and _countries().get(_key(row["name"])) != part:
            codes[_key(part)] = (*codes.get(_key(part), ()), Reading(country, row["name"]))
    return codes


def _rank(part: Reading) -> tuple[int, str]:
    often = _OFTEN_CODED
    return (often.index(part.country) if part.country in often else len(often), part.country)


@cache
def _spellings(country: str) -> dict[str, str]:
    """Key of the name or the code of a part of a country -> its other spelling."""
    spellings: dict[str, str] = {}
    for row in _table("3166-2"):
        of, _, part = row["code"].partition("-")
        if of == country and part.isalpha():
            spellings.setdefault(_key(row["name"]), part)
            spellings[_key(part)] = row["name"]
    return spellings
