"""`registry release`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli._where import content_option, option

if TYPE_CHECKING:
    from generator.build.release import Release
    from generator.guard.published import Published
    from generator.model.settings.registry import Settings


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
        _write(content, release, Path(to), again)
    except NotBuilt as error:
        show_problems(error.problems)
        raise click.ClickException(f"{printable(str(error))}: fix the problems above") from error
    except (releases.NoRelease, OutputError, OSError) as error:
        raise click.ClickException(printable(str(error))) from error
    return 0


def _write(content: str, release: Release, to: Path, again: bool) -> None:
    """Build the release, tag it if it is new, and write its archive and notes.  Raises NoRelease,
    NotBuilt, OutputError and OSError.
    """
    from hashlib import sha256

    from generator.build import release as releases
    from generator.grammar.text import slugify
    from generator.guard.published import Published

    with releases.built(content, release) as (folder, settings):
        root = f"{slugify(settings.name)[:60].strip('-') or 'registry'}-{release.version}"
        archive, notes = to / f"{root}.tar.gz", to / f"{root}.md"
        if archive.exists():
            raise releases.NoRelease(f"{archive} exists: move it elsewhere, or take another --to")
        if not again:
            releases.write_tag(content, release)
        to.mkdir(parents=True, exist_ok=True)
        releases.write_archive(folder, archive, root)
        digest = sha256(archive.read_bytes()).hexdigest()
        text = f"# {settings.name} {release.version}\n\n{release.as_of}. SHA-256 of {archive.name}:"
        text += f"\n`{digest}`\n\n"
        after = Published.named(release.tag, str(folder), has_site=settings.has_site)
        notes.write_text(text + _changes(content, release, after, settings), encoding="utf-8")
    for path in (archive, notes):
        click.echo(f"written  {path}")
    if not again:
        click.echo(f"Tagged {release.tag}. Publish it: git push origin {release.tag}")


def _changes(content: str, release: Release, after: Published, settings: Settings) -> str:
    """What changed since the release before, as Markdown."""
    from generator.build import release as releases
    from generator.dialect.folder import Content
    from generator.guard.comparison import compare
    from generator.guard.markdown import as_markdown
    from generator.guard.published import Published
    from generator.model.settings.approvals import read_approvals

    last = releases.last_release(content, release)
    if last is None:
        return "The first release.\n"
    with releases.built(content, last) as (folder, before):
        old = Published.named(last.tag, str(folder), has_site=before.has_site)
        approvals, _ = read_approvals(Content(content))
        return as_markdown(compare(old, after, settings, approvals, released=False))
