"""Issue forms: their questions, GitHub's rules for them, and the records of submitted forms."""

from __future__ import annotations

import importlib.resources
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from generator.dialect.examine import examine
from generator.dialect.libyaml import parse
from generator.dialect.texts import without_invisible
from generator.edit.forms import submit as submitting
from generator.edit.forms.github import ANOTHER, PROMISES, REPORT, form_questions, forms
from generator.edit.forms.submit import Submission, submit
from generator.edit.forms.workspace import open_registry
from support.commands import REGISTRY, files, run_forked
from support.own import OWN
from support.registries import SMALL, content, write

SCHEMA = importlib.resources.files("check_jsonschema").joinpath(
    "builtin_schemas/vendor/github-issue-forms.json"
)
TICKED = "\n".join(f"- [x] {promise}" for promise in PROMISES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "repository" / "content", content())


def body(folder: Path, of: str = "project", /, **answers: str) -> str:
    """The issue text that GitHub makes of a filled-in form."""
    form = form_questions(of, open_registry(str(folder)).symbols)
    parts = [(q.label, answers.get("_".join(q.path)) or "_No response_") for q in form]
    parts.append(("Before you send it", answers.get("promises", TICKED)))
    return "\n\n".join(f"### {label}\n\n{answer}" for label, answer in parts) + "\n"


def send(folder: Path, text: str) -> Submission:
    return submit(open_registry(str(folder)), text)


# --- the forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("registry", [SMALL, OWN], ids=["small", "own"])
def test_github_takes_the_forms(registry: Any, tmp_path: Path) -> None:
    validator = Draft7Validator(json.loads(SCHEMA.read_text("utf-8")))
    made = forms(open_registry(str(write(tmp_path / "content", registry))).symbols)
    assert {Path(path).stem for path in made} == {
        "project", "program", "organization", "event", "error",
    }  # fmt: skip
    for data in made.values():
        form = yaml.safe_load(data)
        assert list(validator.iter_errors(form)) == []
        ids = [element["id"] for element in form["body"]]
        labels = [element["attributes"]["label"] for element in form["body"]]
        assert len(set(ids)) == len(ids) and len(set(labels)) == len(labels)
        for element in form["body"]:
            options = element["attributes"].get("options", ["-"])
            if element["type"] == "dropdown":
                assert len(set(options)) == len(options) and "none" not in map(str.lower, options)


def test_lists_work_with_any_labels(tmp_path: Path) -> None:
    tags = {"a": "Food", "b": "Food, farming", "c": "None", "d": "Same", "e": "Same", "f": "yes"}
    families = {"topic": {"label": "Name of the project", "tags": tags}}
    folder = write(tmp_path / "content", content(registry={"tag_families": families}, projects={}))
    data = forms(open_registry(str(folder)).symbols)[".github/ISSUE_TEMPLATE/project.yml"]
    elements = {e["id"]: e["attributes"] for e in yaml.safe_load(data)["body"]}
    topic = elements["tags-topic"]
    assert topic["label"] == "Name of the project (tags.topic)"
    options = ["Food", "Food, farming", "None (c)", "Same (d)", "Same (e)", "yes"]
    assert topic["options"] == options
    done = send(folder, body(folder, name="X", tags_topic=", ".join(reversed(options))))
    assert done.outcome == "record", done.answer
    assert parse((folder / done.file).read_bytes())["tags"] == {"topic": list("fedcba")}


def test_forms_are_written_and_a_persons_changes_kept(folder: Path) -> None:
    repository = folder.parent
    done = run_forked("forms", repository)
    assert done.status == 0 and "written  .github/ISSUE_TEMPLATE/error.yml" in done.out
    before = files(repository)
    assert run_forked("forms", repository).status == 0 and files(repository) == before
    form = repository / ".github" / "ISSUE_TEMPLATE" / "event.yml"
    form.write_text(form.read_text().replace("Propose", "Tell us of"))
    assert "event.yml is not changed" in run_forked("forms", repository).err
    assert "Tell us of" in form.read_text()
    assert run_forked("forms", repository, "--force").status == 0 and files(repository) == before


