"""Docstrings and comments of generator/ name only what exists.

A name is a word in backquotes, one of several parts (`snake_case`, `CamelCase`, `UPPER_CASE`,
`a.dotted.name`) or a file.  It exists if code, documents, Python or git knows it.
"""

from __future__ import annotations

import builtins
import re
import subprocess
import sys
import tokenize
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from support.commands import ROOT

PACKAGE = ROOT / "generator"
MODULES = sorted(PACKAGE.rglob("*.py"))
WORD = re.compile(r"[A-Za-z_]\w*")
#: Names of other programs and standards, and a placeholder.
TERMS = WORD.findall(
    "CommonMark M_ARENA_MAX NAME_command TeX VEVENTs _headers _redirects edge_functions grep"
    " head mod_mime ngx_http_map_module proc_meminfo strip_prefix tojson"
)
URL = re.compile(r"(?:https?://|\b[\w.-]+\.(?:com|io|org)\b)\S*")
NAME = re.compile(
    r"`([A-Za-z_]\w*)`|(?<![\w./<-])("
    r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z][a-z]+(?:[A-Z][a-z0-9]*)+|[a-z]+[a-z0-9]*(?:_[a-z0-9]+)+"
    r"|generator(?:\.\w+)+)\b(?!\.\w)"
)
FILE = re.compile(r"(?<![\w./-])/?((?:[\w-]+/)*[\w-]+\.(?:css|json|md|mjs|py|toml))\b")


class Module(NamedTuple):
    """The docstrings and comments of a module with their lines, and its names and other strings."""

    prose: list[tuple[int, str]]
    code: list[str]


@cache
def read(path: Path) -> Module:
    prose, code, before = [], [], tokenize.NEWLINE
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            starts = before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and starts):
                prose.append((token.start[0], token.string))
            elif tokenize.tok_name[token.type] in ("NAME", "STRING", "FSTRING_MIDDLE"):
                code.append(token.string)
            if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING):
                before = token.type
    return Module(prose, code)


@cache
def known() -> tuple[frozenset[str], str]:
    """The words of code, documents and Python; the same texts and the files in git, in one text."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    others = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "templates").rglob("*.j2"),
              *PACKAGE.rglob("*.mjs")]  # fmt: skip
    texts = [f"/{path}" for path in listed.stdout.splitlines()]
    texts += [path.read_text("utf-8") for path in others]
    texts += [" ".join(read(path).code) for path in MODULES]
    text = "\n".join(texts)
    return frozenset([*WORD.findall(text), *TERMS, *dir(builtins), *sys.stdlib_module_names]), text


def gone(prose: str) -> list[str]:
    """Names in a docstring or comment that do not exist."""
    words, text = known()
    plain = URL.sub("", prose)
    names = {name for pair in NAME.findall(plain) for name in WORD.findall(" ".join(pair))}
    files = {name for name in FILE.findall(plain) if not re.search(rf"(?<![\w-]){name}\b", text)}
    return sorted((names - words) | files)


def test_docstrings_and_comments_name_what_exists() -> None:
    places = ((path, line, gone(prose)) for path in MODULES for line, prose in read(path).prose)
    found = [f"{path.relative_to(ROOT)}:{line}: {names}" for path, line, names in places if names]
    assert found == []


def test_comments_of_scripts_name_files_that_exist() -> None:
    for path in PACKAGE.rglob("*.mjs"):
        assert gone(" ".join(re.findall(r"^\s*// .*\.py.*", path.read_text(), re.M))) == [], path


@pytest.mark.parametrize(
    "name",
    ["MOST_OF_WORDS", "`notnamedso`", "NoSuchSite", "generator.model.nosuch", "model/symbol.py",
     "slices_of_all"],
)  # fmt: skip
def test_a_name_that_nothing_has_is_found(name: str) -> None:
    assert gone(f"See {name}.") == [WORD.findall(name)[-1] if ".py" not in name else name]
