"""Labels of filters and values, and countries, days and numbers, in the site's language.

The registry's own words and the names of records are not translated; the words of the schema are.
The names of continents and countries are English in the API; pages take those of countries from
pycountry's translations.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.grammar.grammar import TAG_VOCABULARY, Collection, Filter
from generator.grammar.query import capitalized
from generator.kinds.continents import CONTINENTS
from generator.kinds.declare import Field
from generator.kinds.types import COUNTRIES
from generator.site.page_context import Site

#: Fields of records that say they have no place.
_NOWHERE = ("remote", "online")
#: Words of a name that give its initials.
_INITIALS = 2

if TYPE_CHECKING:
    from gettext import NullTranslations


def filter_label(site: Site, collection: Collection, name: str) -> str:
    """The label of a filter, or of a field that is none."""
    own = {f.filter or f.name: f for f in collection.declared.own}
    if name in own:
        return own[name].label
    if label := site.settings.label(collection.declared, name):
        return label
    if through := beyond(site, collection, name):
        relation, target, other = through
        return f"{filter_label(site, target, other)} ({relation.label})"
    fixed: Mapping[str, str] = site.theme.texts.known["words"]["filter"]
    if name in fixed:
        return fixed[name]
    if name == "organization_category":
        return site.theme.texts("words.category_of", one=capitalized(site.grammar.owner.one))
    if name in collection.filters:
        return collection.filters[name].label
    counters = (f.label for f in collection.declared.counters if f.path[-1] == name)
    return next(counters, None) or collection.declared.fields[name].label


def reverse_label(site: Site, relation: Field, collection: Collection) -> str:
    """The label of the other side of a relation of `collection`: as declared, else the name of the
    collection, with the label of the relation unless its filter is the kind of its records.
    """
    if relation.reverse:
        return relation.reverse
    is_noun = site.grammar.kinds.has_noun(relation)
    return collection.label if is_noun else f"{collection.label} ({relation.label})"


def within_sentence(site: Site, label: str) -> str:
    """A label after other words: in English without a capital, unless it has more of them."""
    is_english = site.theme.texts.language.partition("-")[0] == "en"
    return label[:1].lower() + label[1:] if is_english and label[1:].islower() else label


def beyond(site: Site, collection: Collection, name: str) -> tuple[Field, Collection, str] | None:
    """The relation, the collection and the filter there that a filter narrows by; None if it
    narrows by values of its own records.
    """
    found = collection.filters.get(name)
    if found is None or not found.through:
        return None
    relations = (f for f in collection.declared.own if f.refers == found.through)
    relation = next(f for f in relations if name.removeprefix(f"{f.filter}_") in f.through)
    return relation, site.grammar[found.through], name.removeprefix(f"{relation.filter}_")


def shown_label(
    site: Site, collection: Collection, name: str, value: str, label: str | None = None
) -> str:
    """The label of a value of a filter or field; `label` is its label in the API, if any."""
    if through := beyond(site, collection, name):
        return shown_label(site, *through[1:], value, label)
    fixed = collection.declared.fixed_labels.get(name)
    if fixed is not None:
        words: Mapping[str, str] = site.theme.texts.known["words"].get(
            fixed_key(collection, name), fixed
        )
        return words[value]
    if name.startswith("tag_"):
        return label or site.symbols.tag_label(name.removeprefix("tag_"), value)
    if name == "location":
        if value in CONTINENTS:
            return site.theme.texts(f"words.continents.{value}")
        return country(site, value.upper()) or _place(site, value, label or value)
    query_filter = collection.filters.get(name)
    if query_filter is None:
        return label or value
    if query_filter.refers:
        target = site.symbols.targets(query_filter.refers).get(value)
        return target.name if target else value
    if query_filter.form == "boolean":
        return site.theme.texts(f"words.boolean.{value}")
    if query_filter.form == "month":
        return month(site, value)
    return (
        vocabulary(site, collection, name).get(value) or label or query_filter.default_label(value)
    )


def fixed_key(collection: Collection, name: str) -> str:
    """The place below `words` in the texts with the labels of a filter of the schema."""
    field = next(f for f in collection.declared.fields.values() if name in (f.filter, f.name))
    return field.values_key


def _place(site: Site, value: str, label: str) -> str:
    """A region or city whose label ends with its country, with the country translated."""
    code = value[:2].upper()
    place = label.removesuffix(f", {COUNTRIES.get(code, '')}")
    return label if place == label else f"{place}, {country(site, code)}"


def vocabulary(site: Site, collection: Collection, name: str) -> Mapping[str, str]:
    """value -> label of a filter, as the registry or the schema declares them."""
    query_filter = collection.filters[name]
    return site.symbols.vocabulary(query_filter.vocabulary) or query_filter.labels


def declared(site: Site, collection: Collection, name: str) -> dict[str, str]:
    """value -> label of a filter with few declared values: not tags, records, countries, regions
    or cities.
    """
    if through := beyond(site, collection, name):
        return declared(site, *through[1:])
    if name == "location":
        return {v: shown_label(site, collection, name, v) for v in (*CONTINENTS, "remote")}
    values: Iterable[str] = collection.declared.fixed_labels.get(name) or vocabulary(
        site, collection, name
    )
    if collection.filters[name].form == "boolean":
        values = ("true", "false")
    return {value: shown_label(site, collection, name, value) for value in values}


def is_named(site: Site, query_filter: Filter) -> bool:
    """Whether the labels of a filter's values are only in its document of the API."""
    if query_filter.vocabulary.startswith(TAG_VOCABULARY):
        return bool(site.symbols.tags[query_filter.vocabulary.removeprefix(TAG_VOCABULARY)])
    return bool(query_filter.refers) or query_filter.vocabulary == "places"


