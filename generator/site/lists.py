"""The pages of lists: one for each prepared page of a slice that has pages.

A page has the rows of its file of the API; the first page of a whole list also reads the counts of
the filters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson
from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.contract.listing import total_pages
from generator.grammar.filters import MAX_VALUES, RANGE_EXAMPLES, Facet
from generator.grammar.grammar import Collection, Filter, Slice
from generator.kinds.continents import CONTINENT_OF
from generator.site import paths, rendering, titles
from generator.site.fields import script_badge, script_field
from generator.site.labels import (
    are_one_series,
    beyond,
    declared,
    filter_label,
    is_named,
    reverse_label,
    shown_label,
    within_sentence,
)
from generator.site.links import panels
from generator.site.meta import About, Breadcrumb, Twin, home_breadcrumb
from generator.site.page_context import Site, sorts_with_records
from generator.site.rows import RowRenderer
from generator.site.theme import encoded_json

#: The number of values of a filter that are visible; the others are behind "more".
VISIBLE_VALUES = 5
#: The number of filters that are open; the script of lists has the same number.
OPEN_GROUPS = 3
#: The records that have a number if its median is shown, and the most numbers with a median.
_MEASURED, _MEDIANS = 10, 2
#: The most records whose names are in the description of a list.
_DESCRIBED = 12
#: The order that is offered first.
_NEWEST = "-year"


class FilterValue(NamedTuple):
    """A value of a filter with the number of its records; `to` is the path of its page or "".

    `within` has the smaller places within a place; `short` is the label of a region or city without
    the larger place, otherwise "".  `is_largest` marks the continent with most records.
    """

    value: str
    label: str
    number: int
    to: str
    short: str = ""
    within: tuple[FilterValue, ...] = ()
    is_largest: bool = False


class FilterGroup(NamedTuple):
    """A filter in the panel; `total` is the number of its values."""

    name: str
    label: str
    total: int
    values: list[FilterValue]


class Letter(NamedTuple):
    """Where the names with a first letter begin: the path `to` of the page with the anchor of the
    row, and the place of the row there.
    """

    label: str
    id: str
    page: int
    row: int
    to: str


class Shown(NamedTuple):
    """The values that all pages of a slice share.

    `chosen` is the filter and its value in words, `record` the name and page of
    the record that the value refers to, `first` the path of the first page, `root` the path of the
    whole list, `sorts` the other orders as (label, path, is this one), `letters` where names of
    several pages begin, `words` the title, `trail` the breadcrumbs.
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
    letters: list[Letter]
    words: str
    trail: tuple[Breadcrumb, ...]


def render(site: Site, part: Slice, number: int) -> Iterator[Artifact]:
    """A page of a list of records without dates; none if the API has no such page, or if no record
    has the value of the list.
    """
    texts, name, table = site.theme.texts, part.collection.name, site.tables[part.collection.name]
    positions, size = table.positions(part), site.settings.page_size
    pages = total_pages(len(positions), size)
    if number > pages or (part.filter is not None and not len(positions)):
        return
    here = positions[(number - 1) * size : number * size]
    page = {"number": number, "size": size, "count": len(here)}
    page |= {"total_items": len(positions), "total_pages": pages}
    key = name, part.filter, part.value, part.sort
    shown = site.memo.get_or_make(key, _shown, site, part, page, key)
    path, page_path = paths.numbered(shown.first, number), partial(paths.numbered, shown.first)
    title = f"{shown.words} – {texts('list.page', number=number)}" if number > 1 else shown.words
    parts = rendering.template_macros(site, "list-parts")
    twin = Twin("application/json", site.url(part.path(number)), texts("record.json"))
    summaries = table.summaries.at(here)
    rows = row_renderer(site, part.collection).html.all(summaries)
    for letter in shown.letters:
        if letter.page == number:
            item = b'<li id="letter-%b"' % letter.id.encode()
            rows[letter.row] = rows[letter.row].replace(b"<li", item, 1)
    names = (table.rows[position].name for position in here[:_DESCRIBED])
    is_series = part.collection.declared.series and are_one_series(
        part.collection, list(map(orjson.loads, summaries))
    )
    about = About(
        title,
        titles.of_list(site, title, page["total_items"], names),
        trail=shown.trail,
        twins=(twin,),
        canonical=paths.list_page(Slice(part.collection), number) if part.sort else "",
    )
    yield rendering.render_page(
        site,
        path,
        "list",
        about=about,
        groups=filter_groups(site, part.collection) if path == shown.root else None,
        seen=VISIBLE_VALUES,
        opened=OPEN_GROUPS,
        ahead=paths.words_ahead(part.collection, page["total_items"])[1],
        shown=shown,
        count=page["count"],
        is_series=is_series,
        twin=twin.href,
        crumbs=site.once(parts.crumbs, shown),
        top=site.once(parts.top, shown),
        bar=site.once(parts.bar, shown),
        tools=site.once(parts.tools, shown),
        overview=site.once(parts.overview, shown),
        amount=_amount(site, part, page),
        rows=Markup(b"".join(rows).decode()),
        pager=rendering.template_macros(site, "ui").pager(number, page["total_pages"], page_path),
        added=panels(site, "list", shown) if number == 1 else "",
        tray=site.memo.get_or_make(("tray", name), panels, site, "rows", part.collection),
        scripts=_script(site, part, number, page["total_items"]),
    )