def test_check_names_forms_that_are_out_of_date(folder: Path) -> None:
    checked = ("check", "--strict", "--content", folder)
    assert "out of date" not in run_forked(*checked).err  # it has no forms
    assert run_forked("forms", folder.parent).status == 0
    assert "out of date" not in run_forked(*checked).err
    form = folder.parent / ".github/ISSUE_TEMPLATE/event.yml"
    form.write_text(form.read_text().replace("Propose", "Tell us of"))
    (folder / "organizations/new-college.yaml").write_text(
        "name: New College\ncategory: university\n"
    )
    done = run_forked(*checked)
    assert done.status == 0
    old = re.findall(r"^(\S+) is out of date: registry forms$", done.err, re.M)
    names = ("organization", "program", "project")
    assert sorted(old) == [f".github/ISSUE_TEMPLATE/{name}.yml" for name in names]
    assert "out of date" not in run_forked(*checked, "organizations/new-college.yaml").err
    # A person's form is theirs, but what it asks must be known.
    form.write_text(form.read_text().replace("label: Summary", "label: In a nutshell"))
    assert run_forked("forms", folder.parent).status == 0
    (line,) = run_forked(*checked).err.splitlines()
    assert line.startswith(
        ".github/ISSUE_TEMPLATE/event.yml asks “In a nutshell”, which the registry"
    )


def test_errors_of_registry_yaml_are_reported_and_no_form_is_written(folder: Path) -> None:
    (folder / "registry.yaml").write_text("name: [\n")
    before = files(folder.parent)
    done = run_forked("forms", folder.parent)
    assert (done.status, done.out) == (1, "") and "error[yaml-syntax]" in done.err
    assert files(folder.parent) == before


# --- what is filled in ----------------------------------------------------------------------------


def test_a_filled_in_form_becomes_a_record(folder: Path) -> None:
    text = body(
        folder,
        name="Boreal Heat",
        summary="Heat from the sea: no fuel",
        description="One.\n\n# Two\n",
        website="https://boreal.example/",
        year="2024",
        status="Active",
        programs="Launch 2025",
        organizations="Harbour Fund, North College",
        remote="Yes",
        team_size="12",
        founders="Ida Berg\nJon Vik",
        tags_topic="Climate, Space",
        tags_technology="Heat Pumps, sea-water",
        locations="Tromsø, Norwegen\nSan Francisco, CA, U.S.\nKenya\nTbilisi, GE\nPeja, Kosovo",
        links="code: https://code.example/b",
        sources="https://news.example/b",
    )
    done = send(folder, text.replace("\n", "\r\n"))
    assert (done.outcome, done.title) == ("record", "Add the project boreal-heat")
    record = parse((folder / "projects" / "boreal-heat.yaml").read_bytes())
    assert record == {
        "name": "Boreal Heat",
        "summary": "Heat from the sea: no fuel",
        "status": "active",
        "year": 2024,
        "description": "One.\n\n# Two",
        "programs": ["launch-2025"],
        "organizations": ["harbour-fund", "north-college"],
        "founders": ["Ida Berg", "Jon Vik"],
        "remote": True,
        "team_size": 12,
        "tags": {"topic": ["climate", "space"], "technology": ["heat-pumps", "sea-water"]},
        "locations": [
            {"country": "NO", "city": "Tromsø"},
            {"country": "US", "region": "CA", "city": "San Francisco"},
            {"country": "KE"},
            {"country": "GE", "city": "Tbilisi"},
            {"country": "XK", "city": "Peja"},
        ],
        "website": "https://boreal.example/",
        "links": {"code": "https://code.example/b"},
        "sources": ["https://news.example/b"],
    }
    assert run_forked("check", "--content", folder, "--strict").status == 0
    assert "**Thank you.**" in done.answer and "name: Boreal Heat" in done.request


