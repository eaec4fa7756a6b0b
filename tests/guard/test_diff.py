"""`registry diff` and `registry approve`, with the arguments of people and workflows."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from generator.dialect.folder import Content
from generator.guard import show
from generator.guard.comparison import Comparison, compare
from generator.guard.markdown import as_markdown
from generator.guard.published import Published
from generator.model.settings.approvals import read_approvals
from generator.model.settings.registry import Settings
from generator.problems.markdown import MARK, MAX_BYTES
from support import registries
from support.commands import build, environment, files, run_forked
from support.contract_pairs import BASE, changed, state

HOSTILE = "@octocat #1 <img src=x onerror=alert(1)> [x](https://evil.example) ``` | `a` **b**"

SPACE = {"topic": ["space"]}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.example", *arguments],
        cwd=folder, env=environment(), capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.decode().strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return git(folder, "rev-parse", "HEAD")


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


def test_a_revision_and_the_working_tree(checkout: Path) -> None:
    before = files(checkout)
    done = run_forked("diff", "HEAD", "content", "--format", "json", cwd=checkout)
    assert files(checkout) == before and git(checkout, "diff", "--cached") == ""
    assert done.status == 1, done.err
    told = json.loads(done.out)
    projects = told["records"]["projects"]
    assert (projects["was"], projects["now"]) == (3, 3)
    assert projects["added"] == [{"slug": "dune", "name": HOSTILE}]
    assert projects["removed"] == [{"slug": "bloom", "name": "Bloom"}]
    assert projects["renamed"] == [
        {"slug": "cairn", "now": "cairn-labs", "name": "Cairn", "merged": False}
    ]
    assert projects["changed"] == [
        {"slug": "aurora-grid", "name": "Aurora", "fields": [
            {"name": "name", "was": "Aurora Grid", "now": "Aurora"},
            {"name": "tags.topic", "was": ["climate"], "now": ["space"]},
            {"name": "tags.technology", "was": ["heat-pumps"], "now": None},
        ]},
        {"slug": "cairn-labs", "name": "Cairn", "fields": [
            {"name": "status", "was": "inactive", "now": "acquired"},
            {"name": "aliases", "was": None, "now": ["cairn"]},
        ]},
    ]  # fmt: skip
    (gone,) = told["contract"]
    assert (gone["rule"], gone["subject"], gone["tier"]) == (
        "record-gone", "projects bloom", "addresses",
    )  # fmt: skip
    assert gone["old"] == {"path": "/api/projects/slug/bloom.json", "pointer": "", "there": True}
    counts = {(one["filter"], one["value"]): (one["was"], one["now"]) for one in told["lists"]}
    assert counts["tag_topic", "health"] == (1, 0) and counts["status", "acquired"] == (0, 1)


def test_an_approval_holds_for_that_change_alone(checkout: Path) -> None:
    told = json.loads(run_forked("diff", "HEAD", "content", "--format", "json", cwd=checkout).out)
    print_ = told["contract"][0]["fingerprint"]
    done = run_forked("approve", print_, "--reason", "twice: #1", cwd=checkout)
    assert done.status == 0 and "written  approvals.yaml" in done.out
    assert run_forked("check", cwd=checkout).status == 0
    done = run_forked("diff", "HEAD", "content", cwd=checkout)
    assert done.status == 0 and "approved: twice: #1" in done.out
    assert done.out.endswith("\nNothing breaks. 1 more is approved.\n")
    commit(checkout)
    (checkout / "content/projects/dune.yaml").unlink()
    done = run_forked("diff", "HEAD", "content", cwd=checkout)
    assert done.status == 1 and "projects dune" in done.out
    spent = f"1 approval matches no change, and can be deleted from approvals.yaml: {print_}."
    assert done.out.endswith(f" {spent}\n")
    assert run_forked("diff", "HEAD~1", "HEAD", cwd=checkout).status == 0, "of the newer revision"


def test_builds_and_a_base_url(tmp_path: Path, checkout: Path) -> None:
    older = build(write(tmp_path / "a"), tmp_path / "older")
    newer = build(write(tmp_path / "a", registry={"license": "MIT"}), tmp_path / "newer")
    assert run_forked("diff", older, older).out.endswith("\nNothing published has changed.\n")
    done = run_forked("diff", older, newer)
    assert done.status == 1 and "the licence was CC0-1.0 and is now MIT" in done.out
    assert run_forked("diff", "HEAD", older, cwd=checkout).status == 0


def test_pages_for_people_are_gone_only_if_the_settings_say_so(tmp_path: Path) -> None:
    live = build(registries.write(tmp_path / "content"), tmp_path / "live", site=True)
    assert run_forked("diff", live, tmp_path / "content").status == 0
    done = run_forked("diff", live, write(tmp_path))
    assert done.status == 1 and "site-gone" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing", "content"), "nothing is not the URL of a registry, a folder with a build"),
        (("--output=x", "content"), "No such option"),
        (("--", "--output=x", "content"), "or a git revision"),
        (("HEAD", "https://127.0.0.1:9"), "cannot be read"),
        (("HEAD", "projects"), "projects is not the URL of a registry"),
    ],
)
def test_an_unavailable_side_is_a_usage_error(
    arguments: tuple[str, ...], said: str, checkout: Path
) -> None:
    done = run_forked("diff", *arguments, cwd=checkout)
    assert done.status == 2 and said in done.err and done.out == ""


def test_content_with_errors_is_reported_like_a_check(checkout: Path) -> None:
    (checkout / "content/projects/bad.yaml").write_text("nam: x\n")
    commit(checkout)
    done = run_forked("diff", "HEAD~1", "HEAD", cwd=checkout)
    assert done.status == 2
    assert "HEAD:projects/bad.yaml:1:1: error[" in done.err and "HEAD does not build" in done.err


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
        done.old, done.new, {**done.records, "projects": some}, done.lists,
        done.contract * count, [], {},
    )  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 10, 100, 10_000])
def test_a_comment_is_never_longer_than_a_host_allows(count: int) -> None:
    text = as_markdown(_many(count))
    assert "\u202e" not in text
    assert len(text.encode()) <= MAX_BYTES
    assert text.count("<details>") == text.count("</details>")
    assert ("more: `registry diff --format json` has all" in text) is (count >= 100)
    if count:
        assert "record-gone" in text, "what stops a publish comes first"


def test_the_last_line_says_how_many_changes_break_the_contract() -> None:
    lines = [show.as_text(_many(count)).splitlines()[-1] for count in (0, 1, 2, 10_000)]
    assert lines == [
        "Nothing published has changed.",
        "Do not publish this yet: 1 change breaks the contract.",
        "Do not publish this yet: 2 changes break the contract.",
        "Do not publish this yet: 10,000 changes break the contract.",
    ]


def test_control_characters_never_reach_a_terminal() -> None:
    assert "\u202e" not in show.as_text(_many(1))


def test_a_folder_without_a_build_is_refused(tmp_path: Path) -> None:
    from generator.guard.published import NotPublished

    with pytest.raises(NotPublished):
        Published.open(str(tmp_path))


@pytest.mark.parametrize("one", ["1234567890123456", "0000000000000000", "12e4567890123456"])
def test_a_numeric_fingerprint_is_refused(one: str, checkout: Path) -> None:
    for _ in range(2):
        assert run_forked("approve", one, cwd=checkout).status == 0
        assert run_forked("approve", "aaaaaaaaaaaaaaaa", cwd=checkout).status == 0
    assert run_forked("check", cwd=checkout).status == 0
    text = (checkout / "content/approvals.yaml").read_text()
    assert text.count(one) == 1 and text.count("aaaa") >= 1


def test_an_approval_does_not_claim_that_a_change_is_approved(checkout: Path) -> None:
    """A build and a diff say whether any change has the fingerprint."""
    done = run_forked("approve", "a" * 16, cwd=checkout)
    assert done.status == 0
    assert "Noted. A build or registry diff that reports this fingerprint lets it pass" in done.out
    done = run_forked("diff", "HEAD", "content", cwd=checkout)
    spent = f"1 approval matches no change, and can be deleted from approvals.yaml: {'a' * 16}."
    assert done.status == 1 and spent in done.out


def test_a_second_reason_replaces_the_first(checkout: Path) -> None:
    one, other = "a" * 16, "b" * 16
    file = checkout / "content/approvals.yaml"

    def reasons() -> dict[str, str | None]:
        approvals, problems = read_approvals(Content(str(checkout / "content")))
        assert problems == []
        return {fingerprint: of.reason for fingerprint, of in approvals.items()}

    assert run_forked("approve", one, cwd=checkout).status == 0
    file.write_text(file.read_text().replace("date:", "date:  ") + "# my comment\n")
    assert run_forked("approve", one, "--reason", "twice: #1", cwd=checkout).status == 0
    assert reasons() == {one: "twice: #1"} and "# my comment" in file.read_text()
    assert run_forked("approve", one, other, "--reason", "sold", cwd=checkout).status == 0
    assert reasons() == {one: "sold", other: "sold"}
    before = file.read_text()
    done = run_forked("approve", one, "--reason", "sold", cwd=checkout)
    assert done.status == 0 and f"{one} is not changed: it is already approved" in done.err
    assert run_forked("approve", one, cwd=checkout).status == 0
    done = run_forked("approve", one, "--reason", "x" * 301, cwd=checkout)
    assert done.status == 2 and "reason" in done.err
    done = run_forked("approve", one, "--reason", "A", "--reason", "B", cwd=checkout)
    assert done.status == 2 and "--reason is given more than once" in done.err
    assert file.read_text() == before


def test_half_of_the_records_lost_needs_one_approval(tmp_path: Path) -> None:
    projects = {
        f"p{number:03}": {"name": f"P {number}", "aliases": [f"former-{number}"], "year": 2000}
        for number in range(40)
    }
    live = build(write(tmp_path, projects=projects), tmp_path / "live")
    for number in range(0, 40, 2):
        (tmp_path / "content/projects" / f"p{number:03}.yaml").unlink()
    done = run_forked("diff", live, "content", "--format", "json", cwd=tmp_path)
    told = json.loads(done.out)
    assert done.status == 1 and told["contract"] == []
    (one,) = told["guards"]
    assert one["words"] == "20 of 40 projects are gone: p000, p002, p004 and 17 more"
    assert run_forked("approve", one["fingerprint"], cwd=tmp_path).status == 0
    assert run_forked("diff", live, "content", cwd=tmp_path).status == 0
    assert run_forked("build", "--against", live, cwd=tmp_path).status == 0
    (tmp_path / "content/projects/p001.yaml").unlink()
    done = run_forked("diff", live, "content", cwd=tmp_path)
    assert done.status == 1 and "21 of 40 projects are gone" in done.out


@pytest.mark.parametrize(
    "text", ["approvals: []\n", "approvals:\n# none yet\n  []\n", "approvals: [] # none"]
)
def test_an_approval_is_added_in_any_layout(text: str, checkout: Path) -> None:
    (checkout / "content/approvals.yaml").write_text(text)
    assert run_forked("approve", "a" * 16, cwd=checkout).status == 0
    assert "fingerprint: aaaaaaaaaaaaaaaa" in (checkout / "content/approvals.yaml").read_text()
    assert run_forked("check", cwd=checkout).status == 0


def test_a_file_with_faults_is_left_alone(checkout: Path) -> None:
    (checkout / "content/approvals.yaml").write_text("approvals: [{fingerprnt: x}]\n")
    done = run_forked("approve", "a" * 16, cwd=checkout)
    assert done.status == 2 and "approvals.yaml has errors" in done.err
    done = run_forked("check", cwd=checkout)
    assert done.status == 1 and "approvals.yaml:1:14: error[" in done.err
    assert run_forked(*("approve", "xyz"), cwd=checkout).status == 2