# --- countries, days and numbers ---


def country(site: Site, code: str) -> str:
    """The name of a country by its ISO 3166-1 alpha-2 code, `REMOTE` or `ONLINE`; else ""."""
    texts = site.theme.texts
    if code in ("REMOTE", "ONLINE"):
        return texts(f"words.{code.lower()}")
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
    """A date `YYYY-MM-DD` in words."""
    year, month, number = iso.split("-")
    texts = site.theme.texts
    name = texts(f"format.months.{month}")
    return texts("format.date", day=str(int(number)), month=name, year=year)


def place(site: Site, collection: Collection, record: Mapping[str, Any]) -> str:
    """The first location of a record, or that it is remote or online; else ""."""
    for first in record.get("locations", [])[:1]:
        name = country(site, first["country"])
        within = first["city"] or first["region"]
        return f"{within}, {name}" if within else name
    return next((country(site, where.upper()) for where in _NOWHERE if record.get(where)), "")


def month(site: Site, iso: str) -> str:
    """A month `YYYY-MM` in words."""
    texts = site.theme.texts
    return texts("format.month", month=texts(f"format.months.{iso[5:]}"), year=iso[:4])


def zone(name: str) -> str:
    """A time zone for people: `UTC−12 (AoE)`, `Los Angeles`, `UTC+3` of `Etc/GMT-3`, whose sign is
    the opposite.  The script of times has the same: generator/site/source/calendar/clock.mjs.
    """
    if name in ("AoE", "Etc/GMT+12"):
        return "UTC−12 (AoE)"
    fixed = re.fullmatch(r"(?:Etc/)?GMT([+-])(\d+)", name)
    if fixed is None:
        return name.rpartition("/")[2].replace("_", " ")
    hours = int(fixed[2])
    return f"UTC{'−' if fixed[1] == '+' else '+'}{hours}" if hours else "UTC"


def number(site: Site, value: float, least: int = 0) -> str:
    """A number with the language's separators and all digits of its fraction, if it has one at
    least so many.
    """
    texts = site.theme.texts
    whole, _, fraction = f"{Decimal(repr(value)):f}".partition(".")
    sign = "-" if whole[0] == "-" else ""
    point = texts.known["format"]["decimal"]
    return (
        sign
        + texts.number(abs(int(whole)))
        + (point + fraction.ljust(least, "0") if fraction else "")
    )


def initials(name: str) -> str:
    """The first letters or digits of the first two words of a name, in capitals."""
    firsts = (next(filter(str.isalnum, word), "") for word in name.split())
    return "".join([first.upper() for first in firsts if first][:_INITIALS])


def are_one_series(collection: Collection, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether several records, as summaries, are of one series: the cohorts of a program with it,
    or the dates of a program.  Their initials would be all alike.

    The script of lists does the same for programs: generator/site/source/list/rows.mjs.
    """
    declared = collection.declared
    owned = (f for f in declared.owners if declared.timed and not f.many and not f.is_own)
    names = ["parent"] if declared.series else [f.name for f in owned]
    found = {next(filter(None, map(row.get, names)), row["slug"]) for row in rows}
    return len(found) == 1 < len(rows)
