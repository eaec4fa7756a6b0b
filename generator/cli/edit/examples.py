"""`registry examples`."""

from __future__ import annotations

import os
from collections.abc import Mapping

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import carry_out, dry_run, open_workspace

_SOME = """\
These examples of `registry init` are among your records, and nothing is published while they are:
{paths}
Remove them with `registry examples --remove`. If one is your own record by now, remove the line
that begins with "{mark}"."""
_ONLY = """\
There are no records but the examples of `registry init`, so nothing is published yet.
Write your own with `registry new project`, and remove these: `registry examples --remove`."""


@click.command("examples", short_help="List or remove the examples of registry init.")
@content_option
@option("--remove", "Remove them, and renew forms and schemas for editors, which name them.")
@option(
    "--publish",
    "For workflows: print publish=true or publish=false; status 1 if there are examples "
    "among your own records.",
)
@dry_run
def command(content: str, remove: bool, publish: bool, dry_run: bool) -> int:
    """List the examples that `registry init` wrote and that are still in the content.

    Workflows publish nothing while there are examples.  --remove also renews the issue forms and
    the schemas for editors, which name the examples.
    """
    from generator.dialect.folder import open_content, scan
    from generator.model.examples import MARK, find_examples

    found = find_examples(content)
    if remove:
        return _remove(content, found, dry_run)
    paths = [open_content(content).display_path(path) for path in found]
    own = len(found) < sum(map(len, scan(content).sources.values())) if found else True
    if publish:
        click.echo(f"publish={'false' if found else 'true'}")
    else:
        click.echo("".join(f"{path}\n" for path in paths), nl=False)
    if found:
        message = _SOME if own else _ONLY
        click.echo(message.format(paths="\n".join(paths), mark=MARK), err=True)
    return 1 if publish and found and own else 0


def _remove(content: str, found: Mapping[str, bytes], dry: bool) -> int:
    """Remove the examples, then write the files of the repository that name them."""
    from generator.edit.changes import FileChange, Plan
    from generator.edit.starting import files
    from generator.edit.starting.init import feature_files

    changes = [FileChange(path, raw, None) for path, raw in found.items()]
    status = carry_out(content, lambda: Plan(changes, []), "No examples are left", dry=dry)
    known = open_workspace(content, found)
    repository = os.path.dirname(os.path.realpath(content))
    written = {**feature_files(known.symbols), **files.schemas(known.symbols)}
    renewed = files.renewed(repository, written)
    if renewed:
        done = "The issue forms and the schemas for editors are up to date"
        plan = Plan(renewed, [])
        carry_out(repository, lambda: plan, done, dry=dry)
    return status
