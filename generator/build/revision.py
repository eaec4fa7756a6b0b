"""Content that is not published yet, built in a temporary folder: a revision of git, or a folder as
it lies there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from generator.build import build
from generator.build.load import read_header
from generator.build.options import BuildOptions
from generator.build.provenance import Moment, git, git_into
from generator.dialect.folder import Content
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import Diagnostic


class NoRevision(Exception):
    """Git has no such content; the text says what is missing, and what would do."""


class NotBuilt(Exception):
    """The content of one side has errors."""

    def __init__(self, name: str, problems: list[Diagnostic]):
        super().__init__(f"{name} does not build")
        self.problems = problems


def commit_of(content: str, revision: str) -> str | None:
    """The commit that a revision names in the repository of a content folder."""
    said = git(
        _inside(content), "rev-parse", "--verify", "--quiet", "--end-of-options",
        f"{revision}^{{commit}}",
    )  # fmt: skip
    return said.decode().strip() if said else None


@contextmanager
def checked_out(content: str, commit: str) -> Iterator[str]:
    """The content as a commit has it, in a temporary folder; the working tree stays as it is.
    Raises NoRevision.
    """
    where = _inside(content)
    top = git(where, "rev-parse", "--show-toplevel")
    if top is None:
        raise NoRevision(f"{content} is not in a git checkout")
    root = os.path.realpath(os.fsdecode(top.rstrip(b"\n")))
    below = os.path.relpath(os.path.realpath(content), root)
    tree = f"{commit}^{{tree}}" if below == "." else f"{commit}:{below}"
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        target = os.path.join(folder, "content")
        os.mkdir(target)
        if not git_into(root, tree, os.path.join(folder, "index"), f"{target}{os.sep}"):
            raise NoRevision(f"commit {commit[:12]} has no folder {below}")
        yield target


@contextmanager
def built(content: str, name: str, commit: str | None = None) -> Iterator[str]:
    """A build of the content without the pages for people, in a temporary folder.  Raises NotBuilt,
    OutputError and WorkerFailed.
    """
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        out = Path(folder, "build")
        now = datetime.now(UTC).replace(microsecond=0)
        options = BuildOptions(loss="allow", site=False)
        report = build(content, out, Moment(now, now.date(), commit), options)
        if report.failed:
            raise NotBuilt(
                name,
                [
                    replace(problem, path=f"{name}:{os.path.relpath(problem.path, content)}")
                    if commit is not None
                    else problem
                    for problem in report.problems
                ],
            )
        yield str(out)


def settings_of(content: Content) -> Settings:
    """What registry.yaml says; the defaults where there is none, or it has faults."""
    header, _ = read_header(content)
    return header.settings


def _inside(content: str) -> str:
    """The nearest folder that there is: the content may be only in the revision."""
    here = os.path.realpath(content)
    while not os.path.isdir(here):
        here = os.path.dirname(here)
    return here
