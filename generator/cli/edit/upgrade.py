"""`registry upgrade`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from generator.cli._where import generator_option, generator_source, option, require_registry

if TYPE_CHECKING:
    from generator.edit.starting.upgrade import Upgrade


@click.command("upgrade", short_help="Update the generator and the workflows of a registry.")
@click.argument("folder", metavar="[DIR]", default=".")
@generator_option
@option(
    "--replace FILE",
    "Overwrite this file, although it was changed or removed; may be repeated.",
    multiple=True,
)
@option("--no-compare", "Do not compare builds by both versions.")
@option("--yes", "Write without asking.")
def command(
    folder: str, generator: str | None, replace: tuple[str, ...], no_compare: bool, yes: bool
) -> int:
    """Update the wheel, requirements.txt, the workflows and the host's file of the registry in DIR
    to those of this generator.

    It shows every difference and asks first.  Files that were changed by hand are kept and listed.
    To show what readers will notice, it installs the older version in a temporary folder, and
    compares builds by both.

    Exit status 1: there is something to replace, and without a terminal nobody said --yes.
    """
    from generator import __version__
    from generator.cli.edit._edit import clear_leftovers, open_workspace
    from generator.edit.changes import apply, difference
    from generator.edit.starting.upgrade import is_installed, upgrade

    source = generator_source(generator)
    content = os.path.normpath(os.path.join(folder, "content"))
    require_registry(content, "name it: registry upgrade DIR")
    known = open_workspace(content)
    clear_leftovers(folder)
    done = upgrade(folder, known.settings, source, replace)
    click.echo(difference(done.changes), nl=False)
    _print_changed_files(done)
    if not done.changes:
        click.echo(
            f"Nothing to replace: the registry has generator {__version__}, which you run. "
            "For a newer one, install that beside it and run its `registry upgrade`."
        )
        return 0
    if not no_compare and any(is_installed(change.path) for change in done.changes):
        _print_comparison(folder)
    terminal = sys.stdin.isatty()
    if not yes and not (terminal and click.confirm("Make these changes?", err=True)):
        click.echo(
            "Nothing was written." if terminal else "Nothing was written. Add --yes to write it."
        )
        return 0 if terminal else 1
    apply(folder, done.changes)
    for change in done.changes:
        click.echo(f"{'removed' if change.after is None else 'written'}  {change.path}")
    if any(is_installed(change.path) for change in done.changes):
        click.echo(
            "Install it:  .venv/bin/pip install --force-reinstall -r requirements.txt\n"
            "then         .venv/bin/registry check"
        )
    return 0


def _print_comparison(folder: str) -> None:
    from generator.edit.starting.compare import NotCompared, compare_versions
    from generator.feature import features
    from generator.problems.diagnostic import printable

    click.echo("Comparing builds by both versions (not with --no-compare) …", err=True)
    try:
        if all(feature.name != "diff" for feature in features()):
            raise NotCompared("this generator has no feature `diff`")
        compared = compare_versions(folder)
    except NotCompared as error:
        click.echo(
            f"What readers will notice is not known: {printable(str(error))}. To compare later, "
            "run `registry diff published content` with the new version.",
            err=True,
        )
    else:
        click.echo(f"\nWhat readers will notice:\n{compared}")


def _print_changed_files(done: Upgrade) -> None:
    """Show what this generator would write instead of files that were changed by hand."""
    from generator.edit.changes import difference

    for change in done.conflicts:
        if change.after is None:
            click.echo(
                f"\n{change.path} was changed by somebody and is kept, but this generator no "
                "longer writes it. Remove it unless you need it.",
                err=True,
            )
            continue
        click.echo(
            f"\n{change.path} was changed by somebody and is kept. Take over by hand what you need "
            f"of this, or take all of it with --replace {change.path}:",
            err=True,
        )
        click.echo(difference([change]), nl=False, err=True)
    for path in done.removed:
        click.echo(f"{path} was removed by somebody: --replace {path} brings it back.", err=True)
