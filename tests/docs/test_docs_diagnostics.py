"""docs/diagnostics.md matches the catalogue of codes and the real messages for its examples.

The file of an example replaces a file of tests/content/base; a case is in tests/content/bad.
`pytest --regenerate` rewrites the document.
"""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from generator.cli._report import problem_lines
from generator.problems.codes import Code, codes, groups
from generator.published.check import check
from support.commands import ROOT

DOCUMENT = ROOT / "docs" / "diagnostics.md"
CONTENT = ROOT / "tests" / "content"


def report(folder: Path, path: str, text: str) -> str:
    """The problems that `registry check` reports if the file at `path` contains `text`."""
    content = folder / "content"
    shutil.rmtree(content, ignore_errors=True)
    shutil.copytree(CONTENT / "base", content)
    (content / path).write_text(text, "utf-8")
    problems = check("content", date(2026, 11, 21)).problems
    found = (problem for problem in problems if problem.path == f"content/{path}")
    return "".join(
        f"{str(problem).partition(chr(10))[0]}\n{rest}\n" for problem, rest in problem_lines(found)
    )


def expected(name: str) -> str:
    """The expected messages of a case, without the count at the end."""
    return "".join(
        (CONTENT / "bad" / f"{name}.txt").read_text("utf-8").splitlines(keepends=True)[:-1]
    )


def example_of(code: Code, folder: Path) -> str:
    """The example of a code with its messages; "" if the code has none."""
    if code.file:
        example = f"<!-- bad: {code.file} -->\n```yaml\n{code.holds}```\n\n"
        return f"{example}```text\n{report(folder, code.file, code.holds)}```\n\n"
    if code.case:
        return f"<!-- case: {code.case} -->\n```text\n{expected(code.case)}```\n\n"
    return f"```text\n{code.said}```\n\n" if code.said else ""


def generated(folder: Path) -> str:
    """The document after its preface."""
    out = []
    for group in groups():
        out.append(f"## {group.title}\n\n" + (f"{group.intro.strip()}\n\n" if group.intro else ""))
        for name, code in group.codes.items():
            out.append(
                f"### {name}\n\n{code.cause.strip()}\n\n"
                f"{example_of(code, folder)}**Mend:** {code.mend.strip()}\n\n"
            )
    return "".join(out).rstrip("\n") + "\n"


def test_the_document_is_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, regenerate: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    preface = DOCUMENT.read_text("utf-8").partition("\n## ")[0]
    made = f"{preface}\n{generated(tmp_path)}"
    if regenerate:
        DOCUMENT.write_text(made, "utf-8")
    assert DOCUMENT.read_text("utf-8") == made


def test_every_code_has_a_cause_a_fix_and_an_example() -> None:
    assert sum(len(group.codes) for group in groups()) == len(codes())
    text = DOCUMENT.read_text("utf-8")
    for name, code in codes().items():
        assert len(code.cause) > 20 and code.mend, f"{name} needs a cause and how to mend it"
        assert bool(code.file) == bool(code.holds) and code.holds.count("\n") <= 5
        assert bool(code.file) + bool(code.case) + bool(code.said) <= 1
        # These two depend on the number of files and on the host, which no short file shows.
        example = text.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert (f"[{name}]\n" in example) == (name not in ("host-limit", "no-base-url")), name


def test_every_code_that_the_package_reports_is_in_the_catalogue() -> None:
    """The source names each code as a text; a code without a mention is never reported."""
    source = "".join(path.read_text("utf-8") for path in (ROOT / "generator").rglob("*.py"))
    assert {name for name in codes() if f'"{name}"' not in source} == set()
    reported = set(
        re.findall(
            r"(?:Fault|Diagnostic|problem)\(\s*+(?:[\w.\[\]: -]++,\s*+)*+"
            r'"([a-z0-9]+(?:-[a-z0-9]+)+)"',
            source,
        )
    )
    assert len(reported) > 40 and reported <= codes().keys()


def test_every_code_that_is_reported_as_a_warning_can_be_accepted() -> None:
    cases = (CONTENT / "bad").glob("*.txt")
    lines = (line for case in cases for line in case.read_text("utf-8").splitlines())
    warned = {line.split("[")[-1][:-1] for line in lines if ": warning[" in line}
    assert {name for name in warned if not codes()[name].accept} == {"unused-accept"}
