"""`registry match`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator.cli._rows import RowPrinter, formatted, json_line, print_bytes, usual
from generator.cli._where import WholeNumber, find_collection, option, registry, source_options

if TYPE_CHECKING:
    from generator.edit.tables.sheet import Sheet
    from generator.reader.client import Client, ListedCollection


class NameQuestion(NamedTuple):
    """A name, or what stands for one, with websites and places of what it names.

    `limit` is the maximum number of candidates; None gives the likely ones.
    """

    name: str
    sites: Sequence[str] = ()
    places: Sequence[str] = ()
    limit: int | None = None


_FIELDS = ("row", "asked", "verdict", "score", "slug", "name", "reasons")


@click.command("match", short_help="Find the records that the names in a table mean.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@option("--column COLUMN", "The column with the names.  [default: the first]")
@option("--website COLUMN", "The column with websites.")
@option("--country WHERE", "The column with countries or places, or one place for all rows.")
@option(
    "--limit N",
    "Show up to N candidates of a row, also less similar names.  [default: up to 5 if "
    "one scores more than 90, else up to 3 of 70 or more]",
    type=WholeNumber(1, 10),
)
@option("--collection NAME", "The collection to look in.  [default: the first]")
@formatted
@source_options
def command(
    file: str,
    column: str | None,
    website: str | None,
    country: str | None,
    limit: int | None,
    collection: str | None,
    form: str | None,
    **where: Any,
) -> int:
    """Find the record that each row of FILE, a table, means, by its name.

    The verdict is `match` if one record alone has this name, former name, website or slug, also if
    only the legal form (Inc, GmbH) of the name or the brackets at its end differ; `maybe` if a name
    scores 70 or more; else `none`.  The score is at most 100.
    """
    sheet = _read(file)
    chosen = {"--column": column or next(iter(sheet.columns), ""), "--website": website}
    for name, wanted in chosen.items():
        if wanted is not None and wanted not in sheet.columns:
            known = ", ".join(sheet.columns)
            raise click.BadParameter(f'no column "{wanted}"; one of: {known}', param_hint=name)
    questions = {
        row.number: _question(row.values, chosen, country, sheet.columns, limit)
        for row in sheet.rows
    }
    with registry(**where) as client:
        [first, *_] = client.collections
        of = find_collection(client, collection or first)
        found = match_names(client, of, [*questions.values()])
        rows = (
            {"row": number, "asked": question.name, "verdict": _verdict(each), "candidates": each}
            for (number, question), each in zip(questions.items(), found, strict=True)
        )
        _print(rows, form or usual())
    return 0


def _read(file: str) -> Sheet:
    from generator.edit.tables.sources import read

    return read(file)


def _question(
    values: Mapping[str, Any],
    chosen: Mapping[str, str | None],
    country: str | None,
    columns: Sequence[str],
    limit: int | None,
) -> NameQuestion:
    def cell(name: str | None) -> str:
        return str(values.get(name or "") or "").strip()

    place = cell(country) if country in columns else country or ""
    site = cell(chosen["--website"])
    name = cell(chosen["--column"])
    return NameQuestion(name, [site] * bool(site), [place] * bool(place), limit)


def match_names(
    client: Client, of: ListedCollection, questions: Sequence[NameQuestion]
) -> Iterator[list[dict[str, Any]]]:
    """The candidates of each question, as the Reconciliation Service API has them.

    Raises QueryError and ClientError.
    """
    from generator.features.matching import names

    for start in range(0, len(questions), names.MAX_BATCH):
        asked = questions[start : start + names.MAX_BATCH]
        batch = {str(n): _query(question) for n, question in enumerate(asked)}
        raw = client.post_form(f"{names.RECONCILE}/{of.name}", [("queries", json.dumps(batch))])
        results = json.loads(raw)
        yield from (results[key]["result"] for key in batch)


def _query(question: NameQuestion) -> dict[str, Any]:
    from generator.features.matching import names

    properties = [
        {"pid": pid, "v": [*values]}
        for pid, values in (
            (names.SITE_PROPERTIES[0], question.sites),
            (names.PLACE_PROPERTIES[0], question.places),
        )
        if values
    ]
    limit = {} if question.limit is None else {"limit": question.limit}
    return {"query": question.name[: names.MAX_CHARACTERS], "properties": properties, **limit}


def _verdict(candidates: Sequence[Mapping[str, Any]]) -> str:
    from generator.features.matching.names import LIKELY

    if any(each["match"] for each in candidates):
        return "match"
    return "maybe" if candidates and candidates[0]["score"] >= LIKELY else "none"


def _print(rows: Iterator[dict[str, Any]], form: str) -> None:
    if form == "json":
        print_bytes(json_line({"rows": [*rows]}))
        return
    printer = RowPrinter(form, _FIELDS, _flat)
    if form != "table":
        for row in rows:
            printer.put([row])
    else:
        every = [*rows]
        printer.put(every)
        counts = (f"{sum(row['verdict'] == v for row in every):,} {v}" for v in _VERDICTS)
        click.echo(", ".join(counts))


_VERDICTS = ("match", "maybe", "none")


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its match, or its best candidate; empty if there is none."""
    flat = {**dict.fromkeys(_FIELDS, ""), **{name: row[name] for name in _FIELDS[:3]}}
    if row["verdict"] == "none":
        return flat
    best = next((each for each in row["candidates"] if each["match"]), row["candidates"][0])
    reasons = (
        feature["id"] if feature["value"] is not False else f"not {feature['id']}"
        for feature in best["features"]
    )
    return flat | {
        "score": best["score"],
        "slug": best["id"],
        "name": best["name"],
        "reasons": " ".join(reasons),
    }
