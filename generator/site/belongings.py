"""The records that refer to a record, on its page: events, cohorts with pages of their own,
projects and others, each read from the lists of the API.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from heapq import nlargest
from itertools import islice
from typing import Any, NamedTuple

import orjson
from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Collection, Slice
from generator.kinds.declare import Field
from generator.model.tables.programs import beginning
from generator.site import cohorts, labels, lists, meta, paths, rendering, titles
from generator.site.fields import Record
from generator.site.page_context import Site

Summary = dict[str, Any]

#: The number of records that a page shows of each list.
ROWS_SHOWN = 8
#: The same of those that refer to it by a relation that the registry declares.
RELATED_SHOWN = 10


class OwnedRecords(NamedTuple):
    """Records that refer to a record: some summaries, the total, and the path of their list
    or "".  Cohorts with projects have a table, and many cohorts several pages; `entries` has the
    rows of lists as HTML instead of summaries.
    """

    of: Collection
    title: str
    rows: list[Summary]
    total: int
    path: str = ""
    table: cohorts.Cohorts | None = None
    pages: int = 1
    entries: Markup = Markup()


def lists_of(site: Site, collection: Collection, record: Record) -> Iterator[Slice]:
    """The lists of the records that refer to a record, if they have any."""
    for part in site.grammar.slices_for_value(collection, record["slug"]):
        if len(site.tables[part.collection.name].positions(part)):
            yield part


def belongings(site: Site, collection: Collection, record: Record) -> Iterator[OwnedRecords]:
    """The events, cohorts or programs, projects and others of a record; events last if all are
    over.
    """
    kinds, parts = site.grammar.kinds, dict[str, list[Slice]]()
    for part in lists_of(site, collection, record):
        parts.setdefault(part.collection.name, []).append(part)
    dated = {part: _last(site, part) for part in parts.get(kinds.timed, ())}
    ends = [row["ends_at"] for rows, _ in dated.values() for row in rows]  # None without an end
    is_over = ends and None not in ends and max(ends) < f"{site.as_of}T00:00:00Z"
    others = (n for n in (kinds.series, kinds.counted, *kinds) if n != kinds.timed)
    for name in dict.fromkeys((*others, kinds.timed) if is_over else (kinds.timed, *others)):
        if name == collection.name and collection.declared.series:
            yield from islice(_cohorts_by_page(site, record), 1)
        for part in parts.get(name, ()):
            kind, relation = part.collection.declared, _relation(part)
            if relation and not kind.timed:
                yield _related(site, part, relation)
                continue
            rows_of = _programs if kind.series else _newest
            rows, total = dated[part] if kind.timed else rows_of(site, part)
            label = part.collection.label
            if part.filter != collection.kind:
                label += f" ({labels.filter_label(site, part.collection, str(part.filter))})"
            yield OwnedRecords(part.collection, label, rows, total, paths.list_page(part))


def _relation(part: Slice) -> Field | None:
    """The relation of registry.yaml that a list is of."""
    return next((f for f in part.collection.declared.own if f.filter == part.filter), None)


def _related(site: Site, part: Slice, relation: Field) -> OwnedRecords:
    """The first records that refer to a record by a relation, under the label of its other side."""
    of, table = part.collection, site.tables[part.collection.name]
    positions, title = table.positions(part), labels.reverse_label(site, relation, of)
    some = of_summaries(site, of, [table.summaries[n] for n in positions[:RELATED_SHOWN]])
    return some._replace(title=title, total=len(positions), path=paths.list_page(part))


def of_summaries(site: Site, of: Collection, encoded: Sequence[bytes]) -> OwnedRecords:
    """Records by their summaries as JSON, as the rows of lists; dates have rows of their own."""
    if of.declared.timed:
        return OwnedRecords(of, "", list(map(orjson.loads, encoded)), len(encoded))
    entries = b"".join(lists.row_renderer(site, of).html.all(encoded)).decode()
    return OwnedRecords(of, "", [], len(encoded), entries=Markup(entries))


def _cohorts_by_page(site: Site, program: Record) -> Iterator[OwnedRecords]:
    """The programs whose parent is `program`, newest first, page by page."""
    rows = list(map(orjson.loads, site.cohorts(program["slug"])))
    pages, title = -(-len(rows) // cohorts.MAX_ROWS), site.theme.texts("record.cohorts")
    have_projects = any(row.get(site.grammar.kinds.counted) for row in rows)
    for start in range(0, len(rows), cohorts.MAX_ROWS):
        some = rows[start : start + cohorts.MAX_ROWS]
        table = cohorts.table(site, some) if have_projects else None
        yield OwnedRecords(site.grammar.series, title, some, len(rows), table=table, pages=pages)


def cohort_pages(site: Site, program: Record, about: meta.About) -> Iterator[Artifact]:
    """The pages of the cohorts of a program after the first, which is on the program's own page."""
    pages, texts = _cohorts_by_page(site, program), site.theme.texts
    for number, listed in islice(enumerate(pages, 1), 1, None):
        title = f"{listed.title} – {texts('list.page', number=number)}"
        path = site.grammar.series.record_page(program["slug"])
        trail = (*about.trail, meta.Breadcrumb(program["name"], path))
        yield rendering.render_page(
            site,
            paths.cohorts_page(path, number),
            "record/cohorts",
            about=meta.About(
                f"{title} – {about.title}",
                titles.of_list(
                    site, about.title, listed.total, [row["name"] for row in listed.rows]
                ),
                trail=trail,
            ),
            heading=title,
            listed=listed,
            number=number,
            cohorts_page=partial(paths.cohorts_page, path),
        )


def _programs(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The programs of a list, those without a parent first, then newest first."""
    first = site.document(part.path())
    rows = [*first["data"], *lists.later_rows(site, part, first["page"]["total_pages"])]
    rows.sort(key=beginning, reverse=True)
    rows.sort(key=lambda row: row["parent"] is not None)
    return rows[:ROWS_SHOWN], len(rows)


def _newest(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The newest records of a list by their year, else its first, and its length."""
    table, names = site.tables[part.collection.name], part.collection.numbers
    shown = positions = table.positions(part)
    if "year" in names:
        column = names.index("year")
        shown = nlargest(ROWS_SHOWN, positions, key=lambda n: table.numbers[n][column] or 0)
    return [orjson.loads(table.summaries[n]) for n in shown[:ROWS_SHOWN]], len(positions)


def _last(site: Site, part: Slice) -> tuple[list[Summary], int]:
    """The last records of a list in reverse order, and its length."""
    first = site.document(part.path())
    rows, last = first["data"], first["page"]["total_pages"]
    if last > 1:  # the last page may have only a few records
        rows = [row for n in (last - 1, last) for row in site.document(part.path(n))["data"]]
    return rows[: -ROWS_SHOWN - 1 : -1], first["page"]["total_items"]
