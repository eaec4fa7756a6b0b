"""`registry host`: what a host needs that is not part of the output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator import UserError
from generator.cli._where import any_content_option, option, require_registry

if TYPE_CHECKING:
    from generator.contract.artifact import Artifact


@click.command("host", short_help="Print the configuration of a web server or host.")
@click.argument("name", required=False)
@any_content_option
@option(
    "--out PATH",
    "Write to this file instead of printing; a folder if there are several files.",
    click.Path(path_type=Path),
)
def command(name: str | None, content: str, out: Path | None) -> int:
    """Print the configuration that the host NAME needs outside the build.  Without NAME, list all
    hosts.

    Each file begins with a comment on how to install it.  `registry build --host NAME` writes the
    configuration that is part of the build.
    """
    import generator.hosts
    from generator.contract.artifact import load_module, module_names, output_of
    from generator.problems.diagnostic import suggest_word

    names = module_names(generator.hosts)
    if name is None:
        for known in names:
            about = (load_module(generator.hosts, known).__doc__ or "").partition("\n")[0]
            click.echo(f"{known:<14} {about}")
        return 0
    if name not in names:
        raise click.BadParameter(
            f'no host "{name}"; {suggest_word(name, names, max_words=30)}', param_hint="NAME"
        )
    host = load_module(generator.hosts, name)
    if not hasattr(host, "outside"):
        click.echo(
            f"{name} needs no configuration outside the build: registry build --host {name}",
            err=True,
        )
        for line in getattr(host, "BASE_URL", ()):
            click.echo(f"{line[0].upper()}{line[1:]}.", err=True)
        return 0
    from datetime import UTC, datetime

    from generator.cli._report import show_problems
    from generator.problems.diagnostic import is_error
    from generator.published.content.causes import gather_problems
    from generator.published.content.guards import Guard
    from generator.published.content.records import read
    from generator.published.families.documents import render_output
    from generator.published.history.provenance import Moment
    from generator.published.published import Published

    require_registry(content)
    records = read(content, Moment.of_day(datetime.now(UTC).date()))
    _, problems = records.check(Guard(loss="allow"))
    if any(map(is_error, problems)):
        show_problems(gather_problems(records.content, problems, strict=False))
        return 1
    inputs = Published(records).inputs
    artifacts = list(render_output(output_of(name, host.outside), inputs))
    if out is None:
        _print(artifacts)
    else:
        _write(artifacts, out)
    return 0


def _print(artifacts: list[Artifact]) -> None:
    """Print one file as it is; several files each below its name."""
    for place, artifact in enumerate(artifacts):
        if len(artifacts) > 1:
            click.echo(f"{chr(10) if place else ''}==> {artifact.path[1:]} <==")
        click.echo(artifact.data.decode(), nl=False)


def _write(artifacts: list[Artifact], out: Path) -> None:
    alone = len(artifacts) == 1 and not out.is_dir()
    try:
        for artifact in artifacts:
            path = out if alone else out / artifact.path[1:]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(artifact.data)
            click.echo(f"Wrote {path}", err=True)
    except OSError as error:
        raise UserError(f"{error.filename} cannot be written: {error.strerror}") from error
