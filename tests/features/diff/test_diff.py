"""`registry diff` and `registry approve`, with the arguments of people and workflows."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest

from generator.features.diff.comparison import Comparison, as_text, compare
from generator.features.diff.markdown import as_markdown
from generator.problems.markdown import MARK, MAX_BYTES
from support import registries
from support.commands import build, run_forked
from support.contract_pairs import BASE, changed, state
from support.git import commit, git
from support.kinds import Settings
from support.lanes import fast_first

HOSTILE = "@octocat #1 <img src=x onerror=alert(1)> [x](https://evil.example) ``` | `a` **b**"

SPACE = {"topic": ["space"]}


def write(folder: Path, **more: Any) -> Path:
    return registries.write(folder / "content", registries.api_alone(**more))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A registry in a git checkout with uncommitted changes."""
    git(tmp_path, "init", "-q")
    content = write(tmp_path)
    commit(tmp_path)
    (content / "projects/bloom.yaml").unlink()
    projects = registries.SMALL["projects"]
    (content / "projects/cairn.yaml").unlink()
    renamed = {**projects["cairn"], "aliases": ["cairn"], "status": "acquired"}
    write(
        tmp_path,
        projects={
            "aurora-grid": projects["aurora-grid"]
            | {"name": "Aurora", "tags": {"topic": ["space"]}},
            "cairn-labs": renamed,
            "dune": {"name": HOSTILE},
        },
    )
    return tmp_path


def test_a_comment_quotes_records_as_text_only(checkout: Path) -> None:
    done = run_forked("diff", "HEAD", "content", "--format", "markdown", cwd=checkout)
    assert done.status == 1 and done.out.startswith(f"{MARK}\n")
    assert "`registry approve " in done.out
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(done.out)
    outside = re.sub(r"(?s)<code>.*?</code>", "", html)
    assert "octocat" not in outside and "<img" not in outside and "<a " not in html
    assert "octocat" in html


def pasted(text: str, file: str) -> str:
    """The lines that the comment gives to paste into a file, for one finding only."""
    blocks = re.findall(r"  [^`\n]*`([^`]+)`:\n\n  ```yaml\n(.*?)\n  ```", text, re.S)
    (lines,) = [lines for path, lines in blocks if path == f"content/{file}"]
    return re.sub("(?m)^  ", "", lines) + "\n"


@pytest.mark.slow
def test_a_comment_gives_the_lines_that_mend_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    kai = {"name": "KAI 42", "website": "https://kai.example/", "aliases": ["kai"]}
    content = write(tmp_path, projects={"kai42": kai} | {n: {"name": n} for n in ("gone", "left")})
    commit(tmp_path)
    run = functools.partial(run_forked, "diff", "HEAD", "content", cwd=tmp_path)

    def comment() -> str:
        done = run("--format", "markdown")
        assert done.status == 1 and "Or on the command line: `registry approve " in done.out
        return str(done.out)

    (content / "projects/kai42.yaml").unlink()
    (content / "projects/k").mkdir()
    moved = content / "projects/k/kai-42.yaml"
    moved.write_text("name: KAI 42 Ltd\nwebsite: http://www.kai.example\n")
    lines = pasted(comment(), "projects/k/kai-42.yaml")
    assert lines == "aliases: [kai, kai42]\n"
    moved.write_text(moved.read_text() + lines)
    assert run().status == 0
    (content / "projects/gone.yaml").unlink()
    (content / "removed.yaml").write_text(pasted(comment(), "removed.yaml"))
    assert run().status == 0 and run_forked("check", "--strict", cwd=tmp_path).status == 0
    (content / "removed.yaml").unlink()
    approvals = content / "approvals.yaml"
    approvals.write_text(pasted(comment(), "approvals.yaml"))
    assert run().status == 0
    (content / "projects/left.yaml").unlink()
    approvals.write_text(approvals.read_text() + pasted(comment(), "approvals.yaml"))
    assert run().status == 0 and approvals.read_text().count("fingerprint") == 2


def test_records_that_are_not_plainly_the_same_get_no_alias(tmp_path: Path) -> None:
    a, b = {"name": "Acme", "website": "https://a.example/"}, {"name": "Acme"}
    for number, (old, new) in enumerate((
        ({"old": a}, {"new": b | {"website": "https://b.example/"}}),
        ({"old": b}, {"new": b, "newer": b}),
        ({"old": b, "older": b}, {"new": b}),
    )):  # fmt: skip
        live = build(write(tmp_path / f"{number}", projects=old), tmp_path / f"live-{number}")
        newer = write(tmp_path / f"{number}-new", projects=new)
        done = run_forked("diff", live, newer, "--format", "markdown")
        assert done.status == 1 and "aliases:" not in done.out


def _many(count: int) -> Comparison:
    old, new = state(BASE), state(changed("record-gone"))
    done = compare(old, new, Settings(name="x", description="x"), {}, released=True)
    some = done.records["projects"]._replace(
        added={f"p{n}": HOSTILE * 3 + "\u202e" for n in range(count)},
        removed={f"q{n}": "é" * 150 for n in range(count)},
    )
    return Comparison(
        done.old, done.new, done.kinds, {**done.records, "projects": some}, done.lists,
        done.contract * count, [], {},
    )  # fmt: skip


@pytest.mark.parametrize("count", fast_first(3, [1, 10, 100, 0, 10_000]))
def test_a_comment_is_never_longer_than_a_host_allows(count: int) -> None:
    text = as_markdown(_many(count))
    assert "\u202e" not in text
    assert len(text.encode()) <= MAX_BYTES
    assert text.count("<details>") == text.count("</details>")
    assert ("more: `registry diff --format json` has all" in text) is (count >= 100)
    if count:
        assert "record-gone" in text, "what stops a publish comes first"


def test_a_text_is_printable_and_ends_with_how_many_changes_break_the_contract() -> None:
    assert "\u202e" not in as_text(_many(1))
    lines = [as_text(_many(count)).splitlines()[-1] for count in (0, 1, 2, 10_000)]
    assert lines == [
        "Nothing published has changed.",
        "Do not publish this yet: 1 change breaks the contract.",
        "Do not publish this yet: 2 changes break the contract.",
        "Do not publish this yet: 10,000 changes break the contract.",
    ]
