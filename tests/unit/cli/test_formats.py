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
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from generator.cli.publishing._formats import MOST, render
from generator.cli.publishing.check import command
from generator.problems.codes import codes
from generator.problems.diagnostic import Diagnostic
from generator.problems.markdown import MARK, MAX_BYTES
from support.commands import ROOT

ERROR = Diagnostic(
    "content/projects/acme.yaml", 14, 9, "unknown-reference",
    'programs[1]: there is no program "yc-sumer-2024"', 'did you mean "yc-summer-2024"?',
)  # fmt: skip
WARNING = Diagnostic(
    "content/a b,c:d%.yaml", 1, 1, "stray-file", "the build ignores this", severity="warning"
)
SCHEMA = json.loads((ROOT / "tests/support/schemas/sarif-2.1.0.json").read_text("utf-8"))


def sarif(problems: list[Diagnostic], **more: Any) -> dict[str, Any]:
    """The only run of a valid log."""
    log = json.loads(render(problems, "sarif", **more))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    checked_run: dict[str, Any] = run
    return checked_run


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(ROOT / "tests/content/base", tmp_path / "content")


def checked(form: str) -> str:
    done = CliRunner().invoke(
        command, ["--format", form], standalone_mode=False, catch_exceptions=False
    )
    assert done.stderr == ""
    return done.stdout


def test_json_holds_every_part() -> None:
    problem = replace(ERROR, also=(("content/b.yaml", 3, 4),))
    mends = {problem: [(14, 9, 14, 22, "yc-summer-2024")]}
    assert json.loads(render([problem, WARNING], "json", mends)) == {
        "problems": [
            {
                "path": "content/projects/acme.yaml",
                "line": 14,
                "column": 9,
                "code": "unknown-reference",
                "message": 'programs[1]: there is no program "yc-sumer-2024"',
                "hint": 'did you mean "yc-summer-2024"?',
                "severity": "error",
                "also": [{"path": "content/b.yaml", "line": 3, "column": 4}],
                "mend": [
                    {"line": 14, "column": 9, "end_line": 14, "end_column": 22,
                     "text": "yc-summer-2024"}
                ],
            },
            {
                "path": "content/a b,c:d%.yaml",
                "line": 1,
                "column": 1,
                "code": "stray-file",
                "message": "the build ignores this",
                "hint": None,
                "severity": "warning",
                "also": [],
                "mend": [],
            },
        ]
    }  # fmt: skip


def test_github_gets_a_workflow_command_a_line() -> None:
    """https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands"""
    assert render([ERROR, WARNING], "github").splitlines() == [
        "::error file=content/projects/acme.yaml,line=14,col=9,title=unknown-reference::"
        'programs[1]: there is no program "yc-sumer-2024"%0Adid you mean "yc-summer-2024"?',
        "::warning file=content/a b%2Cc%3Ad%25.yaml,line=1,col=1,title=stray-file::the build "
        "ignores this",
    ]


