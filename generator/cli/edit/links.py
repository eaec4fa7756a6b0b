"""`registry links`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import content_option, option, path_in_content
from generator.cli.edit._edit import carry_out

if TYPE_CHECKING:
    from generator.edit.links.asking import Answer
    from generator.edit.links.records import Records

_HOURS = {"h": 1, "d": 24, "w": 168}


def _seconds(context: click.Context, parameter: click.Parameter, value: str) -> float:
    if match := re.fullmatch("([0-9]{1,4})([hdw])", value):
        return int(match[1]) * _HOURS[match[2]] * 3600.0
    raise click.BadParameter(f"{value} is not a time like 12h, 30d or 4w")


@click.command("links", short_help="Ask the addresses in records whether they still answer.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option("--older AGE", "Ask only addresses not asked for this long: 12h, 30d.", default="1d",
        callback=_seconds)  # fmt: skip
@option("--minutes N", "Stop after this time.", click.IntRange(1, 600), default=60)
@option("--write-verified", "Write `verified` into records all of whose addresses answered.")
@option("--stalest N", "Ask nothing; list the records that were verified longest ago.",
        click.IntRange(1))  # fmt: skip
@option("--format", "The format of the report.", click.Choice(["text", "json"]),
        name="form", default="text")  # fmt: skip
def command(
    files: tuple[str, ...],
    content: str,
    older: float,
    minutes: int,
    write_verified: bool,
    stalest: int | None,
    form: str,
) -> int:
    """Ask the websites, links and sources of all records, or of some files, whether they answer.

    One request a second goes to a host, as its robots.txt allows.  Only 404, 410 and an address
    that nobody can reach count as broken, not 403, 429, 5xx or a host that is too slow.
    """
    from contextlib import redirect_stdout
    from sys import stderr

    from generator.dialect.folder import scan
    from generator.edit.links.records import Records
    from generator.problems.diagnostic import printable

    records = Records(scan(content), [path_in_content(content, file) for file in files])
    for path in records.unread:
        click.echo(f"{printable(path)} cannot be read: run `registry check`.", err=True)
    if stalest is not None:
        days = records.stalest(stalest)
        if form == "json":
            _echo_json({"stalest": [{"path": path, "verified": day} for path, day in days]})
        else:
            _echo_lines(f"{day or 'never':<10}  {path}" for path, day in days)
        return 0
    urls = records.urls()
    answers = _ask(urls, older, minutes * 60.0)
    if form == "json":
        _echo_json({"addresses": list(_addresses(records, answers))})
    else:
        _echo_lines(_report(records, answers, len(urls)))
    if write_verified:
        with redirect_stdout(stderr):
            carry_out(content, lambda: records.plan_verified(answers), "", dry=False)
    return int(any(answer.verdict == "broken" for answer in answers.values()))


def _echo_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def _echo_lines(lines: Iterable[str]) -> None:
    from generator.problems.diagnostic import printable

    for line in lines:
        click.echo(printable(line))


def _ask(urls: Sequence[str], older: float, seconds: float) -> dict[str, Answer]:
    """The known and new answers, in the order of `urls`; without addresses not asked in time."""
    from generator.cli._report import progress_bar
    from generator.edit.links.answers import Answers
    from generator.edit.links.asking import Asker, ask_all
    from generator.reader.etags import default_cache_folder

    folder = default_cache_folder()
    cache = Answers(folder / "links") if folder else None
    answers = {url: known for url in urls if cache and (known := cache.get(url, older))}
    missing = [url for url in urls if url not in answers]
    with progress_bar() as progress:
        for url, answer in ask_all(missing, Asker(), seconds):
            if cache:
                cache.put(url, answer)
            answers[url] = answer
            progress("links", len(answers), len(urls))
    return {url: answers[url] for url in urls if url in answers}


def _report(records: Records, answers: Mapping[str, Answer], number: int) -> Iterator[str]:
    """The lines of the report about `number` addresses."""
    places = records.places([url for url, answer in answers.items() if answer.code != "ok"])
    for what, hint in (("broken", "correct or remove it"), ("moved", "write the new address")):
        found = {url: a for url, a in answers.items() if what in (a.verdict, a.code)}
        for place, url in sorted((place, key) for key in found for place in places[key]):
            yield f"{place.path}:{place.line}: {place.field} is {what}: {hint}"
            yield f"  {url} {found[url].detail}"
    unknown = Counter(a.detail for a in answers.values() if a.verdict == "unknown")
    for detail, count in unknown.most_common(10):
        yield f"{count:,} without a verdict: {detail}"
    counts = Counter(answer.verdict for answer in answers.values())
    moved = sum(answer.code == "moved" for answer in answers.values())
    left = number - len(answers)
    yield (
        f"{number:,} address{'es' * (number != 1)}: {counts['ok']:,} answered ({moved:,} moved), "
        f"{counts['broken']:,} broken, {counts['unknown']:,} without a verdict"
        + (f", {left:,} not asked in time: run the command again." if left else ".")
    )


def _addresses(records: Records, answers: Mapping[str, Answer]) -> Iterator[dict[str, Any]]:
    from datetime import UTC, datetime

    places = records.places(answers)
    for url, answer in answers.items():
        when = datetime.fromtimestamp(answer.asked_at, UTC).isoformat(timespec="seconds")
        found = [place._asdict() for place in places[url]]
        yield {"url": url} | answer._asdict() | {"asked_at": when, "places": found}