def _amount(site: Site, part: Slice, page: Mapping[str, int]) -> str:
    """How many records a page of a list shows of how many; the script of lists says the same."""
    texts, collection, total = site.theme.texts, part.collection, page["total_items"]
    if not page["count"]:
        return texts("script.list.none")
    if page["total_pages"] > 1:
        first = (page["number"] - 1) * page["size"]
        return texts("list.range", first=first + 1, last=first + page["count"], count=total)
    if part.filter is not None:
        return texts("list.of", count=total, all=site.counts(collection.name).total)
    return texts("list.count", count=total, one=collection.one, many=collection.many)


def _shown(site: Site, part: Slice, page: Mapping[str, int], key: tuple[str | None, ...]) -> Shown:
    collection = part.collection
    value, root = filter_and_value(site, part), paths.list_page(Slice(collection))
    parent = (Breadcrumb(collection.label, root),) if part.filter is not None else ()
    if part.sort:
        title = f"{collection.label} – {sort_label(site, collection, part.sort)}"
    else:
        title = titles.list_title(site, part)
    return Shown(
        key,
        part,
        page["total_items"],
        title if part.filter is not None else collection.label,
        paths.list_page(part),
        value,
        referred_record(site, part),
        root,
        _sorts(site, part),
        _letters(site, part, page["size"]) if page["total_pages"] > 1 else [],
        title,
        (home_breadcrumb(site), *parent),
    )


def parse_head(raw: bytes) -> dict[str, Any]:
    """A list document without its rows."""
    start = b'"data":['
    document: dict[str, Any] = orjson.loads(raw[: raw.index(start) + len(start)] + b"]}")
    return document


def later_rows(site: Site, part: Slice, last: int, first: int = 1) -> Iterator[dict[str, Any]]:
    """The rows of a list from the page after `first` to the page `last`."""
    for number in range(first + 1, last + 1):
        yield from site.document(part.path(number))["data"]


def row_renderer(site: Site, collection: Collection) -> RowRenderer:
    """The row renderer of a collection, one for the whole site."""
    return site.memo.get_or_make(("rows", collection.name), RowRenderer, site, collection)


def filter_groups(site: Site, collection: Collection) -> list[FilterGroup]:
    """The filters that can narrow the list, each with its most frequent values."""
    data = site.kept_document(collection.filters_path)["data"]
    return [
        FilterGroup(name, filter_label(site, collection, name), data[name]["total_values"],
              _values(site, collection, collection.filters[name], data[name]["values"]))
        for name in site.narrowing(collection.name)
        if name in data
    ]  # fmt: skip


def _values(
    site: Site, collection: Collection, query_filter: Filter, counts: list[dict[str, Any]]
) -> list[FilterValue]:
    """The values by descending count, or by descending value if the filter takes ranges."""
    name = query_filter.name

    def filter_value(value: str, number: int, label: str | None = None) -> FilterValue:
        part = Slice(collection, name, value)
        page = paths.list_page(part) if paths.visited(part) else ""
        return FilterValue(value, shown_label(site, collection, name, value, label), number, page)

    values = [filter_value(c["value"], c["count"], c["label"]) for c in counts]
    if query_filter.range_form:
        return sorted(values, key=lambda v: v.value, reverse=True)
    if query_filter.vocabulary != "places":
        return values
    # The most frequent places can have a city without its country, which is as frequent.
    of, known = site.counts(collection.name).of, {v.value for v in values}
    codes = dict.fromkeys(v.value.partition("-")[0] for v in values)
    missing = [code for code in codes if code in CONTINENT_OF and code not in known]
    return nested([*values, *(filter_value(code, of(name, code)) for code in missing)])


