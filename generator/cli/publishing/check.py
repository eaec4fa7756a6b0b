"""`registry check`, and what its codes mean: `registry explain`; `registry features`."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from generator import UserError
from generator.cli._where import WholeNumber, added_options, content_option, option, path_in_content
from generator.feature import features

if TYPE_CHECKING:
    from generator.feature import Feature
    from generator.model.symbols import Symbols
    from generator.problems.diagnostic import Diagnostic
    from generator.published.report import Report


@click.command("check", short_help="Report every problem of the content, or of some files.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@content_option
@option(
    "--format",
    "github prints workflow commands, gitlab a Code Quality report, sarif a SARIF 2.1.0 log, "
    "markdown a comment for a pull request.",
    click.Choice(["text", "json", "github", "gitlab", "markdown", "sarif"]),
    name="form",
    default="text",
)
@option("--jobs N", "Processes to use.", WholeNumber(1, 256))
@option("--out DIR", "The last build, to compare with.", default="build")
@option("--allow-loss", "No error of the guards about losses.")
@option("--strict", "Treat warnings as errors, except those that depend on the day.")
@option("--statistics", "Only the number of problems of each code.")
@option("--all", "Show accepted warnings too, with the reason.", name="every")
def check_command(
    files: tuple[str, ...],
    content: str,
    form: str,
    jobs: int | None,
    out: str,
    allow_loss: bool,
    strict: bool,
    statistics: bool,
    every: bool,
) -> int:
    """Report every problem of the content, or of some files; write nothing.

    Each FILE is checked with the whole registry.  Of other files, only problems of registry.yaml
    are reported.
    """
    from datetime import UTC, datetime
    from pathlib import Path

    from generator.cli._report import discard_output, show_problems
    from generator.disk.output_state import recover_output
    from generator.problems.diagnostic import sort_diagnostics
    from generator.published.check import check
    from generator.published.content.guards import Guard, last_state

    paths = [path_in_content(content, file) for file in files]
    if not files:
        recover_output(out)
    known = None if files else last_state(content, Path(out), surely=True)
    guard = Guard(known, "allow" if allow_loss else "stop")
    today = datetime.now(UTC).date()
    report = check(content, today, guard, jobs=jobs, strict=strict, files=paths)
    problems = report.problems
    if every:
        problems = sort_diagnostics([*problems, *report.accepted])
    try:
        if statistics:
            click.echo(_counts_by_code(problems), nl=False)
        elif form == "text":
            show_problems(problems, content=content, publishes=not strict)
            _print_report(report, len(set(paths)))
        else:
            from generator.cli._report import safe_mends
            from generator.cli.publishing._formats import render

            mends = {}
            if form in ("json", "sarif"):
                mends = safe_mends(content, problems)
            click.echo(render(problems, form, mends), nl=False)
    except BrokenPipeError:
        discard_output()  # the reader of the output closed it, as `head` does; the status stays
    if not files and report.symbols is not None:
        _report_old_files(content, report.symbols)
    return 1 if report.failed else 0


def _report_old_files(content: str, symbols: Symbols) -> None:
    """Name the files that features wrote into the repository and that no longer fit the registry,
    such as issue forms.

    This is no problem of the content: a new organization, a choice of a form, must not stop a
    publish.
    """
    from contextlib import suppress
    from pathlib import Path

    from generator.feature import Hook
    from generator.problems.diagnostic import printable

    outdated_files: Hook[Callable[[str, Symbols], Iterable[str]]]
    outdated_files = Hook("repository", "outdated", "repository, symbols")
    repository = str(Path(content).resolve().parent)
    with suppress(OSError):  # not for us to read
        for line in (line for of in outdated_files for line in of(repository, symbols)):
            click.echo(printable(line), err=True)


def _counts_by_code(problems: Sequence[Diagnostic]) -> str:
    """A line for each code: the number of its problems, how grave they are, and the code."""
    from collections import Counter

    counts = Counter[tuple[str, str]]()
    for problem in problems:
        counts[problem.severity, problem.code] += problem.count
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    wide = max((len(f"{number:,}") for _, number in ranked), default=0)
    return "".join(f"{number:>{wide},}  {grave:<8} {code}\n" for (grave, code), number in ranked)


def _print_report(report: Report, files: int) -> None:
    from generator.published.content.guards import describe_changed_counts

    if not report.problems:
        count, what = (files, "file") if files else (sum(report.records.values()), "record")
        click.echo(f"{count:,} {what}{'s' * (count != 1)}, no problem.")
    if report.elsewhere:
        click.echo(
            f"Other files have {report.elsewhere:,} problem{'s' * (report.elsewhere != 1)}: "
            "registry check",
            err=True,
        )
    changed = describe_changed_counts(report.earlier, report.records)
    for line in (*([changed] if changed is not None else []), *report.notes):
        click.echo(line)


@click.command("explain", short_help="Explain the code of a problem, and how to fix it.")
@click.argument("code", required=False)
def explain_command(code: str | None) -> int:
    """Explain the CODE of a problem: what it means, why it happens and how to fix it.
    Without CODE, list all codes.
    """
    from generator.problems.codes import codes
    from generator.problems.diagnostic import suggest_word

    known = codes()
    if code is None:
        width = max(map(len, known))
        for name, one in known.items():
            click.echo(f"{name:{width}}  {one.summary}")
        return 0
    if code not in known:
        hint = suggest_word(code, known) or "registry explain lists all codes"
        raise UserError(f'There is no code "{code}"; {hint}')
    one = known[code]
    parts = [f"{code}: {one.summary}", _filled(one.cause), _filled(f"Mend: {one.mend.lstrip()}")]
    if one.file:
        lines = (f"    {line}\n" for line in one.holds.splitlines())
        parts.append(f"For example {one.file}:\n{''.join(lines)}")
    click.echo("\n\n".join(part.strip("\n") for part in parts if part))
    return 0


def _filled(text: str) -> str:
    return click.wrap_text(text, width=100, preserve_paragraphs=True)


@click.command("features")
def features_command() -> None:
    """List the features of this installation, and what each adds.

    Features are what a registry can do without.  Other packages can add some.
    """
    for feature in features():
        said = " ".join((feature.load().__doc__ or "").strip().partition("\n\n")[0].split())
        origin = f" ({feature.origin})" if feature.origin else ""
        click.echo(f"{feature.name.replace('_', '-')}{origin}: {said}")
        for line in filter(None, _added(feature)):
            click.echo(f"    {line}")


def _added(feature: Feature) -> Iterator[str]:
    from generator.grammar.grammar import Grammar
    from generator.kinds import built_in
    from generator.kinds.models import Input
    from generator.problems.codes import read_toml

    if "commands" in feature.parts:
        folder = feature.folder / "commands"
        names = [found.name for found in pkgutil.iter_modules([str(folder)])]
        yield _line("commands", [n.rstrip("_").replace("_", "-") for n in names if n[0] != "_"])
    if "settings" in feature.parts:
        module = feature.load("settings")
        models = [
            (getattr(module, "Settings", Input), ""),
            (getattr(module, "Publish", Input), "publish."),
        ]
        keys = [f"{prefix}{name}" for model, prefix in models for name in model.model_fields]
        yield _line("keys of registry.yaml", keys)
    yield _line("fields", [*_fields(feature)])
    modules = (feature.load(part) for part in ("outputs", "views") if part in feature.parts)
    yield _line("files", [each for of in modules for each in getattr(of, "ADDRESSES", ())])
    if "routes" in feature.parts:
        services = feature.load("routes").services(Grammar(built_in()))
        yield _line("queries", [service.paths[0] for service in services])
    if "tools" in feature.parts:
        added = feature.load("tools").tools(Grammar(built_in()))
        yield _line("tools of agents", [tool.name for _, tool in added])
    if "building" in feature.parts:
        options = added_options(feature.load("building"))
        yield _line("options of registry build", [option.opts[0] for option in options])
    workflows = (feature.folder / "templates" / "init" / "github").glob("*.yml.j2")
    yield _line("workflows of registry init", sorted(file.stem for file in workflows))
    if (codes := feature.folder / "codes.toml").is_file():
        yield _line("problems", [code for group in read_toml(codes).values() for code in group])


def _fields(feature: Feature) -> Iterator[str]:
    """The fields that a feature adds, with the records that have them."""
    from generator.kinds import built_in
    from generator.kinds.declare import read_fields

    module = feature.load("fields") if "fields" in feature.parts else None
    owners = {kind.model.__name__: kind.name for kind in built_in().values()}
    for name, owner in {"Record": "all records", **owners}.items():
        for field in read_fields(getattr(module, name, object)):
            yield f"{field} of {owner}"


def _line(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(names)}" if names else ""
