"""Docstrings and comments of generator/ name only what exists."""

from __future__ import annotations

import ast
import builtins
import io
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support.commands import ROOT

PACKAGE = ROOT / "generator"

WORD = re.compile(r"[A-Za-z_]\w*")
# Terms of standards and products that are neither in the code of a module nor in docs/.
TERMS = WORD.findall(
    """CEL CRLF CSP CommonMark DNS DTEND DTSTART ECMA EXIF GNU IETF IHDR IP MOD M_ARENA_MAX NUL
    OKLCH ORGANIZER PCRE PKCS RPC SIL TAP TOML TUF TX TeX URI VEVENT VEVENTs XDG mod_mime
    ngx_http_map_module proc_meminfo strip_prefix"""
)
# What shells, hosts, Jinja and Python name; every other word in backquotes is a name in code.
FOREIGN = frozenset({"registry", "head", "grep", "tojson", "_headers", "_redirects", "__pycache__"})

URL = re.compile(r"(?:https?://|\.\.\./|\b[\w.-]+\.(?:com|io|org)/)\S+|\b[\w.-]+\.(?:com|io|org)\b")
QUOTED = re.compile(r"`([A-Za-z_]\w*)`")
DOTTED = re.compile(r"(?<![\w./<-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w/-])")
CAPITALS = re.compile(r"(?<![\w.])(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{2,})\b")
CAMEL = re.compile(r"(?<![\w.])[A-Z][a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+\b")
SNAKE = re.compile(r"(?<![\w./])[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?!\.\w)")
FILE = re.compile(r"(?<![\w./-])/?([\w/.-]+\.(?:css|json|md|mjs|py|toml))\b")
ENDINGS = WORD.findall("css csv html ics js json md mjs py toml txt yaml")


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Strings that stand as statements: docstrings, and descriptions below an attribute."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield text


def read_prose(text: str) -> Iterator[tuple[int, str]]:
    """The first line and the text of every docstring and every comment."""
    for constant in docstrings(ast.parse(text)):
        yield constant.lineno, str(constant.value)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@cache
def read_words(text: str) -> frozenset[str]:
    """Names in the code of a module, and words in its strings."""
    tree = ast.parse(text)
    prose = set(map(id, docstrings(tree)))
    words = {
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.NAME
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            words.update(WORD.findall(node.value))
    return frozenset(words)


class Known:
    """What prose may name: names in code, words of the documentation, files."""

    def __init__(self) -> None:
        #: The words of the modules, packages and classes with a name.
        self.words_of: dict[str, set[str]] = defaultdict(set)
        #: The words of all modules in a folder.
        self.words_in: dict[Path, set[str]] = defaultdict(set)
        self.classes = {name for name in dir(builtins) if name[0].isupper()}
        for path in sorted(PACKAGE.rglob("*.py")):
            text = path.read_text()
            words = read_words(text)
            self.words_of[path.parent.name if path.stem == "__init__" else path.stem] |= words
            for folder in path.relative_to(ROOT).parents:
                self.words_in[ROOT / folder] |= words
                self.words_of[folder.name] |= {*path.relative_to(ROOT).with_suffix("").parts}
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef):
                    self.classes.add(node.name)
                    self.words_of[node.name] |= words
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        self.documentation = "".join(page.read_text() for page in pages)
        self.documented = {*WORD.findall(self.documentation), *TERMS}
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        self.files = f"\n{listed.stdout}".replace("\n", "\n/")

    def names_for(self, path: Path, text: str) -> set[str]:
        """Names that a module may write alone; those of other modules need the module's name."""
        names = {*read_words(text), *sys.stdlib_module_names, *FOREIGN}
        return names | self.words_in[path.parent] if path.name == "__init__.py" else names

    def has_file(self, name: str, own: set[str]) -> bool:
        if f"/{name}\n" in self.files or name in self.documentation:
            return True
        return own.issuperset(WORD.findall(name))

    def has_dotted(self, name: str, own: set[str]) -> bool:
        """False if a module, package or class of ours is to have the last name and lacks it."""
        *_, first, last = name.split(".")
        if last in own or last in ENDINGS or name in self.documentation:
            return True
        return first not in self.words_of or last in self.words_of[first]


@cache
def known() -> Known:
    return Known()


def find_gone(path: Path, text: str) -> Iterator[str]:
    """Names in docstrings and comments of a module that do not exist, with their lines."""
    every = known()
    own = every.names_for(path, text)
    capitals = own | every.documented
    camel = capitals | every.classes
    snake = capitals | every.words_in[PACKAGE]
    for line, prose in read_prose(text):
        plain = URL.sub("", prose)
        gone = {name for name in QUOTED.findall(plain) if name not in own | every.classes}
        gone.update(set(CAPITALS.findall(plain)) - capitals)
        gone.update(set(CAMEL.findall(plain)) - camel)
        gone.update(set(SNAKE.findall(plain)) - snake)
        gone.update(name for name in FILE.findall(plain) if not every.has_file(name, own))
        gone.update(name for name in DOTTED.findall(plain) if not every.has_dotted(name, own))
        yield from (f"{line}: {name}" for name in sorted(gone))


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_prose_names_what_exists(path: Path) -> None:
    assert list(find_gone(path, path.read_text())) == []


def gone_in_scripts(text: str) -> list[str]:
    """Files and modules of this package in the comments of JavaScript that do not exist."""
    every = known()
    comments = " ".join(re.findall(r"^\s*//(.*)", text, re.MULTILINE))
    files = [
        name
        for name in FILE.findall(comments)
        if f"/{name.removeprefix('../')}\n" not in every.files
    ]
    modules = re.findall(r"\bgenerator(?:\.\w+)+", comments)
    return files + [name for name in modules if not every.has_dotted(name, set())]


def test_comments_of_scripts_name_what_exists() -> None:
    found = {path.name: gone_in_scripts(path.read_text()) for path in PACKAGE.rglob("*.mjs")}
    assert {name: gone for name, gone in found.items() if gone} == {}
    assert gone_in_scripts("// As search/rows.py and generator.search.rows.read have it.\n") == [
        "search/rows.py",
        "generator.search.rows.read",
    ]


@pytest.mark.parametrize(
    ("prose", "gone"),
    [
        ("The rows, joined by BETWEEN.", "BETWEEN"),
        ("At most MOST_WORDS of them.", "MOST_WORDS"),
        ("Raises `NoSite`, and NoSite again.", "NoSite"),
        ("`shown` adds the metadata.", "shown"),
        ("See `own_fields.with_own`.", "own_fields.with_own"),
        ("See generator.model.symbols.keep_all.", "generator.model.symbols.keep_all"),
        ("Symbols.keep_all clears it.", "Symbols.keep_all"),
        ("See model/symbol.py.", "model/symbol.py"),
        ("The result of slices_of_all.", "slices_of_all"),
    ],
)
def test_a_name_that_nothing_has_is_found(prose: str, gone: str) -> None:
    path = PACKAGE / "outputs" / "pages.py"
    text = path.read_text()
    assert list(find_gone(path, f'{text}\n\ndef more() -> None:\n    """{prose}"""\n')) == [
        f"{text.count(chr(10)) + 4}: {gone}"
    ]
    assert list(find_gone(path, f"{text}\n# {prose}\n")) == [f"{text.count(chr(10)) + 2}: {gone}"]


def test_names_of_the_module_and_of_others_are_found() -> None:
    path = PACKAGE / "outputs" / "pages.py"
    prose = "`known` of `count_pages`, Slice, `facets.declared_values`, model/symbols.py, JSON"
    assert list(find_gone(path, f"{path.read_text()}\n# {prose}\n")) == []
