"""What pages call filters and the values that records have: the registry's own words and the
names of records as they are, the schema's words in the site's language; and countries, days and
numbers in that language.  Documents have names of countries in English; pages have them of
pycountry's translations.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.grammar.grammar import TAGS, Collection, Filter
from generator.grammar.own_fields import PREFIX
from generator.grammar.query import begun
from generator.model.fields import COUNTRIES
from generator.model.kinds import KINDS
from generator.site.page_context import Site

if TYPE_CHECKING:
    from gettext import NullTranslations

#: Which words of the texts are the values of a filter of the schema, or of a field.
_FIXED = {
    ("projects", "status"): "status",
    ("programs", "kind"): "program",
    ("events", "kind"): "event",
    ("events", "status"): "event_status",
}


def filter_label(site: Site, collection: Collection, name: str) -> str:
    """What a filter is called, or an own field that lists are ordered by and not filtered."""
    fixed: Mapping[str, str] = site.theme.texts.known["words"]["filter"]
    if name in fixed:
        return fixed[name]
    if name == "organization_category":
        return site.theme.texts("words.category_of", one=begun(site.grammar.organizations.one))
    if name in collection.filters:
        return collection.filters[name].label
    return site.grammar.fields[collection.name][name.removeprefix(PREFIX)].label


def value_label(
    site: Site, collection: Collection, name: str, value: str, label: str | None = None
) -> str:
    """A value of a filter, or of a field that is none; `label` is what a document calls it, where
    it has it.
    """
    fixed = _FIXED.get((collection.name, name))
    if fixed:
        return site.theme.texts(f"words.{fixed}.{value}")
    if name.startswith("tag_"):
        return label or site.symbols.tag_label(name.removeprefix("tag_"), value)
    if name == "location":
        return country(site, value.upper()) or _placed(site, value, label or value)
    known = collection.filters.get(name)
    if known is None:
        return label or value
    if known.refers:
        target = site.symbols.targets(known.refers).get(value)
        return target.name if target else value
    if known.form == "boolean":
        return site.theme.texts(f"words.boolean.{value}")
    if known.form == "month":
        return month(site, value)
    return vocabulary(site, collection, name).get(value) or label or known.spelled(value)


def _placed(site: Site, value: str, label: str) -> str:
    """A region or a city, which documents call with its country in English, with the country as
    the site calls it.
    """
    code = value[:2].upper()
    place = label.removesuffix(f", {COUNTRIES.get(code, '')}")
    return label if place == label else f"{place}, {country(site, code)}"


def vocabulary(site: Site, collection: Collection, name: str) -> Mapping[str, str]:
    """The values of a filter that the registry or the schema declares, without names of records."""
    symbols, known = site.symbols, collection.filters[name]
    if known.vocabulary == "categories":
        return symbols.categories
    if known.vocabulary == "program_types":
        return symbols.program_types
    return known.labels


def declared(site: Site, collection: Collection, name: str) -> dict[str, str]:
    """The values of a filter that are few and known, with what pages call them: neither tags nor
    records nor places.
    """
    if name == "location":
        return {"remote": value_label(site, collection, name, "remote")}
    fixed = KINDS[collection.name].fixed.get(name)
    known = fixed or vocabulary(site, collection, name)
    if collection.filters[name].form == "boolean":
        known = {"true": "", "false": ""}
    return {value: value_label(site, collection, name, value) for value in known}


def is_named(site: Site, known: Filter) -> bool:
    """Whether values are called otherwise than they are spelled, and are not among those declared:
    a document of the filter's values says how.
    """
    if known.vocabulary.startswith(TAGS):
        return bool(site.symbols.tags[known.vocabulary.removeprefix(TAGS)])
    return bool(known.refers) or known.vocabulary == "places"


# --- countries, days and numbers ---


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


def month(site: Site, iso: str) -> str:
    """A month, `YYYY-MM`, likewise."""
    texts = site.theme.texts
    name = texts(f"format.months.{iso[5:]}")
    return texts("format.month", month=name, year=iso[:4])


def number(site: Site, value: float) -> str:
    """A number with the language's marks; a fraction with as many digits as it was written with."""
    texts = site.theme.texts
    whole, _, fraction = repr(value).partition(".")
    if not whole.lstrip("-").isdigit() or (fraction and not fraction.isdigit()):
        return repr(value)
    sign = "-" if whole[0] == "-" else ""
    mark = texts.known["format"]["decimal"]
    return sign + texts.number(abs(int(whole))) + (mark + fraction if fraction else "")