@pytest.mark.parametrize(
    ("kind", "answers"),
    [
        ("program", {"kind": "Cohort", "type": "Accelerator", "organization": "North College"}),
        ("organization", {"category": "Investor", "parent": "North College"}),
        ("event", {"kind": "Deadline", "due": "2027-01-31 17:00", "timezone": "europe/oslo"}),
    ],
)
def test_every_kind_can_be_proposed(folder: Path, kind: str, answers: dict[str, str]) -> None:
    done = send(folder, body(folder, kind, name="New One", **answers))
    assert (done.outcome, done.kind, done.slug) == ("record", kind, "new-one"), done.answer


def test_forms_have_own_fields(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", OWN)
    given = OWN["projects"]["acme"]["fields"].items()
    fields = {f"fields_{key}": str(v) for key, v in given if not isinstance(v, list | bool)}
    done = send(folder, body(folder, name="New", **fields))
    assert done.outcome == "record", done.answer
    assert parse((folder / done.file).read_bytes())["fields"]["stage"]


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (
            {"name": ""},
            "- **Name of the project**: `has no answer` — `please answer this question`",
        ),
        (
            {"website": "ftp://x.example"},
            '**Website**: `"ftp://x.example" is not a valid web address',
        ),
        ({"year": "soon"}, "**Year**: `year must be a whole number"),
        (
            {"tags_topic": "Climat"},
            "**Topic**: `“Climat” is not a choice` — `did you mean “Cl",
        ),
        (
            {"locations": "Oslo, Norge"},
            "**Locations**: `“Oslo, Norge”: there is no country “Norge”`",
        ),
        (
            {"locations": "San Francisco, CA"},
            "can mean Canada (CA) or California, United States` — `write “San Francisco, Canada” "
            "or “San Francisco, California, United States”`",
        ),
        ({"locations": "Austin, TX"}, "“TX” is no country, but Texas, United States`"),
        ({"locations": "Lagos, Niger Republic"}, "did you mean “Niger”?"),
        ({"tags_technology": "C++, C#"}, "`“C++” and “C#” would both become “c”`"),
        (
            {"tags_technology": "Heat Pumps!, .NET"},
            "“Heat Pumps!” would become “heat-pumps”, which",
        ),
        ({"tags_technology": "日本"}, "“日本” has no Latin letters or digits, so no slug"),
        ({"locations": "A, B, C, Norway"}, "write City, Country or City, Region, Country"),
        ({"links": "https://x.example"}, "has no name"),
        (
            {"slug": "Boreal Heat"},
            '**Slug**: `"Boreal Heat" is not a valid slug; write "boreal-heat"`',
        ),
        ({"slug": "bloom"}, '**Slug**: `the project "bloom" already exists'),
        ({"name": "日本"}, "no slug can be made from the name: choose one"),
        ({"promises": "- [ ] x"}, "is not ticked"),
        ({"summary": "x" * 301}, "**Summary**: `summary has 301 characters"),
    ],
)
def test_errors_are_answered_in_plain_words_and_nothing_is_written(
    folder: Path, answers: dict[str, str], says: str
) -> None:
    before = files(folder)
    done = send(folder, body(folder, **{"name": "Boreal Heat", **answers}))
    assert done.outcome == "refused" and says in done.answer, done.answer
    assert files(folder) == before


