"""`registry release`."""

from __future__ import annotations

from pathlib import Path

import click

from generator import UserError
from generator.cli._where import content_option, option


@click.command("release", short_help="Tag a version to cite, and write its archive and notes.")
@click.argument("version", required=False)
@content_option
@option("--to DIR", "The folder for the archive and the notes.", name="to", default="releases")
@option("--again", "Make the archive of an existing release again, with the same bytes.")
def command(version: str | None, content: str, to: str, again: bool) -> int:
    """Tag a VERSION to cite, and write its archive and notes.  Default: the version that
    registry.yaml names, if it has no tag yet, else the day, like 2026.11.23.

    The first run writes the version into registry.yaml and CITATION.cff.  Commit both, and run the
    command again: it builds the commit, makes the annotated tag and writes the files.  Then push
    the tag.  A tag is never moved.
    """
    from datetime import UTC, datetime

    from generator import __version__
    from generator.features.release import releases
    from generator.problems.diagnostic import printable

    release: releases.TaggedRelease | list[Path] | None
    today = datetime.now(UTC).date()
    version = version or releases.chosen_version(content, today, again=again)
    if not releases.is_version(version):
        hint = "begin with a digit, then use 0-9, a-z, A-Z and single dots, + and -"
        raise click.BadParameter(hint, param_hint="VERSION")
    if not again:
        release = releases.prepare(content, version, today.isoformat())
    elif (release := releases.read_release(content, version)) is None:
        raise UserError(f"There is no release v{version}: git tag lists them")
    elif release.generator != __version__:
        made = f"v{version} was made by registry-generator {release.generator}; this is"
        install = f"pip install registry-generator=={release.generator}"
        raise UserError(f"{made} {__version__}. Install that: {install}")
    if isinstance(release, list):
        click.echo("".join(f"written  {printable(str(path))}\n" for path in release), nl=False)
        click.echo("Commit them, and run registry release again.")
        return 0
    for path in releases.make(content, release, Path(to), is_new=not again):
        click.echo(f"written  {path}")
    if not again:
        click.echo(f"Tagged v{version}. Publish it: git push origin v{version}")
    return 0