def nested(values: Sequence[FilterValue]) -> list[FilterValue]:
    """Places as a tree: countries within continents, regions within countries, cities within both;
    otherwise in their order.

    The script of lists makes the same tree: generator/site/source/list/tree.mjs.

    A region or city is within another place if its slug and its label say so: us-ca is "CA, United
    States", within us, "United States".
    """
    by_slug = {value.value: value for value in values}
    within: dict[str, list[FilterValue]] = {}
    roots = []
    for value in values:
        larger = next(_larger(value, by_slug), None)
        if larger is None:
            roots.append(value)
        else:
            short = value.label.removesuffix(f", {larger.label}")
            short = short if short != value.label else ""
            within.setdefault(larger.value, []).append(value._replace(short=short))
    tree = [_with_smaller(value, within) for value in roots]
    return [value._replace(is_largest=i == 0) for i, value in enumerate(tree)]


def _larger(value: FilterValue, by_slug: Mapping[str, FilterValue]) -> Iterator[FilterValue]:
    """The places that a place is within, the smallest first."""
    slug = value.value.rpartition("-")[0]
    while slug:
        larger = by_slug.get(slug)
        if larger is not None and value.label.endswith(f", {larger.label}"):
            yield larger
        slug = slug.rpartition("-")[0]
    continent = CONTINENT_OF.get(value.value.partition("-")[0], "")
    if continent in by_slug:
        yield by_slug[continent]


def _with_smaller(value: FilterValue, within: Mapping[str, list[FilterValue]]) -> FilterValue:
    smaller = (_with_smaller(each, within) for each in within.get(value.value, ()))
    return value._replace(within=tuple(smaller))


def filter_and_value(site: Site, part: Slice) -> tuple[str, str] | None:
    """The filter of a list and its value in words, or None for a whole list."""
    if part.filter is None or part.filter in part.collection.virtual:
        return None
    assert part.value is not None
    return (
        filter_label(site, part.collection, part.filter),
        shown_label(site, part.collection, part.filter, part.value),
    )


def referred_record(site: Site, part: Slice) -> tuple[str, str] | None:
    """Name and page of the record that the value of a list refers to."""
    slug = part.value or ""
    target = site.symbols.targets(part.refers).get(slug) if part.refers else None
    return (
        (target.name, site.grammar.collections[part.refers].record_page(slug)) if target else None
    )


def _sorts(site: Site, part: Slice) -> list[tuple[str, str, bool]]:
    """The orders in which a whole list has pages, as (label, path, is this one)."""
    collection = part.collection
    if part.filter is not None:
        return []
    known = {other.order: other for other in collection.whole_slices()}
    return [
        (sort_label(site, collection, sort), paths.list_page(known[sort]), sort == part.order)
        for sort in _orders(site, collection)
        if sort in known
    ]


def _letters(site: Site, part: Slice, size: int) -> list[Letter]:
    """Where the names with each first letter begin in the order of names: signs and digits come
    before the Latin letters, those of other scripts after them.
    """
    if part.order != "name":
        return []
    table, first = site.tables[part.collection.name], paths.list_page(part)
    found: dict[str, Letter] = {}
    for place, position in enumerate(table.positions(part)):
        initial = table.rows[position].key[:1]
        label = initial.upper() if "a" <= initial <= "z" else "#" if initial < "a" else "…"
        if label not in found:
            page, row = place // size + 1, place % size
            name = {"#": "signs", "…": "others"}.get(label, initial)
            to = f"{paths.numbered(first, page)}#letter-{name}"
            found[label] = Letter(label, name, page, row, to)
    return [*found.values()]


def _orders(site: Site, collection: Collection) -> list[str]:
    """The orders of a list as they are offered: the newest first where there are years."""
    has_years = bool(site.counts(collection.name).values.get("year"))
    orders = sorts_with_records(collection, site.fit())
    return sorted(orders, key=lambda sort: not (has_years and sort == _NEWEST))


def sort_label(site: Site, collection: Collection, sort: str) -> str:
    """The label of an order, as in "by …"."""
    texts = site.theme.texts
    own = {f"-{f.path[-1]}" for f in collection.declared.counters}
    if sort in texts.known["list"]["sorts"] and sort not in own:
        nouns = {name: other.many for name, other in site.grammar.collections.items()}
        return texts(f"list.sorts.{sort}", **nouns)
    name, is_falling = sort.removeprefix("-"), sort[0] == "-"
    relations = site.grammar.kinds.relations[collection.name]
    counted = next((r for r in relations if r.own and r.key == name), None)
    if counted and counted.own:
        of = site.grammar[counted.collection]
        is_noun = site.grammar.kinds.has_noun(counted.own)
        label = of.many if is_noun else within_sentence(site, reverse_label(site, counted.own, of))
        return texts("list.most", label=label)
    by_filter = {f.filter or f.name: f for f in collection.declared.own}
    if name in by_filter and by_filter[name].type == "date":
        label = by_filter[name].label
        return texts("list.latest" if is_falling else "list.earliest", label=label)
    label = filter_label(site, collection, name)
    return texts("list.greatest" if is_falling else "list.least", label=label)