def test_a_likely_duplicate_needs_a_tick(folder: Path) -> None:
    (folder / "projects/airbnb.yaml").write_text("name: Airbnb\nwebsite: https://a.example/\n")
    before = files(folder)
    again = {"name": "AirBnB", "website": "https://www.a.example"}
    done = send(folder, body(folder, **again))
    assert done.outcome == "refused" and files(folder) == before
    looks = "this looks like projects/airbnb, which has the same name and website"
    assert f"- **Name of the project**: `{looks}`" in done.answer
    line = re.search(r"- \[x\] .*?(?=`)", done.answer)
    assert line is not None and line[0] == f"- [x] {ANOTHER}"
    # It is reported together with other problems.
    done = send(folder, body(folder, **again, year="soon"))
    assert looks in done.answer and "**Year**" in done.answer
    # The promises that everybody ticks do not count, and the box alone changes nothing.
    done = send(folder, body(folder, **again, promises=f"{TICKED}\n- [ ] {ANOTHER}"))
    assert done.outcome == "refused" and files(folder) == before
    done = send(folder, body(folder, name="Boreal", promises=f"{TICKED}\n{line[0]}"))
    assert done.outcome == "record" and looks not in done.answer
    done = send(folder, body(folder, **again, promises=f"{TICKED}\n{line[0]}"))
    assert (done.outcome, done.slug) == ("record", "airbnb-2")
    for text in (done.answer, done.request):
        assert f"`{looks}` — `the sender says that these are different`" in text
        assert "has the same website as" not in text


def test_a_reviewer_may_say_that_it_is_a_different_record(folder: Path, tmp_path: Path) -> None:
    (folder / "projects/airbnb.yaml").write_text("name: Airbnb\n")
    issue = tmp_path / "issue.md"
    issue.write_text(body(folder, name="Airbnb"))
    assert run_forked("submit", issue, "--content", folder).status == 1
    done = run_forked("submit", issue, "--content", folder, "--duplicate")
    assert done.status == 0 and (folder / "projects/airbnb-2.yaml").exists()


def test_all_errors_are_reported_at_once(folder: Path) -> None:
    before = files(folder)
    wrong = {"website": "ftp://x.example", "year": "soon", "tags_topic": "Climat",
             "summary": "x" * 301, "slug": "bloom", "locations": "Oslo, Norge"}  # fmt: skip
    done = send(folder, body(folder, name="Boreal Heat", promises="- [ ] x", **wrong))
    labels = [line.split("**")[1] for line in done.answer.splitlines() if line[:4] == "- **"]
    asked = ["Topic", "Locations", "Before you send it", "Slug", "Summary", "Year", "Website"]
    assert sorted(set(labels)) == sorted(asked), done.answer
    assert files(folder) == before


def test_an_error_is_reported(folder: Path) -> None:
    answers = [
        "https://registry.example.org/projects/bloom/",
        "It was founded in 2023.",
        "_No response_",
        "_No response_",
    ]
    labels = [question.label for question in REPORT]

    def filled() -> str:
        return "\n\n".join(f"### {q}\n\n{a}" for q, a in zip(labels, answers, strict=True))

    before = files(folder)
    done = send(folder, filled())
    assert (done.outcome, done.kind, done.slug) == ("report", "project", "bloom")
    assert "`projects/bloom.yaml`" in done.answer and files(folder) == before
    answers[0] = "blom"
    assert "there is no record “blom”` — `did you mean “bloom”?" in send(folder, filled()).answer
    answers[0] = "../../etc/passwd"
    assert send(folder, filled()).outcome == "refused"
    answers[:2] = ["bloom", "_No response_"]
    assert "**What is wrong**: `has no answer`" in send(folder, filled()).answer


@pytest.mark.parametrize("text", ["", "Hello", "### Steps\n\n1", "> ### Name of the project\n\nX"])
def test_other_issues_are_ignored(folder: Path, text: str) -> None:
    assert send(folder, text) == Submission("none")
    assert send(folder, f"Hello\n\n{body(folder, name='X')}").outcome == "none"


