"""docs/diagnostics.md has an entry for each code and for nothing else, and its examples say what they are said to.

A block of YAML after `<!-- bad: projects/acme.yaml -->` is laid over tests/content/base as that file; a block after
`<!-- case: NAME -->` is what tests/content/bad has.  `pytest --regenerate` writes what is said of them anew.
"""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from generator.api.diagnostic import CODES, render
from generator.build.pipeline import check

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "docs" / "diagnostics.md"
CONTENT = ROOT / "tests" / "content"

_EXAMPLE = re.compile(r"(<!-- bad: (\S+) -->\n```yaml\n(.*?)```\n\n```text\n)(.*?)(```)", re.S)
_CASE = re.compile(r"(<!-- case: (\S+) -->\n```text\n)(.*?)(```)", re.S)


def entries() -> dict[str, str]:
    """code -> its entry."""
    found = re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", DOCUMENT.read_text("utf-8"), re.M | re.S)
    assert len(dict(found)) == len(found), "an entry stands twice"
    return dict(found)


def said(folder: Path, path: str, text: str) -> str:
    """What `registry check` says of the file at `path` when it holds `text`."""
    content = folder / "content"
    shutil.rmtree(content, ignore_errors=True)
    shutil.copytree(CONTENT / "base", content)
    (content / path).write_text(text, "utf-8")
    problems = check("content", date(2026, 11, 21)).problems
    return render([problem for problem in problems if problem.path == f"content/{path}"], "text")


def kept(name: str) -> str:
    """What is expected of a case, without the count at the end."""
    return "".join((CONTENT / "bad" / f"{name}.txt").read_text("utf-8").splitlines(keepends=True)[:-1])


def test_examples_say_what_the_command_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool) -> None:
    monkeypatch.chdir(tmp_path)
    text = DOCUMENT.read_text("utf-8")
    real = _EXAMPLE.sub(lambda m: m[1] + said(tmp_path, m[2], m[3]) + m[5], text)
    real = _CASE.sub(lambda m: m[1] + kept(m[2]) + m[4], real)
    if regenerate:
        DOCUMENT.write_text(real, "utf-8")
    assert DOCUMENT.read_text("utf-8") == real


def test_every_code_has_its_entry_and_there_is_no_other() -> None:
    assert sorted(entries()) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_an_entry_says_what_it_means_how_to_mend_it_and_shows_it(code: str) -> None:
    entry = entries()[code]
    assert re.match(r"\n(?!<!--|```)\S[^\n]{20}", entry), "an entry begins with what the code means"
    assert entry.count("\n**Mend:** ") == 1
    examples = [match[4] for match in _EXAMPLE.finditer(entry)] + [match[3] for match in _CASE.finditer(entry)]
    # No few lines of content pass the limit of a host, or that of problems, lose many records, or say which host is meant.
    assert len(examples) == (code not in ("host-limit", "no-base-url", "more-problems", "records-lost"))
    assert all(f"[{code}]\n" in text for text in examples)


def test_the_examples_are_short() -> None:
    assert all(match[3].count("\n") <= 5 for match in _EXAMPLE.finditer(DOCUMENT.read_text("utf-8")))
