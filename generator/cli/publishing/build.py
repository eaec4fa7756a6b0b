"""`registry build`."""

from __future__ import annotations

import os
import re
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator import UserError
from generator.cli._where import (
    WholeNumber,
    added_options,
    base_url_of_content,
    content_option,
    first_option,
    nothing_published,
    option,
    site_options,
)
from generator.feature import Hook, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generator.build.options import Against, Asked
    from generator.guard.state import State
    from generator.published.history.provenance import Moment
    from generator.published.report import Report


PREPARE: Hook[Callable[[Asked], None]] = Hook("building", "prepare", "asked")


def _day(context: click.Context, parameter: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        today = datetime.now(UTC).date()
        raise click.BadParameter(f'"{value}" is not a date. Write YYYY-MM-DD, like {today}')
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value} is not in the calendar") from None


def _with_options_of_features(command: click.Command) -> click.Command:
    """The command with the options of features after `--jobs`.  Raises FeatureError if two options
    have one name.
    """
    owners = {name: "the generator" for of in command.params for name in of.opts}
    added: list[click.Parameter] = []
    for feature, module in parts("building"):
        for parameter in added_options(module):
            added.append(parameter)
            for name in parameter.opts:
                feature.claim(name, f"option {name} of registry build", owners)
    place = [parameter.name for parameter in command.params].index("jobs") + 1
    command.params[place:place] = added
    return command


@_with_options_of_features
@click.command("build")
@content_option
@option(
    "--out WHERE",
    "The folder for the build, replaced as a whole, or the URL of a bucket.",
    default="build",
)
@option("--as-of DATE", "The day from which dates are upcoming, YYYY-MM-DD.", callback=_day)
@option(
    "--host NAME",
    "Write rules for this host; may be repeated.  [default: hosts of registry.yaml]",
    name="hosts",
    multiple=True,
)
@option(
    "--jobs N",
    "Processes to use.  [default: one for each processor, one below 1,500 records]",
    WholeNumber(1, 256),
)
@option("--explain", "List each file that differs from the last build, with its record.")
@option("--allow-loss", "Build although a guard about losses stops it.")
@option(
    "--against WHERE",
    "What guards compare the build with: `published` (the base_url of registry.yaml), "
    "a base URL, the folder of a build, or a .json file that is kept from build to build."
    "  [default: the last build in --out]",
)
@first_option
@site_options
@option("--strict", "Treat warnings as errors, except those that depend on the day.")
def command(
    content: str,
    out: str,
    as_of: date | None,
    hosts: tuple[str, ...],
    jobs: int | None,
    explain: bool,
    allow_loss: bool,
    against: str | None,
    first: bool,
    no_site: bool,
    templates: str | None,
    strict: bool,
    **given: Any,
) -> int:
    """Build the API from the content.

    The last build stays in place until the new one is complete.
    """
    began = time.perf_counter()
    from generator.build.options import Asked, BuildOptions
    from generator.cli._report import show_problems, unchanged_sentence
    from generator.published.history.provenance import moment

    _require_hosts(hosts)
    now = moment(content, as_of)
    options = BuildOptions(
        hosts=hosts,
        jobs=jobs,
        strict=strict,
        loss="allow" if allow_loss else "stop",
        against=_against(against, content, first),
        site=not no_site,
        templates=templates,
    )
    asked = Asked(content, out, options, given)
    report = _build(asked, now)
    show_problems(report.problems, is_build=True)
    if report.failed:
        click.echo(f"Nothing was written; {unchanged_sentence(asked.out)}.", err=True)
        return 1
    if explain:
        from generator.build.explain import explain_difference

        for line in explain_difference(report.difference, asked.content):
            click.echo(line)
    _summary(report, asked, time.perf_counter() - began)
    for act in asked.afterwards:
        act()
    _write_state_file(against, report)
    return 0


def _require_hosts(hosts: Sequence[str]) -> None:
    import generator.hosts
    from generator.contract.artifact import module_names
    from generator.problems.diagnostic import suggest_word

    known = module_names(generator.hosts)
    for name in hosts:
        if name not in known:
            raise click.BadParameter(
                f'no rules for "{name}"; {suggest_word(name, known)}', param_hint="--host"
            )