def test_gitlab_gets_a_report_of_code_quality() -> None:
    """https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""
    report = json.loads(render([ERROR, WARNING, ERROR, replace(ERROR, line=40)], "gitlab"))
    assert report[0] == {
        "description": 'programs[1]: there is no program "yc-sumer-2024" '
        '(did you mean "yc-summer-2024"?)',
        "check_name": "unknown-reference",
        "fingerprint": report[0]["fingerprint"],
        "severity": "major",
        "location": {"path": "content/projects/acme.yaml", "lines": {"begin": 14}},
    }
    assert report[1]["severity"] == "minor"
    prints = [problem["fingerprint"] for problem in report]
    assert len(set(prints)) == 4
    moved = json.loads(render([replace(ERROR, line=40)], "gitlab"))
    assert moved[0]["fingerprint"] == prints[0] and render([], "gitlab") == "[]\n"


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


def test_sarif_is_one_run_with_rules_results_and_places() -> None:
    run = sarif([ERROR, WARNING, ERROR])
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "registry-generator"
    assert [rule["id"] for rule in driver["rules"]] == ["stray-file", "unknown-reference"]
    for rule in driver["rules"]:
        assert rule["shortDescription"] == {"text": codes()[rule["id"]].summary}
        assert rule["fullDescription"]["text"] and "**Mend:**" in rule["help"]["markdown"]
    levels = [rule["defaultConfiguration"]["level"] for rule in driver["rules"]]
    assert levels == ["warning", "error"]
    results = run["results"]
    for result in results:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    known = [result["partialFingerprints"]["registryProblem/v1"] for result in results]
    assert len(set(known)) == 3  # identical problems too
    moved = sarif([replace(ERROR, line=40)])["results"][0]
    assert moved["partialFingerprints"]["registryProblem/v1"] == known[0]
    assert results[0]["level"] == "error"
    assert results[0]["message"]["text"] == (
        'programs[1]: there is no program "yc-sumer-2024" (did you mean "yc-summer-2024"?)'
    )
    assert results[0]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {
                    "uri": "content/projects/acme.yaml", "uriBaseId": "%SRCROOT%",
                },
                "region": {"startLine": 14, "startColumn": 9},
            }
        }
    ]  # fmt: skip
    assert results[1]["level"] == "warning"
    # A URI (RFC 3986), so blanks and percent signs are encoded.
    uri = results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "content/a%20b%2Cc%3Ad%25.yaml"


def test_sarif_has_regions_other_places_and_safe_fixes(content: Path) -> None:
    path = content / "projects/acme.yaml"
    path.write_text("name: “Zürich: x”\nsummary: a\nsummary: b\nname: c year: d\n", "utf-8")
    (content / "projects/b.yaml").write_text("name: B\nyear: “2020” # when\nstatus: activ\n")
    log = json.loads(checked("sarif"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
    assert {"startLine": 1, "startColumn": 7, "endColumn": 18} in regions
    mended = {
        (r["ruleId"], *(edit["insertedContent"]["text"]
                        for edit in r["fixes"][0]["artifactChanges"][0]["replacements"]))
        for r in run["results"] if "fixes" in r
    }  # fmt: skip
    assert mended == {("yaml-syntax", '"Zürich: x"'), ("odd-quotes", "2020")}
    path.write_text("name: A\nyear: 2020\nyear: 2021\n")
    (run,) = json.loads(checked("sarif"))["runs"]
    again = next(r for r in run["results"] if r["ruleId"] == "yaml-duplicate-key")
    (other,) = again["relatedLocations"]
    assert other["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 1}
    assert other["physicalLocation"]["artifactLocation"]["uri"] == "content/projects/acme.yaml"


BAD = sorted((ROOT / "tests/content/bad").glob("*.yaml"))


def test_sarif_of_every_kept_case_is_valid(content: Path) -> None:
    for number, case in enumerate(BAD):
        raw = case.read_bytes()
        where = raw.partition(b"\n")[0].removeprefix(b"# at: ").decode()
        if where.partition("/")[0] in ("projects", "programs", "organizations", "events"):
            folder = content / where.partition("/")[0] / str(number)
            folder.mkdir(parents=True)
            (folder / f"bad-{number}.yaml").write_bytes(raw)
    log = json.loads(checked("sarif"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    assert len(log["runs"][0]["results"]) > 200
    # Every place is in its file, and the text there is the text of the report.
    for result in log["runs"][0]["results"]:
        for fix in result.get("fixes", ()):
            for edit in fix["artifactChanges"][0]["replacements"]:
                region = edit["deletedRegion"]
                start = region["startLine"], region["startColumn"]
                assert start <= (region["endLine"], region["endColumn"])


def test_annotations_have_an_end(content: Path) -> None:
    (content / "projects/acme.yaml").write_text("name: Acme\nstatus: activ # so\n")
    assert "line=2,col=9,endColumn=14,title=invalid-choice::" in checked("github")


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_documents_without_a_problem_are_valid(form: str) -> None:
    document = json.loads(render([], form))
    assert document.get("problems", document.get("runs", [{}])[0].get("results")) == []
    if form == "sarif":
        sarif([])


def test_there_are_no_lines_without_a_problem() -> None:
    assert render([], "github") == ""


def test_accepted_warnings_are_notes() -> None:
    accepted = replace(WARNING, severity="accepted", hint="accepted in registry.yaml: so it is")
    assert render([accepted], "github").startswith("::notice file=")
    assert json.loads(render([accepted], "gitlab"))[0]["severity"] == "info"
    (result,) = sarif([accepted])["results"]
    assert result["level"] == "note"
    assert result["suppressions"] == [{"kind": "inSource", "justification": accepted.hint}]


@pytest.mark.parametrize("count", [1, 10_000])
def test_a_comment_has_all_texts_as_code_and_is_never_too_long(count: int) -> None:
    hostile = "@octocat <img src=x> [x](https://evil.example) ``` | `a` **b**\u202e"
    text = render([replace(ERROR, message=hostile, hint=hostile, path=hostile)] * count, "markdown")
    assert text.startswith(f"{MARK}\n") and len(text.encode()) <= MAX_BYTES
    assert ("more: run `registry check`" in text) is (count > 1) and "\u202e" not in text
    html = MarkdownIt("commonmark", {"html": True}).render(text)
    assert "octocat" not in re.sub(r"(?s)<code.*?</code>", "", html) and "<img" not in html


@pytest.mark.parametrize("form", ["json", "github", "gitlab", "markdown", "sarif"])
def test_every_form_ends_with_its_line_and_keeps_letters(form: str) -> None:
    text = render([Diagnostic("a.yaml", 1, 1, "latin-spelling", 'locations[0].city: "東京"')], form)
    assert text.endswith("\n")
    assert "東京" in text
