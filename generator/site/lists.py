"""The pages of lists: one for each prepared page of a slice that people visit.

A page is made of that file alone, so that it changes when the list does; the first page of a whole
list also has the filters with their counts, which are of another file.  What pages of lists share
is made once, with marks where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import orjson
from markupsafe import Markup, escape

from generator.contract.artifact import Artifact
from generator.grammar.filters import RANGED
from generator.grammar.grammar import Collection, Filter, Slice
from generator.site import paths, rendering
from generator.site.labels import declared, filter_label, is_named, value_label
from generator.site.meta import About, Twin
from generator.site.page_context import Site
from generator.site.rows import Rows
from generator.site.theme import settled

#: Values of a filter that are seen at once; the others are behind "more".
SEEN = 8
#: What each page of a list has of its own, and what stands for it in what they share; no text has a
#: NUL.
_OWN = ("words", "path", "twin", "top", "bar", "range", "rows", "pager", "offer", "scripts")
_MARK = "\0{}\0"
#: What a script is told that is another on each page, in the order in which its JSON has them.
_OTHER = ("filter", "page", "sort", "value")


class Value(NamedTuple):
    """A value of a filter: `to` is the path of its page, "" where it has none."""

    value: str
    label: str
    number: int
    to: str


class Group(NamedTuple):
    """A filter as the panel shows it; `total` is how many values it has."""

    name: str
    label: str
    total: int
    values: list[Value]


class Shown(NamedTuple):
    """What is the same on all pages of a slice: how many records it has, their heading, the path of
    the first page, the filter and the value that it is narrowed to, in words, the record that the
    value is (name and page), the whole list, the orders that this has pages in (a label, the path,
    and whether it is this one), what the page is called, and the way to it.  `key` says which slice
    it is of.
    """

    key: tuple[str | None, ...]
    part: Slice
    total: int
    heading: str
    first: str
    chosen: tuple[str, str] | None
    record: tuple[str, str] | None
    root: str
    sorts: list[tuple[str, str, bool]]
    words: str
    trail: tuple[tuple[str, str], ...]


class _Shared(About):
    """What pages of lists say about themselves, but for their own way there."""

    def script(self, site: Site, path: str) -> Markup | None:
        return Markup(_MARK.format("way")) if super().script(site, path) else None


def render(
    site: Site, part: Slice, number: int, document: Mapping[str, Any], raw: bytes
) -> Artifact:
    """The page of this number of a list, of the prepared one: its head, and all of its bytes."""
    texts, page = site.theme.texts, document["page"]
    shown = _shown(site, part, page["total_items"])
    path, at = paths.numbered(shown.first, number), partial(paths.numbered, shown.first)
    words = f"{shown.words} – {texts('list.page', number=number)}" if number > 1 else shown.words
    before, parts = (number - 1) * page["size"], rendering.macros(site, "list-parts")
    first, last = before + bool(page["count"]), before + page["count"]
    said: dict[str, str] = {
        "words": words,
        "path": path[len(shown.root) :],
        "way": About(words, trail=shown.trail).script(site, path) or "",
        "twin": document["links"]["self"],
        "top": site.once(parts.top, shown),
        "bar": site.once(parts.bar, shown),
        "range": texts("list.range", first=first, last=last, count=page["total_items"])
        if page["count"]
        else texts("script.list.none"),
        "pager": rendering.macros(site, "ui").pager(number, page["total_pages"], at),
        "offer": parts.offer(shown) if number == 1 else "",
    }
    own = {name.encode(): escape(text).encode() for name, text in said.items()}
    own[b"rows"] = b"".join(rows_of(site, part.collection).html.all(lines(raw)))
    own[b"scripts"] = _script(site, part, number)
    marked = _frame(site, shown, document, at_root=path == shown.root)[:]
    marked[1::2] = map(own.__getitem__, marked[1::2])
    return Artifact(paths.file(path), b"".join(marked))


def _frame(site: Site, shown: Shown, document: Mapping[str, Any], *, at_root: bool) -> list[bytes]:
    """What a page of a list shares with others: at odd places are the names of what is its own.
    `at_root` is the first of a whole list.
    """
    collection, page = shown.part.collection, document["page"]
    key = "frame", collection.name, shown.part.filter is None, at_root, bool(page["count"])
    known: list[bytes] | None = site.memo.get(key)
    if known is None:
        values = {name: Markup(_MARK.format(name)) for name in _OWN}
        twin = Twin("application/json", values["twin"], site.theme.texts("record.json"))
        made = rendering.page(
            site,
            shown.root if at_root else f"{shown.root}{values['path']}",
            "list",
            about=_Shared(values["words"], trail=shown.trail, twins=(twin,)),
            groups=groups(site, collection) if at_root else None,
            seen=SEEN,
            shown=shown,
            count=page["count"],
            **values,
        )
        known = made.data.split(b"\0")
        if site.theme.is_plain:  # a template of the registry's own may say more of a page
            site.memo[key] = known
    return known


def _shown(site: Site, part: Slice, total: int) -> Shown:
    collection = part.collection
    key = "shown", collection.name, part.filter, part.value, part.sort
    known: Shown | None = site.memo.get(key)
    if known is None:
        narrowed, root = chosen(site, part), paths.list_page(Slice(collection))
        above = ((collection.label, root),) if part.filter is not None else ()
        known = site.memo[key] = Shown(
            key,
            part,
            total,
            narrowed[1] if narrowed else collection.label,
            paths.list_page(part),
            narrowed,
            record(site, part),
            root,
            _sorts(site, part),
            " – ".join([*reversed(narrowed or ()), collection.label]),
            ((site.settings.name, paths.HOME), *above),
        )
    return known


def lines(raw: bytes) -> list[bytes]:
    """The rows of a list document, each with the comma that parts it from the next."""
    rows = raw.split(b"\n")[1:-2]
    if rows:
        rows[-1] += b","
    return rows


def head(raw: bytes) -> dict[str, Any]:
    """A list document without its rows."""
    mark = b'"data":['
    whole: dict[str, Any] = orjson.loads(raw[: raw.index(mark) + len(mark)] + b"]}")
    return whole


def rows_of(site: Site, collection: Collection) -> Rows:
    """The rows of a collection, which are kept for as long as the site is."""
    found: Rows | None = site.memo.get(("rows", collection.name))
    if found is None:
        found = site.memo["rows", collection.name] = Rows(site, collection)
    return found


def groups(site: Site, collection: Collection) -> list[Group]:
    """Each filter that any record has a value of, with its most frequent values."""
    data = site.document(collection.filters_path)["data"]
    return [
        Group(name, filter_label(site, collection, name), of["total_values"],
              _values(site, collection.filters[name], collection, of["values"]))
        for name, of in data.items()
        if of["values"]
    ]  # fmt: skip


def _values(
    site: Site, known: Filter, collection: Collection, values: list[dict[str, Any]]
) -> list[Value]:
    """In the order of their counts, or where they have one of their own the last first."""
    found = []
    for one in values:
        value = one["value"]
        part = Slice(collection, known.name, value)
        label = value_label(site, collection, known.name, value, one["label"])
        to = paths.list_page(part) if paths.visited(part) else ""
        found.append(Value(value, label, one["count"], to))
    return sorted(found, key=lambda one: one.value, reverse=True) if known.ranges else found


def chosen(site: Site, part: Slice) -> tuple[str, str] | None:
    """The filter and the value that a list is narrowed to, in words."""
    if part.filter is None or part.filter in part.collection.virtual:
        return None
    assert part.value is not None
    return (
        filter_label(site, part.collection, part.filter),
        value_label(site, part.collection, part.filter, part.value),
    )


def record(site: Site, part: Slice) -> tuple[str, str] | None:
    """Name and page of the record that a list is of."""
    slug = part.value or ""
    target = site.symbols.targets(part.refers).get(slug) if part.refers else None
    return (target.name, paths.record_page(part.refers, slug)) if target else None


def _sorts(site: Site, part: Slice) -> list[tuple[str, str, bool]]:
    """The orders that a whole list has pages in: a label, the path, and whether it is this one."""
    collection = part.collection
    if part.filter is not None:
        return []
    return [
        (sort_label(site, collection, one.order), paths.list_page(one), one.sort == part.sort)
        for one in collection.whole_slices()
    ]


def sort_label(site: Site, collection: Collection, sort: str) -> str:
    """An order of a list, as in "by …"."""
    texts, key = site.theme.texts, sort.removeprefix("-")
    known = texts.known["list"]["sorts"]
    nouns = {name: of.many for name, of in site.grammar.collections.items()}
    if sort in known:
        return texts(f"list.sorts.{sort}", **nouns)
    label = filter_label(site, collection, key)
    return texts("list.greatest" if sort[0] == "-" else "list.least", label=label)


def _script(site: Site, part: Slice, number: int) -> bytes:
    """The script of a list, with what it is told: of the collection, and which page this is."""
    key = "script", part.collection.name
    known: list[bytes] | None = site.memo.get(key)
    if known is None:
        told = _told(site, part.collection) | dict.fromkeys(_OTHER, orjson.Fragment(b"\0"))
        html: str = rendering.macros(site, "script").of("list", told)
        known = site.memo[key] = html.encode().split(b"\0")
    opening, filtered, numbered, sorted_by, closing = known
    # Words of addresses, in which nothing is to be escaped.
    name, page, sort, value = map(orjson.dumps, (part.filter, number, part.sort, part.value))
    return b"".join((opening, name, filtered, page, numbered, sort, sorted_by, value, closing))


def _told(site: Site, collection: Collection) -> dict[str, Any]:
    filters = collection.filters.values()
    many = {
        "nouns": {
            name: {"one": of.one, "many": of.many} for name, of in site.grammar.collections.items()
        },
        "filters": [
            {
                "name": known.name,
                "label": filter_label(site, collection, known.name),
                "form": known.form,
                "named": is_named(site, known),
            }
            for known in filters
        ],
        "ranged": {known.form: RANGED[known.form] for known in filters if known.ranges},
        "words": {
            known.name: {**known_values}
            for known in filters
            if (known_values := declared(site, collection, known.name))
        },
        "sorts": [[sort, sort_label(site, collection, sort)] for sort in collection.sorts],
        "fields": {
            key: {"label": own.label, "unit": own.unit, "values": dict(own.values)}
            for key, own in site.grammar.fields.get(collection.name, {}).items()
            if own.summary
        },
        "roots": paths.ROOTS,
    }
    return {
        "collection": collection.name,
        "download": site.asset("download.js"),
        "label": collection.label,
        "api": collection.root,
        "root": f"{paths.ROOTS[collection.name]}/",
        **{name: settled(value) for name, value in many.items()},
    }
