"""The documents stay plain and short: phrases that stop a reader, width of lines, length."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import answers
import pytest
from answers import ROOT

from generator.feature import files

#: Phrases per 1,000 words, over all pages together.  Some are right where they are.
MOST = 3
PHRASES = re.compile(
    r"\b(?:is|are|were|was|be) (?:another|others?)\b(?! (?:\w+ )?than)"
    r"|\b(?:is|are|was|were|be) (?:told|asked)\b|\btells? of\b|\basked (?:of|for|by)\b"
    r"|\bheld? (?:it |them |each |every \w+ )?against\b|\banew\b"
    r"|\bwhere (?:there (?:is|are) (?:none|no|one)|that is|it is (?:not|no|in))\b"
    r"|(?:^|[.;:(] )(?:What|Who|Of|Whoever|Whatever|Whose) (?!is\b|does\b|are\b|do\b|the\b)[a-z]"
    r"|\bof (?:which|whom|whose)\b|\bwhereof\b"
    r"|\b(?:that|this|each|the first|the last|a|an) one\b|\bones\b"
    r"|\bhas it\b|\bit has\b|\bdo so\b|\bso it is\b"
    r"|\bcomes? of\b|\bcame of\b|\bmade of\b|\bput (?:into|in|to)\b"
    r"|\b(?:stands?|stood|lies|lay) (?:in|at|on|there|beside|below|above|where|still)\b"
    r"|\bso that\b|\ball (?:else|but)\b|\bbut for\b|\bnothing but\b|\bno more than\b"
)
#: Written by programs: from the catalogue of codes, and by benchmarks/run.py.
GENERATED = ("diagnostics.md", "performance.md")
PAGES = [
    page
    for page in (*answers.documents(), ROOT / "CHANGELOG.md")
    if page.name not in GENERATED
]  # fmt: skip


def written(page: Path) -> str:
    """The text that people wrote: without code, and without parts that programs write."""
    text = page.read_text("utf-8")
    if page.name == "guards.md":  # The rules below come from their catalogue.
        text = text.partition("\n## Guards\n")[0]
    text = re.sub(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", "", text, flags=re.S)
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def prose(page: Path) -> Iterator[str]:
    """The lines without names in backquotes and without the addresses of links."""
    text = re.sub(r"<!-- (?:fields|options): \w+ -->\n(?:\|.*\n)*", "", written(page))
    yield from re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", " ", text).splitlines()


def test_few_phrases_stop_a_reader() -> None:
    lines = [(page.name, line) for page in PAGES for line in prose(page)]
    words = sum(len(re.findall(r"[A-Za-z']+", line)) for _, line in lines)
    found = [(name, line) for name, line in lines for _ in PHRASES.finditer(line)]
    assert len(found) * 1000 <= MOST * words, found


def texts_in(value: Any) -> Iterator[str]:
    """All texts in nested tables and lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)


def messages() -> Iterator[str]:
    """What users read: catalogues, texts of the site, help, and messages in the code."""
    for path in (ROOT / "generator").rglob("*.toml"):
        yield from texts_in(tomllib.loads(path.read_text("utf-8")))
    for folder in (ROOT / "templates/site", *files("templates/site")):
        if (texts := folder / "texts/en.json").exists():
            yield from texts_in(json.loads(texts.read_text("utf-8")))
    for path in (ROOT / "generator").rglob("*.py"):
        docstrings = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                if node.body and isinstance(node.body[0], ast.Expr):
                    docstrings.add(node.body[0].value)
                if isinstance(node, ast.FunctionDef) and node.name == "command":
                    yield ast.get_docstring(node) or ""
            elif isinstance(node, ast.Constant) and node not in docstrings:
                text = str(node.value)
                if text.count(" ") > 2 and not re.search(r"[\\^$]|\(\?", text):  # no pattern
                    yield text


@pytest.mark.slow
def test_few_phrases_of_messages_stop_a_reader() -> None:
    texts = list(messages())
    words = sum(len(re.findall(r"[A-Za-z']+", text)) for text in texts)
    found = [text for text in texts for _ in PHRASES.finditer(text)]
    assert words > 20_000
    assert len(found) * 1000 <= MOST * words, found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The problem is told where that is so.", 2),
        ("Who reads it is asked for a word, which is held against the last one.", 4),
        ("`registry check` reports every problem with its line.", 0),
    ],
)
def test_phrases_are_recognized(text: str, count: int) -> None:
    assert len(PHRASES.findall(text)) == count


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_wrap_at_100(page: Path) -> None:
    tables_and_pictures = ("|", "![", "<!--")
    long = [line for line in written(page).splitlines() if len(line) > 100]
    assert [line for line in long if not line.startswith(tables_and_pictures)] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 90
