"""The catalogue of diagnostics: the meaning, the cause, the remedy and an example of each code.

One TOML file for each group, in the order of docs/diagnostics.md, which is generated from these
files.  Features add codes to the groups: a table of their `codes.toml` is `[group.code]`.  A build
reads them only if there is a warning, or an entry of `accept`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from generator.feature import features

GROUPS = ("files", "yaml", "fields", "references", "tables", "output")


class Code(NamedTuple):
    """One code.  `summary` is one plain sentence; `cause` and `mend` (the remedy) are Markdown.

    The example is one of: `file`, a path in the content, with its text in `holds`; `case`, the name
    of a larger example in the tests; `said`, a message about content too large to show.

    `accept`: a warning of this code may be right, so the content can accept it.  `depends` says
    what else than the content decides about the problem: the day, which never stops a build, or the
    host, which only a build knows.  A warning that will be an error names the version in
    `error_from`, at least a minor version after the one that begins to warn, and in its hint.
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
    error_from: str = ""


class CodeGroup(NamedTuple):
    """The codes of one part of the content, with a title and an introduction."""

    title: str
    intro: str
    codes: dict[str, Code]


def read_toml(path: Path) -> dict[str, Any]:
    """A catalogue of texts."""
    import tomllib

    with path.open("rb") as file:
        return tomllib.load(file)


@cache
def groups() -> tuple[CodeGroup, ...]:
    found = {}
    for name in GROUPS:
        data = read_toml(Path(__file__).with_name(f"{name}.toml"))
        found[name] = CodeGroup(data["title"], data.get("intro", ""), _codes(data["codes"]))
    for feature in features():
        file = feature.folder / "codes.toml"
        with feature.named():
            for name, texts in (read_toml(file) if file.is_file() else {}).items():
                if name not in found:
                    raise ValueError(f"{name} is no group of codes: {', '.join(GROUPS)}")
                for code, added in _codes(texts).items():
                    if any(code in group.codes for group in found.values()):
                        raise ValueError(f"there is a code {code} already")
                    found[name].codes[code] = added
    return tuple(found.values())


def _codes(texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Code]:
    return {code: Code(**entry) for code, entry in texts.items()}


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