def _build(asked: Asked, now: Moment) -> Report:
    from dataclasses import replace

    from generator.build import build
    from generator.cli._report import progress_bar
    from generator.reader.location import is_url

    def waiting() -> None:
        click.echo(f"Another build of {asked.out} is running; waiting for it.", err=True)

    with progress_bar() as progress:
        for prepare in PREPARE:
            prepare(asked)
        if is_url(asked.out):
            raise click.BadParameter("it is not a folder", param_hint="--out")
        options = replace(asked.options, progress=progress, waiting=waiting)
        return build(asked.content, Path(asked.out), now, options)


def _against(where: str | None, content: str, first: bool) -> Against | None:
    """The state that `--against` names; None if nothing is published before the `first` publish."""
    if where is None:
        return None
    from generator.build.options import Against

    if where == "published":
        where = base_url_of_content(content)
        if where is None:
            nothing_published("registry.yaml has no base_url", first)
            return Against(None)
    if _is_kept(where):
        return Against(_read_state_file(where, content, first))
    return Against(_published(where, first))


def _published(where: str, first: bool) -> State | None:
    """The state at a base URL, or in the folder of a build."""
    from generator.problems.diagnostic import printable
    from generator.published.content.guards import published_state
    from generator.reader.documents import ClientError

    if "://" not in where and not os.path.isdir(where):
        raise click.BadParameter(
            f"{where} is not a base URL, the folder of a build or a .json file",
            param_hint="--against",
        )
    try:
        state = published_state(where)
    except ClientError as error:
        raise UserError(
            f"{error}\nThe guards cannot read what is published. If nothing is "
            "published yet, build without --against."
        ) from error
    if state is None:
        nothing_published(f"Nothing is published at {printable(where)}", first)
    return state


def _read_state_file(where: str, content: str, first: bool) -> State | None:
    from generator.published.content.guards import parse_state

    try:
        raw = Path(where).read_bytes()
    except FileNotFoundError:
        nothing_published(f"There is no file {where}", first)
        return None
    state = parse_state(raw, content)
    if state is None:
        raise UserError(
            f"{where} is not a file that a build kept. Remove it, and build with --first."
        )
    return state


def _is_kept(where: str) -> bool:
    return where.endswith(".json") and "://" not in where


def _write_state_file(where: str | None, report: Report) -> None:
    """Write the state that the next build is compared with into the file that `--against` names."""
    if where is None or not _is_kept(where) or report.state is None:
        return
    new = Path(f"{where}.new")
    new.write_text(report.state.dump(), "utf-8")
    new.replace(where)


def _summary(report: Report, asked: Asked, seconds: float) -> None:
    from generator.build.explain import count_difference
    from generator.dialect.folder import open_content
    from generator.published.content.guards import describe_changed_counts

    if report.is_current:
        click.echo(
            f"Nothing changed: {asked.out} is built from this content, on this day, with these "
            "options."
        )
        for line in report.notes:
            click.echo(line)
        click.echo(f"Checked in {seconds:.2f} s.")
        sys.stdout.flush()
        return
    sizes = report.sizes
    for name, count in report.records.items():
        files = sizes[f"{name}/slug"].files if f"{name}/slug" in sizes else 0
        mark = "" if files == count else "  <- not the same"
        others = {f"{name}/{surface}" for surface in ("slug", "moved", "context")}
        pages = sum(
            size.files for s, size in sizes.items() if s.startswith(f"{name}/") and s not in others
        )
        click.echo(f"  {name:<14} {count:>8,} records in {files:>8,} out {pages:>8,} pages{mark}")
    changed = describe_changed_counts(report.earlier, report.records)
    if changed is not None:
        click.echo(changed)
    click.echo(
        f"Built {asked.out}: {sizes.files:,} files, {sizes.bytes / 1e6:,.1f} MB, for "
        f"{', '.join(report.hosts)}."
    )
    for line in report.notes:
        click.echo(line)
    kinds = open_content(asked.content).kinds
    changes = count_difference(report.difference, sizes.files, kinds)
    click.echo(f"{changes} in {seconds:.2f} s.")
    sys.stdout.flush()
