"""`registry mirror`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli._where import option, saying, timeout_option, told, trust_of, trusted


@click.command("mirror", short_help="Keep a copy of a published registry.")
@click.argument("url")
@click.argument("folder", metavar="DIR")
@trusted
@option("--check", "Read the files that are there too, and mend what is damaged.")
@option(
    "--most GB",
    "The most that the copy may come to.",
    click.FloatRange(0.001, 10_000),
    default=20.0,
)
@timeout_option
def command(
    url: str, folder: str, keys: tuple[str, ...], check: bool, most: float, timeout: float
) -> int:
    """Bring DIR up to date with the registry at URL.

    What changed is fetched and held against the manifest, and the new copy takes the place of the
    old one in one step.  A mirror that was interrupted goes on where it was.  The status is 1, with
    the copy as it was, where a file is not what was published, where the manifest has expired, and
    where an older one is sent than before.
    """
    from generator.cli._report import bar
    from generator.disk.beside import OutputError
    from generator.reader.mirror import Asked, mirror
    from generator.reader.where import base_url, host, is_url

    if not is_url(url):
        raise click.BadParameter("it is no base URL, which begins with https://", param_hint="URL")

    def waiting() -> None:
        click.echo(f"Another command writes {folder}; waiting for it.", err=True)

    base, trust = base_url(url), trust_of(keys, None)
    asked = Asked(Path(folder), base, trust.keys, int(most * 1e9), check)
    with told(), saying(OutputError), bar() as progress:
        copied = mirror(
            host(base, timeout, stay=True),
            asked,
            lambda done, all: progress("files", done, all),
            waiting,
        )
    root = copied.root
    done = f"{copied.fetched:,} files fetched, {copied.bytes / 1e6:,.1f} MB"
    if copied.before == root.version and not copied.fetched:
        done = "nothing changed"
    click.echo(f"{folder}: {root.files:,} files, version {root.version}; {done}.")
    return 0
