"""What the site calls filters and their values: the schema's own words in the site's language, a
registry's as it writes them.

Documents have the schema's words in English (`Active`, `Germany`); pages have those of the section
`words` of the texts, and names of countries from pycountry's translations.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.records.fields import COUNTRIES

if TYPE_CHECKING:
    from gettext import NullTranslations

    from generator.site.frame import Site

#: Fields of which the values are the schema's own -> their words in the texts.
_VALUES = {
    ("projects", "status"): "status",
    ("programs", "kind"): "program",
    ("events", "kind"): "event",
    ("events", "status"): "event_status",
}


def filter_label(site: Site, collection: str, name: str) -> str:
    """What a person calls a filter, or a field of that name."""
    fixed: dict[str, str] = site.theme.texts.known["words"]["filter"]
    return fixed.get(name) or site.grammar.collections[collection].filters[name].label


def value_label(site: Site, collection: str, name: str, value: str, label: str) -> str:
    """What a person calls a value; `label` is what documents call it."""
    if name == "location":
        return country(site, value.upper()) or label
    section = _VALUES.get((collection, name))
    return site.theme.texts(f"words.{section}.{value}") if section else label


def country(site: Site, code: str) -> str:
    """The name of a country by its ISO 3166-1 alpha-2 code, and of `REMOTE`; "" of all else."""
    texts = site.theme.texts
    if code == "REMOTE":
        return texts("words.remote")
    name = COUNTRIES.get(code, "")
    if texts.language.partition("-")[0] == "en" or not name:
        return name
    return _countries(texts.language).gettext(name)


@lru_cache(maxsize=4)
def _countries(language: str) -> NullTranslations:
    import gettext

    package = importlib.util.find_spec("pycountry")
    assert package is not None and package.origin is not None
    names = Path(package.origin).parent / "locales"
    return gettext.translation("iso3166-1", names, [language.replace("-", "_")], fallback=True)


def day(site: Site, iso: str) -> str:
    """A date, `YYYY-MM-DD`, as people write it."""
    year, month, number = iso.split("-")
    texts = site.theme.texts
    name = texts(f"format.months.{month}")
    return texts("format.date", day=str(int(number)), month=name, year=year)


def number(site: Site, value: float) -> str:
    """A number with the language's marks; a fraction with as many digits as it was written with."""
    texts = site.theme.texts
    whole, _, fraction = repr(value).partition(".")
    if not whole.lstrip("-").isdigit() or (fraction and not fraction.isdigit()):
        return repr(value)
    sign = "-" if whole[0] == "-" else ""
    mark = texts.known["format"]["decimal"]
    return sign + texts.number(abs(int(whole))) + (mark + fraction if fraction else "")
