"""The catalogue of diagnostics: the meaning, the cause, the remedy and an example of each code.

One TOML file for each group, in the order of docs/diagnostics.md, which is generated from these
files.  Features add codes to the groups: a table of their `codes.toml` is `[group.code]`.  A build
reads them only if there is a warning, or an entry of `accept`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from generator.feature import features
from generator.problems.catalogue import read_toml

GROUPS = ("files", "yaml", "fields", "references", "tables", "output")


class Code(NamedTuple):
    """One code.  `summary` is one plain sentence; `cause` and `mend` (the remedy) are Markdown.

    The example is one of: `file`, a path in the content, with its text in `holds`; `case`, the name
    of a larger example in the tests; `said`, a message about content too large to show.

    `accept`: a warning of this code may be right, so the content can accept it.  `depends` says
    what else than the content decides about the problem: the day, which never stops a build, or the
    host, which only a build knows.
    """

    summary: str
    cause: str
    mend: str
    file: str = ""
    holds: str = ""
    case: str = ""
    said: str = ""
    accept: bool = False
    depends: Literal["", "day", "host"] = ""


class Group(NamedTuple):
    """The codes of one part of the content, with a title and an introduction."""

    title: str
    intro: str
    codes: dict[str, Code]


@cache
def groups() -> tuple[Group, ...]:
    found = {name: read_toml(Path(__file__).with_name(f"{name}.toml")) for name in GROUPS}
    known = {code for data in found.values() for code in data["codes"]}
    for feature in features():
        file = feature.folder / "codes.toml"
        with feature.named():
            for name, added in (read_toml(file) if file.is_file() else {}).items():
                if twice := sorted(known & added.keys()):
                    raise ValueError(f"there is a code {twice[0]} already")
                known |= added.keys()
                found[name]["codes"] |= added
    return tuple(
        Group(
            data["title"],
            data.get("intro", ""),
            {code: Code(**texts) for code, texts in data["codes"].items()},
        )
        for data in found.values()
    )


@cache
def codes() -> dict[str, Code]:
    return {name: code for group in groups() for name, code in group.codes.items()}


@cache
def acceptable() -> dict[str, str]:
    """The codes of warnings that content can accept, with their summaries."""
    return {name: code.summary for name, code in codes().items() if code.accept}


def depends_on_day(name: str) -> bool:
    """Whether a problem with this code may come or go without a change of the content."""
    code = codes().get(name)
    return code is not None and code.depends == "day"
