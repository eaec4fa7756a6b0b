"""Problems as JSON, as annotations of a GitHub workflow and as SARIF 2.1.0.

tests/support/schemas/sarif-2.1.0.json is the schema of OASIS, copied from the npm package
@microsoft/jest-sarif 1.0.0-beta.0 (MIT).
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from markdown_it import MarkdownIt

from generator import __version__
from generator.cli.publishing._formats import MOST, render
from generator.problems.diagnostic import Diagnostic
from generator.problems.markdown import MARK, MAX_BYTES
from support.commands import ROOT, run_forked
from support.transcripts import Case, Shell, transcript

ERROR = Diagnostic(
    "content/projects/acme.yaml", 14, 9, "unknown-reference",
    'programs[1]: there is no program "yc-sumer-2024"', 'did you mean "yc-summer-2024"?',
)  # fmt: skip
WARNING = Diagnostic(
    "content/a b,c:d%.yaml", 1, 1, "stray-file", "the build ignores this", severity="warning"
)
SCHEMA = json.loads((ROOT / "tests/support/schemas/sarif-2.1.0.json").read_text("utf-8"))


@transcript(Path(__file__).parent / "transcripts/formats.txt")
def test_formats(case: Case, tmp_path: Path, regenerate: bool) -> None:
    case.run(Shell(tmp_path, BASE=ROOT / "tests/content/base", VERSION=__version__), regenerate)


@pytest.mark.parametrize(
    ("message", "escaped"),
    [
        ("100%", "100%25"),
        ("a\r\nb", "a%0D%0Ab"),
        ("%0A", "%250A"),
        ("a: b, c", "a: b, c"),
        ("::error::x", "::error::x"),
        ("x\n::stop-commands::y", "x%0A::stop-commands::y"),
    ],
)
def test_a_message_cannot_end_a_workflow_command(message: str, escaped: str) -> None:
    line = render([Diagnostic("a.yaml", 1, 2, "yaml-syntax", message)], "github")
    assert line == f"::error file=a.yaml,line=1,col=2,title=yaml-syntax::{escaped}\n"


def test_github_gets_the_rest_in_the_log() -> None:
    """At most ten annotations of each kind, each file once before any file twice, the rest in the
    log.
    """
    problems = [
        replace(ERROR, path=f"content/{file}.yaml", line=line)
        for file in "abcdefg" for line in range(1, 4)
    ] + [replace(WARNING, path=f"content/{number}.yaml") for number in range(12)]  # fmt: skip
    lines = render(problems, "github").splitlines()
    errors = [line for line in lines if line.startswith("::error ")]
    assert len(errors) == MOST
    assert [re.findall(r"file=content/(.)\.yaml,line=(\d)", line)[0] for line in errors] == [
        *((file, "1") for file in "abcdefg"), *((file, "2") for file in "abc"),
    ]  # fmt: skip
    assert [line[:9] for line in lines[MOST : 2 * MOST]] == ["::warning"] * MOST
    notice, group, *rest, end = lines[2 * MOST :]
    assert notice == (
        "::notice title=registry check::21 errors and 12 warnings. GitHub shows 10 of each at "
        "their lines; 11 errors and 2 warnings more are in the log of this step."
    )
    assert (group, end) == ("::group::11 errors and 2 warnings more", "::endgroup::")
    assert len(rest) == 13
    assert rest[0].startswith("content/a.yaml:3:9: error[unknown-reference] programs[1]: there")


def test_text_in_the_log_is_no_command() -> None:
    odd = [
        Diagnostic(f"content/##[error]{n}.yaml", 1, 2, "yaml-syntax", "::stop-commands::x")
        for n in range(MOST + 2)
    ]
    rest = render(odd, "github").partition("::group::")[2].splitlines()[1:-1]
    assert len(rest) == 2
    assert not any("##[" in line or line.lstrip().startswith("::") for line in rest)


BAD = sorted((ROOT / "tests/content/bad").glob("*.yaml"))


def test_sarif_of_every_kept_case_is_valid(tmp_path: Path) -> None:
    content = shutil.copytree(ROOT / "tests/content/base", tmp_path / "content")
    for number, case in enumerate(BAD):
        raw = case.read_bytes()
        where = raw.partition(b"\n")[0].removeprefix(b"# at: ").decode()
        if where.partition("/")[0] in ("projects", "programs", "organizations", "events"):
            folder = content / where.partition("/")[0] / str(number)
            folder.mkdir(parents=True)
            (folder / f"bad-{number}.yaml").write_bytes(raw)
    log = json.loads(run_forked("check", "--format", "sarif", cwd=tmp_path).out)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    assert len(run["results"]) > 200
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        for fix in result.get("fixes", ()):
            for edit in fix["artifactChanges"][0]["replacements"]:
                region = edit["deletedRegion"]
                start = region["startLine"], region["startColumn"]
                assert start <= (region["endLine"], region["endColumn"])


@pytest.mark.parametrize("count", [1, 10_000])
def test_a_comment_has_all_texts_as_code_and_is_never_too_long(count: int) -> None:
    hostile = "@octocat <img src=x> [x](https://evil.example) ``` | `a` **b**\u202e"
    text = render([replace(ERROR, message=hostile, hint=hostile, path=hostile)] * count, "markdown")
    assert text.startswith(f"{MARK}\n") and len(text.encode()) <= MAX_BYTES
    assert ("more: run `registry check`" in text) is (count > 1) and "\u202e" not in text
    html = MarkdownIt("commonmark", {"html": True}).render(text)
    assert "octocat" not in re.sub(r"(?s)<code.*?</code>", "", html) and "<img" not in html


def test_identical_problems_have_fingerprints_of_their_own() -> None:
    report = json.loads(render([ERROR, ERROR, replace(ERROR, line=40)], "gitlab"))
    assert len({problem["fingerprint"] for problem in report}) == 3
