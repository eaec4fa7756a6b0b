"""The catalogue of diagnostics: what each code means, where it comes from, how it is mended and
what shows it.

One TOML file for each group, in the order in which docs/diagnostics.md has them: that document is
made of these files.  Read when a message needs it, and by no build.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from generator.problems.catalogue import groups_in

GROUPS = ("files", "yaml", "fields", "references", "tables", "output")


class Code(NamedTuple):
    """One code.  `cause` and `mend` are Markdown; `summary` is one plain sentence for who meets the
    code first.

    What shows it is one of: `file`, a path in the content, that `holds` a text; `case`, the name of
    a larger example; `said`, what is said of content too large to be shown.
    """

    summary: str
    cause: str
    mend: str
    file: str = ""
    holds: str = ""
    case: str = ""
    said: str = ""


class Group(NamedTuple):
    """Codes of one part of the content, under a title and what is said of all of them."""

    title: str
    intro: str
    codes: dict[str, Code]


@cache
def groups() -> tuple[Group, ...]:
    """All groups, in order."""
    return tuple(
        Group(
            data["title"],
            data.get("intro", ""),
            {code: Code(**texts) for code, texts in data["codes"].items()},
        )
        for _, data in groups_in("problems/codes", GROUPS)
    )


@cache
def codes() -> dict[str, Code]:
    """Every code by its name."""
    return {name: code for group in groups() for name, code in group.codes.items()}
