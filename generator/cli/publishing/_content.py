"""What `registry fix` would do about the problems of a content folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.dialect.folder import Content
    from generator.edit.fix import FileCheck
    from generator.problems.diagnostic import Diagnostic


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