def change_settings(folder: Path, **settings: Any) -> None:
    registry = folder / "registry.yaml"
    registry.write_text(json.dumps({**yaml.safe_load(registry.read_text()), **settings}))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"nouns": {"projects": {"one": "company", "many": "companies"}}}, "asks other questions"),
        ({"tag_families": {"topic": {"label": "Topic"}}}, "it asks “Technology”, which the reg"),
        (
            {
                "nouns": {
                    "projects": {"one": "company", "many": "companies"},
                    "programs": {"one": "project", "many": "projects"},
                }
            },
            "it asks “",
        ),
    ],
    ids=["another noun", "a family less", "the noun of another kind"],
)
def test_a_form_that_the_registry_does_not_have_any_more_is_answered(
    folder: Path, tmp_path: Path, settings: dict[str, Any], reason: str
) -> None:
    text = body(folder, name="Boreal Heat", description="Of the sea.\n\n### Two\n\nMore.")
    change_settings(folder, **settings)
    before = files(folder)
    (tmp_path / "issue.json").write_text(json.dumps({"issue": {"number": 7, "body": text}}))
    done = run_forked("submit", tmp_path / "issue.json", "--content", folder, "--out", tmp_path)
    assert done.status == 1 and "outcome=refused" in done.out
    answer = (tmp_path / "answer.md").read_text()
    assert "**This form is out of date**" in answer and reason in answer
    assert "`registry forms`" in answer and files(folder) == before


def test_a_form_that_lacks_a_newer_question_is_read(folder: Path) -> None:
    text = body(folder, name="Boreal Heat", description="Of the sea.\n\n### Two\n\nMore.")
    families = yaml.safe_load((folder / "registry.yaml").read_text())["tag_families"]
    change_settings(folder, tag_families={**families, "depth": {"label": "Depth"}})
    done = send(folder, text)
    assert done.outcome == "record" and "### Two" in done.request


# --- hostile --------------------------------------------------------------------------------------

