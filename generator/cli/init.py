"""`registry init`."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.authoring.start import HOSTS
from generator.cli._edit import carry_out, dry_run

if TYPE_CHECKING:
    from generator.authoring.start import Start


@click.command("init", short_help="Make a new registry: records, host, checks, publishing.")
@click.argument("folder", metavar="DIR")
@click.option("--name", metavar="NAME", help="What it is called.  [default: made of DIR]")
@click.option(
    "--repository",
    metavar="URL",
    help="Where its records will be edited: https://github.com/YOU/REPOSITORY.",
)
@click.option(
    "--host",
    type=click.Choice(list(HOSTS)),
    help="Where it will be published.  [default: that of the repository, else netlify]",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="Its address there.  [default: what the host gives the repository]",
)
@click.option(
    "--generator",
    metavar="LINE",
    help="The line of requirements.txt that installs this program.  [default: as it was "
    "installed here]",
)
@dry_run
def command(
    folder: str,
    name: str | None,
    repository: str | None,
    host: str | None,
    base_url: str | None,
    generator: str | None,
    dry_run: bool,
) -> int:
    """Make a registry in DIR that checks, builds and publishes at once.

    On a terminal it asks for the name, the repository and the host that were not given. Files that
    are there are never overwritten: it writes all of its own, or none.
    """
    from generator.authoring.start import generator_line, plan
    from generator.edit.changes import is_beside

    reachable = True
    if generator is None:
        generator, reachable = generator_line()
    elif len(generator.splitlines()) != 1:
        raise click.BadParameter("is not one line", param_hint="--generator")
    start = _asked(folder, name, repository, host, base_url, generator)
    fresh = not dry_run and not os.path.lexists(folder)
    if fresh:
        os.mkdir(folder)
    try:
        carry_out(
            folder,
            lambda: plan(folder, start),
            f"A new registry, {start.name}",
            dry=dry_run,
            allowed=is_beside,
        )
    finally:
        if fresh:
            with contextlib.suppress(OSError):  # it is not empty, so it is there
                os.rmdir(folder)
    if not dry_run:
        click.echo(
            "Look at it:     registry serve    in that folder\n"
            "Publish it:     commit all of it, push, and do what README.md says under Publishing"
        )
    if not reachable:
        click.echo(
            f"requirements.txt asks for {generator}, but this program was not installed from where "
            "others can get it: write there where they can, or give --generator.",
            err=True,
        )
    return 0


def _asked(
    folder: str,
    name: str | None,
    repository: str | None,
    host: str | None,
    base_url: str | None,
    generator: str,
) -> Start:
    """What the options say, and on a terminal what is answered."""
    from datetime import UTC, datetime

    from generator.authoring.start import Start, base_url_of, fits, host_of, plain

    terminal = sys.stdin.isatty()
    if name is None:
        words = Path(folder).resolve().name.replace("-", " ").replace("_", " ").split()
        name = " ".join(words).title() or "New Registry"
        if terminal:
            name = click.prompt("Name", default=name, err=True)
    if repository is None:
        repository = ""
        if terminal:
            repository = click.prompt(
                "Repository, like https://github.com/YOU/REPOSITORY (may be empty)",
                default="",
                show_default=False,
                err=True,
            )
    repository = plain(repository)
    if host is None:
        host = host_of(repository)
        if terminal:
            host = click.prompt("Host", type=click.Choice(list(HOSTS)), default=host, err=True)
    if base_url is None:
        base_url = base_url_of(host, repository)
    if not fits(host, repository):
        raise click.UsageError(f"{host} does not publish {repository}: take another --host.")
    if host.endswith("-pages") and not base_url:
        raise click.UsageError(
            f"{host} publishes below the name of the repository, without which no link leads "
            "anywhere: say which it is with --repository, or the address with --base-url."
        )
    return Start(name, repository, host, base_url, generator, datetime.now(UTC).year)
