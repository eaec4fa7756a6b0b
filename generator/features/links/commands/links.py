"""`registry links`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from generator import UserError
from generator.cli._where import WholeNumber, content_option, option, path_in_content
from generator.cli.edit._edit import carry_out

if TYPE_CHECKING:
    from generator.features.links.lychee import LinkAnswer
    from generator.features.links.records import LinkPlace

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def _age(context: click.Context, parameter: click.Parameter, value: str) -> timedelta:
    if match := re.fullmatch("([0-9]{1,4})([hdw])", value):
        return timedelta(**{_UNITS[match[2]]: int(match[1])})
    raise click.BadParameter(f"{value} is not a time like 12h, 30d or 4w")


@click.command("links", short_help="Ask the addresses in records whether they still answer.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option("--older AGE", "Only addresses last checked longer ago than this: 12h, 30d.", default="1d",
        callback=_age)  # fmt: skip
@option("--write-verified", "Write `verified` into records if all their addresses answered.")
@option("--stalest N", "Ask nothing; list the records that were verified longest ago.",
        WholeNumber(1))  # fmt: skip
@option("--format", "The format of the report.", click.Choice(["text", "json"]),
        name="form", default="text")  # fmt: skip
def command(
    files: tuple[str, ...],
    content: str,
    older: timedelta,
    write_verified: bool,
    stalest: int | None,
    form: str,
) -> int:
    """Ask the websites, links and sources of all records, or of some files, whether they answer.

    lychee asks them, one request a second to a host.  Only 404, 410 and an address that nobody can
    reach count as broken, not 403, 429, 5xx or a host that is too slow.
    """
    from contextlib import redirect_stdout
    from sys import stderr

    from generator.cli._report import progress_bar
    from generator.edit.workspace import scan_records
    from generator.features.links.lychee import ask_all
    from generator.features.links.records import LinkedRecords
    from generator.problems.diagnostic import printable

    records = LinkedRecords(
        scan_records(content), [path_in_content(content, file) for file in files]
    )
    for path in records.unread:
        click.echo(f"{printable(path)} cannot be read: run `registry check`.", err=True)
    if stalest is not None:
        for day, path in records.stalest(stalest):
            click.echo(f"{day or 'never':<10}  {printable(path)}")
        return 0
    urls = records.urls()
    with progress_bar() as progress:
        answers, failure = ask_all(urls, older, progress)
    is_json = form == "json"
    places = records.places([url for url, a in answers.items() if is_json or a.code != "ok"])
    if is_json:
        addresses = [
            {"url": url} | answer._asdict() | {"places": [place._asdict() for place in places[url]]}
            for url, answer in answers.items()
        ]
        click.echo(json.dumps({"addresses": addresses}, ensure_ascii=False, indent=1))
    else:
        for line in _report(places, answers, len(urls), "" if failure else " in time"):
            click.echo(printable(line))
    if write_verified:
        with redirect_stdout(stderr):
            carry_out(content, lambda: records.plan_verified(answers), "", dry=False)
    if failure:
        raise UserError(failure)
    return int(any(answer.verdict == "broken" for answer in answers.values()))


def _report(
    places: Mapping[str, list[LinkPlace]], answers: Mapping[str, LinkAnswer], number: int, why: str
) -> Iterator[str]:
    """The lines of the report; `why` says why some of the `number` have no answer."""
    for what, hint in (("broken", "correct or remove it"), ("moved", "write the new address")):
        found = [url for url, a in answers.items() if what in (a.verdict, a.code)]
        for place, url in sorted((place, key) for key in found for place in places[key]):
            yield f"{place.path}:{place.line}: {place.field} is {what}: {hint}"
            yield f"  {url} {answers[url].detail}"
    unknown = Counter(a.detail for a in answers.values() if a.verdict == "unknown")
    for detail, count in unknown.most_common(10):
        yield f"{count:,} without a verdict: {detail}"
    counts = Counter(answer.verdict for answer in answers.values())
    moved = sum(answer.code == "moved" for answer in answers.values())
    left = number - len(answers)
    yield (
        f"{number:,} address{'es' * (number != 1)}: {counts['ok']:,} answered ({moved:,} moved), "
        f"{counts['broken']:,} broken, {counts['unknown']:,} without a verdict"
        + (f", {left:,} not asked{why}: run the command again." if left else ".")
    )