HOSTILE = [
    "x\n\n### Website\n\nhttps://evil.example/",
    "```\n### Website\n```",
    "</details><script>alert(1)</script><img src=x onerror=alert(1)>",
    "@everyone @org/team #1 https://evil.example [x](javascript:alert(1))",
    "`` ` ``` @ada `",
    "\u202eevil\u2066 \u200b\ufeff",
    "a\x00b\x07\x1b[31m\x9b",
    "x: &a [*a, !!python/object:os.system x]\n<<: *a\n- - -",
    '"\n---\nname: other\n...',
    "$(touch owned) `touch owned` ; touch owned ${{ github.token }}",
    "::set-output name=x::y\n::error::z",
    "=cmd|'/c calc'!A1",
    "\ud800",
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("field", ["name", "description", "slug", "tags_technology", "sources"])
def test_no_answer_becomes_more_than_a_value(folder: Path, field: str, text: str) -> None:
    before = files(folder)
    done = send(folder, body(folder, **{"name": "Boreal", "slug": "boreal", field: text}))
    after = files(folder)
    harmless(done)
    if done.outcome == "refused":
        assert after == before
    else:
        assert done.file == "projects/boreal.yaml" and after.keys() - before.keys() == {done.file}
        record = examine(after[done.file]).data
        assert record.keys() <= {"name", "description", "tags", "sources"}
        if field in ("name", "description"):
            assert record[field] == without_invisible(text).strip("\n \t")


def test_an_answer_is_at_most_as_long_as_github_allows(folder: Path) -> None:
    long = "\n".join(f"https://news.example/{'x' * 1900}{n}" for n in range(50))
    done = send(folder, body(folder, name="Boreal", sources=long))
    assert done.outcome == "record"
    harmless(done)
    done = send(folder, body(folder, name="Austral", locations="Nowhere\n" * 5_000))
    assert "- and 4,950 more\n" in done.answer
    harmless(done)


def harmless(done: Submission) -> None:
    """All text of a submission in an answer is inside code."""
    for text in (done.answer, done.request):
        shown = without_code(text)
        for sign in ("<script", "<img", "@", "evil.example", "javascript:", "\u202e", "\x00", "::"):
            assert sign not in shown, shown
    assert all(sign not in done.answer for sign in "\x00\x07\x1b\x9b\u202e\u2066\ufeff")
    assert len(done.answer) < 65_536 and re.fullmatch("(?:[A-Za-z]+ )*[a-z0-9-]*", done.title)


def without_code(markdown: str) -> str:
    """The text outside of code, by the rules of CommonMark."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(markdown)
    shown = []
    for token in tokens:
        if token.type == "html_block":
            shown.append(token.content.replace(submitting.MARK, ""))
        shown += [child.content for child in token.children or () if child.type != "code_inline"]
    return "\n".join(shown)


LINES = st.lists(
    st.one_of(
        st.sampled_from(["### Website", "### Name of the project", "### X", "```", "---", ""]),
        st.sampled_from(["@ada", "`", "<b>", "- [x] y", "_No response_", "../..", "'", '"', "# x"]),
        st.text(max_size=30),
    ),
    max_size=6,
).map("\n".join)


@given(LINES, LINES)
@example("`@ada`", "``` @ada")
@examples(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_submitted_text_is_shown_as_code(
    tmp_path_factory: pytest.TempPathFactory, name: str, description: str
) -> None:
    folder = write(tmp_path_factory.mktemp("hostile") / "content", content())
    before = files(folder)
    done = send(folder, body(folder, name=name, description=description, slug="boreal"))
    harmless(done)
    assert files(folder).keys() - before.keys() <= {"projects/boreal.yaml"}


# --- the command ----------------------------------------------------------------------------------


def event(folder: Path, issue: Any) -> Path:
    path = folder.parent / "event.json"
    path.write_text(json.dumps({"action": "opened", "issue": issue}))
    return path


def test_a_workflow_gets_its_outputs(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    path = event(folder, {"number": 12, "body": body(folder, name="Boreal\nHeat\noutcome=x")})
    done = run_forked("submit", path, "--content", folder, "--out", out)
    assert done.status == 1
    assert done.out == "outcome=refused\nnumber=12\nbranch=\ntitle=\n"
    assert "**Name of the project**: `has several lines`" in (out / "answer.md").read_text()
    path = event(folder, {"number": 12, "body": body(folder, name="Boreal Heat")})
    done = run_forked("submit", path, "--content", folder, "--out", out)
    assert (done.status, done.out) == (
        0,
        "outcome=record\nnumber=12\nbranch=submission-12\ntitle=Add the project boreal-heat\n",
    )
    said = json.loads((out / "submission.json").read_bytes())
    assert said["file"] == "projects/boreal-heat.yaml" and said["problems"] == []
    assert (out / "request.md").read_text().startswith("Closes #12.\n")
    path = event(folder, {"number": 12, "body": None})
    done = run_forked("submit", path, "--content", folder, "--out", out)
    assert (done.status, done.out) == (0, "outcome=none\nnumber=12\nbranch=\ntitle=\n")
    pull = {"number": 12, "body": body(folder, name="B"), "pull_request": {}}
    assert (
        "outcome=none"
        in run_forked("submit", event(folder, pull), "--content", folder, "--out", out).out
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"issue": 1}', '{"issue": {"number": "12", "body": ""}}', "[" * 100_000,
     '{"issue": {"number": true, "body": "x"}}', '{"issue": {"number": 1, "body": []}}', "\xff"],
)  # fmt: skip
def test_a_broken_event_is_reported_in_one_line(folder: Path, text: str) -> None:
    path = folder.parent / "event.json"
    path.write_bytes(text.encode("latin-1"))
    done = subprocess.run(
        [*REGISTRY, "submit", path, "--content", folder], capture_output=True, text=True
    )
    assert done.returncode == 2 and "is no event of an issue" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_text_is_answered_on_the_terminal(folder: Path) -> None:
    path = folder.parent / "issue.md"
    path.write_text(body(folder, name="Boreal Heat", website="boreal"))
    done = run_forked("submit", path, "--content", folder)
    assert done.status == 1 and "**Website**" in done.out
    path.write_text("Hello")
    done = run_forked("submit", path, "--content", folder)
    assert done.status == 0 and done.out == "This is no form of the registry.\n"
