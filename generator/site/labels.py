"""What a list calls filters and the values that its records have: the registry's own words and the
names of records as they are, the schema's words in the site's language.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.api.grammar import TAGS, Collection
from generator.records.fields import COUNTRIES
from generator.site.frame import Site

#: Which words of the texts are the values of a filter of the schema.
_FIXED = {
    ("projects", "status"): "status",
    ("programs", "kind"): "program",
    ("events", "kind"): "event",
}


def filter_label(site: Site, collection: Collection, name: str) -> str:
    words: Mapping[str, str] = site.theme.texts.known["words"]["filter"]
    return words.get(name) or collection.filters[name].label


def value_label(
    site: Site, collection: Collection, name: str, value: str, label: str | None = None
) -> str:
    """A value of a filter; `label` is what a document calls it, where it has it."""
    known, symbols = collection.filters[name], site.symbols
    fixed = _FIXED.get((collection.name, name))
    if fixed:
        word: str = site.theme.texts.known["words"][fixed][value]
        return word
    if known.refers:
        target = symbols.targets(known.refers).get(value)
        return target.name if target else value
    if known.vocabulary.startswith(TAGS):
        return symbols.tag_label(known.vocabulary.removeprefix(TAGS), value)
    if known.vocabulary == "places":
        remote = site.theme.texts("list.remote")
        return remote if value == "remote" else COUNTRIES.get(value.upper()) or label or value
    return vocabulary(site, collection, name).get(value) or label or known.spelled(value)


def vocabulary(site: Site, collection: Collection, name: str) -> Mapping[str, str]:
    """The values of a filter that the registry or the schema declares, without names of records."""
    symbols, known = site.symbols, collection.filters[name]
    if known.vocabulary == "categories":
        return symbols.categories
    if known.vocabulary == "program_types":
        return symbols.program_types
    return known.labels