def _script(site: Site, part: Slice, number: int, total: int) -> Markup:
    key = "script", part.collection.name
    data = site.memo.get_or_make(key, _script_data, site, part.collection)
    page = {
        "filter": part.filter,
        "page": number,
        "sort": part.sort,
        "total": total,
        "value": part.value,
    }
    script: Markup = rendering.template_macros(site, "script").of("list", data | page)
    return script


def _script_row(site: Site, collection: Collection) -> dict[str, Any]:
    """Which fields the rows of a list have, and where; `site.rows` has the same."""
    kind = collection.declared
    return {
        "owners": [[".".join(f.path), f.filter, f.refers] for f in kind.owners],
        "badge": script_badge(site, collection),
        "counts": kind.counts,
        "fields": [[f.name, script_field(site, collection, f)] for f in kind.drawn if not f.is_own],
    }


def script_filter(site: Site, collection: Collection, query_filter: Filter) -> dict[str, Any]:
    through = beyond(site, collection, query_filter.name)
    return {
        "name": query_filter.name,
        "label": filter_label(site, collection, query_filter.name),
        "form": query_filter.form,
        "named": is_named(site, query_filter),
        **({"beyond": through[2]} if through else {}),
    }


def _numbers(site: Site, collection: Collection) -> list[tuple[str, dict[str, Any]]]:
    """The filters of numbers whose medians are shown, with their fields: those that most records
    have, of those that several have.
    """
    table, fields = site.tables[collection.name], collection.declared.fields.values()
    by_filter = {field.filter or field.name: field for field in fields}
    found = []
    for name in site.narrowing(collection.name):
        if collection.filters[name].form == "number":
            column = collection.numbers.index(name)
            if sum(row[column] is not None for row in table.numbers) >= _MEASURED:
                found.append((name, script_field(site, collection, by_filter[name])))
    return found[:_MEDIANS]


def script_titles(site: Site, collection: Collection) -> dict[str, Any]:
    """How a script calls what is chosen: generator/site/source/list/title.mjs."""
    return {
        "forms": titles.forms(site),
        "places": {
            place: name
            for place, name in titles.places(site).items()
            if name and site.tables[collection.name].count(Facet("location", place))
        },
        "or": site.theme.texts("titles.or"),
        "registry": site.settings.name,
    }


def _script_data(site: Site, collection: Collection) -> dict[str, Any]:
    filters = collection.filters.values()
    data = {
        "nouns": {
            name: {"one": other.one, "many": other.many}
            for name, other in site.grammar.collections.items()
        },
        "filters": [script_filter(site, collection, f) for f in filters],
        "ranged": {f.form: RANGE_EXAMPLES[f.form] for f in filters if f.range_form},
        "narrowing": site.narrowing(collection.name),
        "titles": script_titles(site, collection),
        "words": {f.name: words for f in filters if (words := declared(site, collection, f.name))},
        "sorts": [[sort, sort_label(site, collection, sort)] for sort in _orders(site, collection)],
        "fields": {
            f.path[-1]: script_field(site, collection, f)
            for f in collection.declared.own
            if f.listed and not f.refers and f.name != collection.declared.badged
        },
        "numbers": _numbers(site, collection),
        "roots": {c.name: c.pages for c in site.grammar.collections.values()},
        "row": _script_row(site, collection),
    }
    return {
        "collection": collection.name,
        "download": site.asset("download.js"),
        "figures": site.asset("figures.js"),
        "instead": site.asset("instead.js"),
        "panel": site.asset("panel.js"),
        "copy": site.asset("copy.js"),
        "card": site.asset("card.js"),
        "snippets": site.asset("snippets.js"),
        "label": collection.label,
        "all": site.counts(collection.name).total,
        "api": collection.root,
        "order": collection.sorts[0],
        "most": MAX_VALUES,
        "root": f"{collection.pages}/",
        **({"isOwn": True} if collection.declared.is_own else {}),
        **{name: encoded_json(value) for name, value in data.items()},
    }
