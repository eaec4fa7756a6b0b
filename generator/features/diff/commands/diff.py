"""`registry diff`."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import click

from generator import UserError
from generator.cli._where import (
    any_content_option,
    base_url_of_content,
    first_option,
    nothing_published,
    option,
    timeout_option,
)

if TYPE_CHECKING:
    from generator.dialect.folder import Content
    from generator.features.diff.markdown import ContentFiles
    from generator.guard.published import PublishedState


@click.command("diff", short_help="Compare two states of a registry, and report what breaks.")
@click.argument("old")
@click.argument("new")
@any_content_option
@option(
    "--format",
    "markdown is for a comment on a pull request: at most 65,536 characters.",
    click.Choice(["text", "json", "markdown"]),
    name="form",
    default="text",
)
@first_option
@timeout_option
def command(old: str, new: str, content: str, form: str, first: bool, timeout: float) -> int:
    """Compare two states of a registry: records, lists, and the contract with its readers.

    OLD and NEW are each a git revision of the content folder, a content folder, the folder of a
    build, or the base URL of a registry.  Content is built in a temporary folder.  Content with
    examples of `registry init` was never published: as OLD, it breaks nothing.  `published` as OLD
    means the base_url of registry.yaml.  If nothing is published there, add --first.

    Exit status 1: a change breaks a rule or trips a guard, and approvals.yaml does not approve it.
    """
    from generator.build import settings_of
    from generator.cli._report import show_problems
    from generator.dialect.folder import open_content
    from generator.features.diff.comparison import as_json, as_text, compare
    from generator.features.diff.markdown import as_markdown
    from generator.guard.published import NotPublished
    from generator.guard.state import require_counted
    from generator.model.examples import find_examples
    from generator.problems.diagnostic import printable
    from generator.published.content.read import read_approvals

    published = old == "published"
    if published:
        base_url = base_url_of_content(content)
        if base_url is None:
            nothing_published("registry.yaml has no base_url", first)
            return 0
        old = base_url

    with contextlib.ExitStack() as opened:
        try:
            before, came_from, released = _side(old, content, timeout, opened)
        except NotPublished:
            if not published:
                raise
            nothing_published(f"Nothing is published at {printable(old)}", first)
            return 0
        require_counted(before)
        after, folder, _ = _side(new, content, timeout, opened)
        here = open_content(folder or content)
        approvals, problems = read_approvals(here)
        settings = settings_of(here)
        guarded = came_from is None or not find_examples(came_from)
        done = compare(before, after, settings, approvals, released=released, guarded=guarded)
        show_problems(problems)
    if not guarded:
        told = f"{old} has examples of `registry init`, so it was never published: nothing breaks."
        click.echo(told, err=True)
    if form == "markdown":
        text = as_markdown(done, _files(here, content))
    else:
        text = (as_text if form == "text" else as_json)(done)
    click.echo(text, nl=False)
    return 1 if done.unapproved or problems else 0


def _files(newer: Content, content: str) -> ContentFiles:
    """The files of the newer content, as they are below the folder `content`."""
    import re
    from datetime import UTC, datetime

    from generator.dialect.folder import APPROVALS_FILE, REMOVED_FILE, scan
    from generator.features.diff.markdown import ContentFiles

    dashes = {}
    for file in (REMOVED_FILE, APPROVALS_FILE):
        taken = newer.read_content(file)
        if isinstance(taken, bytes) and (dash := re.search(rb"^ *- ", taken, re.M)):
            dashes[file] = dash[0].decode()
    return ContentFiles(
        content,
        datetime.now(UTC).date().isoformat(),
        {
            (name, source.slug): source.path
            for name, sources in scan(newer.folder).sources.items()
            for source in sources
        },
        dashes,
    )


def _side(
    side: str, content: str, timeout: float, opened: contextlib.ExitStack
) -> tuple[PublishedState, str | None, bool]:
    """A state, the folder of its content if known, and whether it was published."""
    from datetime import UTC, datetime

    from generator.build import build_temporarily, check_out, resolve_commit
    from generator.dialect.folder import REGISTRY_FILE
    from generator.disk.output_state import recover_output
    from generator.grammar.paths import INDEX
    from generator.guard.published import PublishedState
    from generator.published.history.provenance import Moment

    if "://" in side:
        return PublishedState.open(side, timeout=timeout), None, True
    now = datetime.now(UTC).replace(microsecond=0)
    if os.path.isdir(side):
        recover_output(side)
        if os.path.isfile(side + INDEX):
            return PublishedState.open(side), None, True
        if os.path.isfile(os.path.join(side, REGISTRY_FILE)):
            built = build_temporarily(side, side, Moment(now, now.date(), None), f"{side}{os.sep}")
            return opened.enter_context(built).state, side, False
    commit = resolve_commit(content, side)
    if commit is None:
        raise UserError(
            f"{side} is not the URL of a registry, a folder with a build or with content, or a git "
            "revision. If it is a revision and this is CI, set fetch-depth: 0 in actions/checkout."
        )
    folder = opened.enter_context(check_out(content, commit))
    built = build_temporarily(folder, side, Moment(now, now.date(), commit), f"{side}:")
    return opened.enter_context(built).state, folder, False
