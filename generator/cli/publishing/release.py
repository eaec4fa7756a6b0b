"""`registry release`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli._where import content_option, option


@click.command("release", short_help="Tag a version to cite, and write its archive and notes.")
@click.argument("version", required=False)
@content_option
@option("--to DIR", "The folder for the archive and the notes.", name="to", default="releases")
@option("--again", "Make the archive of an existing release again, with the same bytes.")
def command(version: str | None, content: str, to: str, again: bool) -> int:
    """Tag a VERSION to cite, and write its archive and notes.  Default: the day, like 2026.11.23.

    The first run writes the version into registry.yaml and CITATION.cff.  Commit both, and run the
    command again: it builds the commit, makes the annotated tag and writes the files.  Then push
    the tag.  A tag is never moved.
    """
    from datetime import UTC, date, datetime

    from generator import __version__
    from generator.build import release as releases
    from generator.build.revision import NotBuilt, resolve_commit, settings_of
    from generator.cli._report import show_problems
    from generator.dialect.folder import Content
    from generator.disk.output_state import OutputError
    from generator.problems.diagnostic import printable

    today = datetime.now(UTC).date()
    settings = settings_of(Content(content))
    version = version or f"{today.year}.{today.month}.{today.day}"
    if not releases.is_version(version):
        hint = "begin with a digit, then use 0-9, a-z, A-Z and single dots, + and -"
        raise click.BadParameter(hint, param_hint="VERSION")
    try:
        if again:
            release = releases.read_release(content, version)
            if release is None:
                raise releases.NoRelease(f"There is no release v{version}: git tag lists them")
            if release.generator != __version__:
                made = f"v{version} was made by registry-generator {release.generator}; this is"
                install = f"pip install registry-generator=={release.generator}"
                raise releases.NoRelease(f"{made} {__version__}. Install that: {install}")
        else:
            releases.check_ready(content, version)
            if files := releases.prepare(content, settings, version, today.isoformat()):
                for path, data in files.items():
                    path.write_bytes(data)
                    click.echo(f"written  {printable(str(path))}")
                click.echo(f"Commit them, and run registry release {version} again.")
                return 0
            assert settings.release is not None
            day = date.fromisoformat(settings.release.date)
            release = releases.Release(version, resolve_commit(content, "HEAD") or "", day)
        for path in releases.make(content, release, Path(to), is_new=not again):
            click.echo(f"written  {path}")
    except NotBuilt as error:
        show_problems(error.problems)
        raise click.ClickException(f"{printable(str(error))}: fix the problems above") from error
    except (releases.NoRelease, OutputError, OSError) as error:
        raise click.ClickException(printable(str(error))) from error
    if not again:
        click.echo(f"Tagged {release.tag}. Publish it: git push origin {release.tag}")
    return 0
