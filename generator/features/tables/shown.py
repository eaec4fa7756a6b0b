"""The output of `registry import`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

import click

from generator.cli._report import excerpts, show_problems
from generator.cli._rows import as_cell, line, width, widths
from generator.dialect.folder import read_file
from generator.edit.tables.columns import column_values
from generator.features.tables.matching import Outcome
from generator.features.tables.problems import Cells
from generator.features.tables.run import Done
from generator.problems.diagnostic import Diagnostic, is_error, printable
from generator.problems.faults import shorten

T = TypeVar("T")

_ROOM = 120  # cells of a line
_WHAT = {
    "new": "new", "changed": "changed", "same": "as they are", "conflict": "in conflict",
    "error": "with errors",
}  # fmt: skip
_PREVIEW = 10  # records shown before they are written
_MOST = 40  # rows, words and problems shown without --all


def print_result(result: Done, every: bool, preview: bool) -> None:
    """Report the result for each row, and the words of the table that differ in the registry.

    A `preview` also shows the first records as they would be, and what changes by field.
    """
    counts = Counter(outcome.verdict for outcome in result.outcomes)
    told = [f"{counts[what]:,} {words}" for what, words in _WHAT.items() if counts[what]]
    number = len(result.outcomes)
    head = f"{printable(result.table.path)}: {number:,} row{'s' * (number != 1)}"
    click.echo(f"{head} → {result.asked.collection}: {', '.join(told) or 'none'}")
    outcomes = [outcome for outcome in result.outcomes if outcome.verdict != "same"]
    if outcomes:
        click.echo()
        _print_rows(_first(outcomes, every))
        _print_rest(outcomes, every)
    words = [
        (f'{name}: "{printable(text)}"', _meaning(word), f"{len(word.texts):,}×")
        for (name, text), word in result.last.words.items()
    ]
    if words:
        click.echo()
        _print_table(_first(words, every))
        _print_rest(words, every)
    if result.added:
        click.echo()
        for change in result.added:
            click.echo(f"  {'new' if change.before is None else 'changed'}  {change.path}")
    if preview:
        _print_records(result)
    _print_fields(result, preview)
    click.echo()


def _print_records(result: Done) -> None:
    """The first records of rows as they would be, with the fields that change."""
    drafts = [o for o in result.last.outcomes if o.verdict in ("new", "changed")][:_PREVIEW]
    rows = [{"slug": o.slug, **dict(column_values(o.data))} for o in drafts]
    written = [name for name, counts in result.by_field.items() if any(counts[:2])]
    names = ["slug", *(name for name in written if any(row.get(name) for row in rows))]
    if not rows:
        return
    cells = [[printable(shorten(str(as_cell(row.get(n))), 40)) for n in names] for row in rows]
    table = [names, *cells]
    click.echo()
    shown = _print_table(table)
    if shown < len(names):
        click.echo(f"  … and {', '.join(names[shown:])}")


def _print_fields(result: Done, preview: bool) -> None:
    """How many values are new, changed and left out, by field; else only those left out."""
    found = result.by_field
    if not preview:
        found = {name: (0, 0, left) for name, (_, _, left) in found.items() if left}
    heads = ("new", "changed", "left out")
    shown = [i for i in range(3) if any(counts[i] for counts in found.values())]
    rows = [["", *(heads[i] for i in shown)]]
    rows += [[name, *(f"{of[i]:,}" if of[i] else "" for i in shown)] for name, of in found.items()]
    if shown:
        click.echo()
        _print_table(rows)


def _print_table(rows: Sequence[Sequence[str]]) -> int:
    """Print rows in columns, and return how many of these there is room for."""
    columns = widths(rows, _ROOM)
    for row in rows:
        click.echo(f"  {line(row, columns)}", nl=False)
    return len(columns)


def print_problems(problems: list[Diagnostic], texts: Mapping[str, str], every: bool) -> None:
    """Print the first problems, each with its line of a table, in `texts`, or of the map."""

    def read(path: str) -> bytes:
        return texts[path].encode() if texts.get(path) else read_file(path)

    if len(problems) > _MOST and not every:
        problems = sorted(problems, key=lambda problem: not is_error(problem))
    show_problems(_first(problems, every), excerpts(read))
    _print_rest(problems, every, begin="", err=True)


def _print_rows(outcomes: Sequence[Outcome]) -> None:
    rows = [(f"row {one.row.number}", one.verdict, printable(one.slug)) for one in outcomes]
    columns = widths(rows, _ROOM)
    for outcome, cells in zip(outcomes, rows, strict=True):
        head = line(cells, columns).rstrip()
        why = list(map(printable, outcome.notes))  # never cut, because changes may lose data
        room = sum(columns) + 2 * len(columns)
        if room + width(joined := "; ".join(why)) <= _ROOM:
            click.echo(f"  {head}{' ' * (room - width(head))}{joined}".rstrip())
        else:
            click.echo("\n".join([f"  {head}", *(f"    {reason}" for reason in why)]))


def _first(some: Sequence[T], every: bool) -> Sequence[T]:
    return some if every else some[:_MOST]


def _print_rest(
    some: Sequence[object], every: bool, *, begin: str = "  ", err: bool = False
) -> None:
    if len(some) > _MOST and not every:
        click.echo(f"{begin}… and {len(some) - _MOST:,} more: --all shows them", err=err)


def _meaning(word: Cells) -> str:
    meant = word.meant
    if meant.choices:
        labels = (printable(choice.label) for choice in meant.choices)
        return f"unknown; can be {' or '.join(labels)}"
    near = f"; {printable(meant.near)}" if meant.nearest else ""
    if meant.value is None:
        return f"unknown{near}"
    return f'→ "{printable(meant.value)}"' + (f", new{near}" if meant.is_new or near else "")
