"""Builds content in a temporary folder: a folder as it is, or a revision of git.

It is of the core because several features build what they compare or keep.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from generator import UserError
from generator.build import build
from generator.build.options import BuildOptions
from generator.dialect.folder import Content
from generator.guard.published import PublishedState
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import Diagnostic
from generator.published.content.load import read_header
from generator.published.history.provenance import Moment, run_git, write_git_tree


class NotBuilt(UserError):
    """The content has errors."""

    def __init__(self, name: str, problems: list[Diagnostic]):
        super().__init__(f"{name} does not build: fix the problems above")
        self.problems = problems


def resolve_commit(content: str, revision: str) -> str | None:
    """The commit of a revision in the repository of a content folder; None if there is none."""
    commit = run_git(
        _inside(content), "rev-parse", "--verify", "--quiet", "--end-of-options",
        f"{revision}^{{commit}}",
    )  # fmt: skip
    return commit.decode().strip() if commit else None


@contextmanager
def check_out(content: str, commit: str) -> Iterator[str]:
    """The content of a commit, in a temporary folder.  Raises UserError."""
    top = run_git(_inside(content), "rev-parse", "--show-toplevel")
    if top is None:
        raise UserError(f"{content} is not in a git checkout")
    root = os.path.realpath(os.fsdecode(top.rstrip(b"\n")))
    below = os.path.relpath(os.path.realpath(content), root)
    tree = f"{commit}^{{tree}}" if below == "." else f"{commit}:{below}"
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        target = os.path.join(folder, "content")
        os.mkdir(target)
        if not write_git_tree(root, tree, os.path.join(folder, "index"), f"{target}{os.sep}"):
            raise UserError(f"commit {commit[:12]} has no folder {below}")
        yield target


class TemporaryBuild(NamedTuple):
    """The settings of the content, the published state, and the folder of a build."""

    settings: Settings
    state: PublishedState
    folder: Path


@contextmanager
def build_temporarily(
    content: str, name: str, at: Moment, shown: str, *, site: bool = False
) -> Iterator[TemporaryBuild]:
    """A build of the content in a temporary folder, as the state `name`.

    In problems `shown` stands for the folder.  Raises NotBuilt, OutputError and WorkerFailed.
    """
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        out = Path(folder, "build")
        report = build(content, out, at, BuildOptions(loss="allow", site=site))
        if report.failed:
            inside = f"{content}{os.sep}"
            problems = [replace(p, path=p.path.replace(inside, shown, 1)) for p in report.problems]
            raise NotBuilt(name, problems)
        settings = settings_of(Content(content))
        state = PublishedState.named(name, str(out), has_site=settings.has_site)
        yield TemporaryBuild(settings, state, out)


def settings_of(content: Content) -> Settings:
    """The settings in registry.yaml; defaults for missing and faulty fields."""
    return read_header(content)[0].settings


def _inside(content: str) -> str:
    """The nearest existing folder: the content may exist only in the revision."""
    path = os.path.realpath(content)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path
