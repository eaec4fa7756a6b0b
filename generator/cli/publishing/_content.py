"""The content that `--content` names: a folder, or what a feature fetches."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from generator.cli._where import require_registry
from generator.feature import hooks

if TYPE_CHECKING:
    from generator.dialect.folder import Content
    from generator.edit.fix import FileCheck
    from generator.problems.diagnostic import Diagnostic

_Excerpt = Callable[["Diagnostic"], str]


class FetchedContent(NamedTuple):
    """A folder of content. `name` replaces the folder in paths that are shown to users."""

    folder: str
    name: str

    def display_path(self, path: str) -> str:
        """The path of a file as users know it."""
        inner = os.path.relpath(path, self.folder)
        return path if inner.startswith("..") else f"{self.name}{inner}"

    def local_path(self, name: str) -> str:
        """The path of a file from its name for users."""
        inner = name.removeprefix(self.name)
        return os.path.join(self.folder, inner) if inner != name else name


@dataclass(frozen=True)
class ContentFolder:
    """A folder of content, and where it was fetched from."""

    folder: str
    fetched: FetchedContent | None = None

    @property
    def source(self) -> str:
        """The folder, or the archive or URL that it was fetched from."""
        return self.fetched.name if self.fetched is not None else self.folder

    def count_fixable(self, problems: Sequence[Diagnostic]) -> int:
        """The number of these problems that `registry fix` fixes; 0 for fetched content."""
        return 0 if self.fetched is not None else count_fixable(self.folder, problems)

    def with_source_paths(
        self, problems: Sequence[Diagnostic]
    ) -> tuple[list[Diagnostic], _Excerpt | None]:
        """The problems with paths as in the place that the content was fetched from, and a function
        that returns their excerpts.
        """
        known = self.fetched
        if known is None:
            return list(problems), None
        from generator.cli._excerpt import excerpts

        real = excerpts()

        def moved(problem: Diagnostic, name: Callable[[str], str]) -> Diagnostic:
            also = tuple(place._replace(path=name(place.path)) for place in problem.also)
            return replace(problem, path=name(problem.path), also=also)

        return [moved(p, known.display_path) for p in problems], lambda p: real(
            moved(p, known.local_path)
        )


def count_fixable(content: str, problems: Sequence[Diagnostic]) -> int:
    """The number of these problems that `registry fix` fixes, found by trying."""
    if all(problem.fix is None for problem in problems):
        return 0
    from generator.edit.fix import count_fixed, plan_fixes

    found, look = rechecker(content)
    return count_fixed(problems, plan_fixes(found, problems, look)[1])


def rechecker(content: str) -> tuple[Content, FileCheck]:
    """The content, and a function that checks a file again."""
    from datetime import UTC, datetime

    from generator.dialect.folder import scan
    from generator.published.reading.load import file_checker

    found = scan(content)
    return found, file_checker(found, datetime.now(UTC).date())


def open_content(where: str) -> ContentFolder:
    """The content at a folder, or content that a feature fetches. Errors become messages."""
    for fetch in hooks("building", "fetch"):
        fetched: FetchedContent | None = fetch(where)
        if fetched is not None:
            return ContentFolder(fetched.folder, fetched)
    require_registry(where)
    return ContentFolder(where)
