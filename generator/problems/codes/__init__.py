"""The catalogue of diagnostics: the meaning, the cause, the remedy and an example of each code.

One TOML file for each group, in the order of docs/diagnostics.md, which is generated from these
files.  Commands that explain codes read them; a build does not.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from generator.problems.catalogue import read_groups

GROUPS = ("files", "yaml", "fields", "references", "tables", "output")


class Code(NamedTuple):
    """One code.  `summary` is one plain sentence; `cause` and `mend` (the remedy) are Markdown.

    The example is one of: `file`, a path in the content, with its text in `holds`; `case`, the name
    of a larger example in the tests; `said`, a message about content too large to show.
    """

    summary: str
    cause: str
    mend: str
    file: str = ""
    holds: str = ""
    case: str = ""
    said: str = ""


class Group(NamedTuple):
    """The codes of one part of the content, with a title and an introduction."""

    title: str
    intro: str
    codes: dict[str, Code]


@cache
def groups() -> tuple[Group, ...]:
    return tuple(
        Group(
            data["title"],
            data.get("intro", ""),
            {code: Code(**texts) for code, texts in data["codes"].items()},
        )
        for _, data in read_groups("problems/codes", GROUPS)
    )


@cache
def codes() -> dict[str, Code]:
    return {name: code for group in groups() for name, code in group.codes.items()}
