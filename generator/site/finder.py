"""What the search box of every page tells its script, in one file that all pages share.

It depends on the settings of the registry and on which collections have records.
"""

from __future__ import annotations

from typing import Any

import orjson

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection
from generator.site import paths
from generator.site.labels import declared, filter_label
from generator.site.page_context import Site
from generator.site.theme import asset_path, encoded_json

#: Forms of the filters whose values the box offers.
_FORMS = ("slug", "word")


def artifact(site: Site) -> Artifact:
    """The file, named after its content."""
    return site.memo.get_or_make("finder", _artifact, site)


def _artifact(site: Site) -> Artifact:
    texts = site.theme.texts
    data = {
        "prefix": site.settings.prefix,
        "thousands": texts("format.thousands"),
        "texts": texts.script("find"),
        "told": {
            "collections": {
                name: _collection(site, site.grammar.collections[name])
                for name in site.fit().collections
            }
        },
    }
    raw = orjson.dumps(data, default=tuple, option=orjson.OPT_SORT_KEYS)
    return Artifact(asset_path("find.json", raw), raw)


def _collection(site: Site, collection: Collection) -> dict[str, Any]:
    """A collection: the filters whose values are offered, if it has a page that takes them."""
    is_list = not collection.declared.timed
    filters = [
        query_filter
        for query_filter in collection.filters.values()
        if is_list and query_filter.form in _FORMS and not query_filter.refers
    ]
    words = {f.name: words for f in filters if (words := declared(site, collection, f.name))}
    return {
        "api": collection.root,
        "root": f"{paths.ROOTS[collection.name]}/",
        "pages": site.record_page(collection.name, "") is not None,
        "list": is_list,
        "label": collection.label,
        "one": collection.one,
        "many": collection.many,
        "filters": [[f.name, filter_label(site, collection, f.name)] for f in filters],
        "words": encoded_json(words),
    }
