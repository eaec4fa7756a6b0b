"""What the scripts of the search box of every page and of the card of a record read: settings, in
a file that all pages share, and in a file of each list the values of its filters.

The settings depend on those of the registry and on which collections have records, so that pages
do not change with the records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection, Filter
from generator.kinds.continents import CONTINENTS
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.tables.facets import declared_values, value_label
from generator.site import labels, paths
from generator.site.fields import script_badge
from generator.site.page_context import Site
from generator.site.theme import asset_path, encoded_json

#: Forms of the filters whose values the box offers.
_FORMS = ("slug", "word")
#: The most values of a filter that are offered.
MAX_VALUES = 1000


def artifact(site: Site) -> Artifact:
    """The file of the settings, named after its content."""
    return site.memo.get_or_make("finder", _artifact, site)


def _artifact(site: Site) -> Artifact:
    texts = site.theme.texts
    data = {
        "prefix": site.settings.prefix,
        "thousands": texts("format.thousands"),
        "texts": texts.script("find"),
        "told": {
            "card": site.asset("card.css"),
            "date": texts("format.date"),
            "months": texts.known["format"]["months"],
            "collections": {
                name: _collection(site, site.grammar.collections[name])
                for name in site.fit().collections
            },
        },
    }
    raw = orjson.dumps(data, default=tuple, option=orjson.OPT_SORT_KEYS)
    return Artifact(asset_path("find.json", raw), raw)


def _collection(site: Site, collection: Collection) -> dict[str, Any]:
    kinds = labels.declared(site, collection, "kind") if "kind" in collection.filters else {}
    is_list = not collection.declared.timed
    if is_list:
        kinds.pop(collection.kind, None)  # it has the registry's own noun
    return {
        "api": collection.root,
        "root": f"{collection.pages}/",
        "pages": site.record_page(collection.name, "") is not None,
        "values": paths.values_file(collection) if is_list else None,
        "label": collection.label,
        "one": collection.one,
        "many": collection.many,
        "kinds": encoded_json(kinds),
        "badge": script_badge(site, collection),
    }


def values(site: Site, collection: Collection) -> Artifact:
    """The file of the values of a collection's filters: `groups`, each `[filter, what its values
    are, values]`, each value as `[value, label, count]`, the most frequent first.
    """
    filters = [f for f in collection.filters.values() if f.form in _FORMS and not f.refers]
    groups = [group for f in filters for group in _groups(site, collection, f)]
    return Artifact(paths.values_file(collection), orjson.dumps({"groups": groups}))


def _groups(
    site: Site, collection: Collection, query_filter: Filter
) -> Iterator[tuple[str, str, list[tuple[str, str, int]]]]:
    """The values of a filter, divided by what they are."""
    name, counts = query_filter.name, site.counts(collection.name)
    known = site.memo.get_or_make(
        ("declared", collection.name), declared_values, counts, site.symbols
    )
    frequent = sorted(counts.values[name].items(), key=lambda one: (-one[1], one[0]))[:MAX_VALUES]
    groups: dict[str, list[tuple[str, str, int]]] = {}
    for value, count in frequent:
        label = value_label(counts, name, value, known)
        label = labels.shown_label(site, collection, name, value, label)
        groups.setdefault(_what(site, collection, name, value), []).append((value, label, count))
    for what, several in groups.items():
        yield name, what, several


def _what(site: Site, collection: Collection, name: str, value: str) -> str:
    """What a value is: a continent or country, else what its filter is called."""
    if name == "location" and value in COUNTRY_SLUGS:
        return site.theme.texts("find.country")
    if name == "location" and value in CONTINENTS:
        return site.theme.texts("find.continent")
    return labels.filter_label(site, collection, name)
