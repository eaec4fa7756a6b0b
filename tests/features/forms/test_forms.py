"""Issue forms: their questions, GitHub's rules for them, and the records of submitted forms."""

from __future__ import annotations

import ast
import dataclasses
import importlib.resources
import json
import re
import time
from collections.abc import Iterable
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
from generator.edit.workspace import open_registry
from generator.features.forms import submit as submitting
from generator.features.forms.github import ANOTHER, PROMISES, REPORT, form_questions, forms
from generator.features.forms.submit import Submission, submit
from generator.features.forms.translation import translated
from generator.text.characters import END_SPACES, ODD_SPACE_CHARACTERS, without_invisible
from support.commands import files, run_forked
from support.kinds import COLLECTION_OF
from support.own import OWN
from support.own_kinds import INVESTORS, TOOLS
from support.registries import SMALL, content, write
from support.transcripts import Case, Shell, printable, transcript

SCHEMA = importlib.resources.files("check_jsonschema").joinpath(
    "builtin_schemas/vendor/github-issue-forms.json"
)
#: Calls with texts that people read.
TELLING = ("Phrase", "FormProblem", "translated", "_out_of_date", "_unread")
TICKED = "\n".join(f"- [x] {promise}" for promise in PROMISES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "repository" / "content", content())


def body(folder: Path, of: str = "project", /, **answers: str) -> str:
    """The issue text that GitHub makes of a filled-in form."""
    symbols = open_registry(str(folder)).symbols
    form, language = form_questions(of, symbols), symbols.language
    parts = [(q.label, answers.get("_".join(q.path)) or "_No response_") for q in form]
    boxes = "\n".join(f"- [x] {translated(promise, language)}" for promise in PROMISES)
    before = translated("Before you send it", language)
    parts.append((before, answers.get("promises", boxes)))
    return sections(parts)


def sections(parts: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"### {label}\n\n{answer}" for label, answer in parts) + "\n"


def send(folder: Path, text: str) -> Submission:
    return submit(open_registry(str(folder)), text)


# --- the forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("registry", "kinds"),
    [
        (SMALL, "project program organization event"),
        (OWN, "project program organization event"),
        (INVESTORS, "project program organization event investor round_of_money"),
        (TOOLS, "tool paper venue"),
    ],
    ids=["small", "own", "investors", "tools"],
)
def test_github_takes_the_forms(registry: Any, kinds: str, tmp_path: Path) -> None:
    validator = Draft7Validator(json.loads(SCHEMA.read_text("utf-8")))
    made = forms(open_registry(str(write(tmp_path / "content", registry))).symbols)
    assert {Path(path).stem for path in made} == {*kinds.split(), "error"}
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


def test_a_form_makes_a_record_of_an_own_kind(tmp_path: Path) -> None:
    folder = write(tmp_path / "repository" / "content", INVESTORS)
    answers = {
        "name": "Cairn, series A", "project": "Cairn", "lead": "Quay Ventures",
        "investors": "Quay Ventures, Idle Money", "amount": "1,250,000 USD", "day": "2026-05-31",
    }  # fmt: skip
    done = send(folder, body(folder, "round_of_money", **answers))
    assert (done.outcome, done.file) == ("record", "rounds/cairn-series-a.yaml"), done.answer
    assert (folder / done.file).read_text() == (
        'name: "Cairn, series A"\nproject: cairn\nlead: quay-ventures\n'
        "investors: [quay-ventures, idle-money]\namount: 1250000\nday: 2026-05-31\n"
    )
    done = send(folder, body(folder, "investor", name="New", stage="Later", owner="Harbour Fund"))
    assert (done.outcome, [problem.label for problem in done.problems]) == ("refused", ["Stage"])
    project = {"name": "Delta", "fields_backed_by": "Idle Money"}
    assert send(folder, body(folder, "project", **project)).outcome == "record"
    assert parse((folder / "projects/delta.yaml").read_bytes())["fields"] == {
        "backed_by": ["idle-money"]
    }


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


@transcript(Path(__file__).parent / "transcripts/forms.txt")
def test_forms(case: Case, folder: Path, tmp_path: Path, regenerate: bool) -> None:
    text = body(folder, name="NAME")
    issue, event = tmp_path / "issue", tmp_path / "issue.json"
    issue.write_text(text)
    event.write_text(json.dumps({"action": "opened", "issue": {"number": 12, "body": text}}))
    case.run(Shell(folder.parent, FORM_JSON=event, FORM_TEXT=issue), regenerate)


# --- what is filled in ----------------------------------------------------------------------------


class Desk(Shell):
    """Sends filled-in forms to the registry below `content`, and runs other commands."""

    def __call__(self, step: str) -> list[str]:
        of, _, given = step.partition(" ")
        if of not in (*COLLECTION_OF, "error", "text"):
            return super().__call__(step)
        done = send(self.folder / "content", self._issue(of, json.loads(given)))
        harmless(done)
        parts = [f"{done.outcome} {done.file}".strip(), done.answer.rstrip()]
        if done.outcome == "record":
            parts += ["--- the pull request", done.request.rstrip()]
        text = "\n".join(filter(None, parts)).replace(str(self.folder), "HERE")
        return [f"| {line}".rstrip() for line in printable(f"{text}\n")]

    def _issue(self, of: str, given: Any) -> str:
        if of == "text":
            return str(given)
        if of == "error":
            return sections(zip((question.label for question in REPORT), given, strict=True))
        for mark, sign in (("ticked", "x"), ("unticked", " ")):
            if given.pop(mark, None):
                line = ANOTHER.replace("SLUGS", "")
                given["promises"] = f"{TICKED}\n- [{sign}] {line}"
        without = given.pop("without", None)
        text = body(self.folder / "content", of, **given).replace("\n", "\r\n")
        return text.replace(f"### {without}\r\n\r\n_No response_\r\n\r\n", "")


@transcript(Path(__file__).parent / "transcripts/submit.txt")
def test_submitted_forms(case: Case, folder: Path, regenerate: bool) -> None:
    case.run(Desk(folder.parent), regenerate)


def test_forms_have_own_fields(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", OWN)
    given = OWN["projects"]["acme"]["fields"].items()
    fields = {f"fields_{key}": str(v) for key, v in given if not isinstance(v, list | bool)}
    done = send(folder, body(folder, name="New", **fields))
    assert done.outcome == "record", done.answer
    assert parse((folder / done.file).read_bytes())["fields"]["stage"]


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
    assert "**This form does not fit the registry**" in answer and reason in answer
    assert "`registry forms`" in answer and files(folder) == before


def test_the_form_of_a_kind_that_is_gone_is_removed_unless_somebody_edited_it(folder: Path) -> None:
    repository = folder.parent
    place = repository / ".github/ISSUE_TEMPLATE"
    kinds = {"tools": {"one": "tool"}, "recipes": {"one": "recipe"}}
    change_settings(folder, kinds=kinds)
    assert run_forked("forms", repository).status == 0
    with (place / "recipe.yml").open("a") as edited:
        edited.write("# mine\n")
    (place / "own.yml").write_text("name: Of mine\n", "utf-8")
    change_settings(folder, kinds={})
    problems = run_forked("check", "--content", folder).err
    assert "tool.yml is out of date: run `registry forms`" in problems and "own.yml" not in problems
    before = {form.name for form in place.iterdir()}
    assert run_forked("forms", repository).status == 0
    assert before - {form.name for form in place.iterdir()} == {"tool.yml"}


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


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize(
    "field",
    ["name", "slug", *(pytest.param(name, marks=pytest.mark.slow)
                       for name in ("description", "tags_technology", "sources"))],
)  # fmt: skip
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
            # What has no width stays in descriptions.
            spaces = END_SPACES if field == "description" else ODD_SPACE_CHARACTERS
            blanks = f"\n \t{spaces}"
            assert record[field] == without_invisible(text).strip(blanks)


def test_an_answer_is_at_most_as_long_as_github_allows(folder: Path) -> None:
    long = "\n".join(f"https://news.example/{'x' * 1900}{n}" for n in range(50))
    done = send(folder, body(folder, name="Boreal", sources=long))
    assert done.outcome == "record"
    harmless(done)
    done = send(folder, body(folder, name="Austral", locations="Nowhere\n" * 1_000))
    assert "- and 950 more\n" in done.answer
    harmless(done)


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        ("locations", "a\n" * 100_000, "has more than 1000 lines or words"),
        ("identifiers", "key: v\n" * 30_000, "has more than 1000 lines or words"),
        ("programs", "a, " * 80_000, "has more than 1000 lines or words"),
        ("locations", "and " * 60_000, "has a line with more than 3000 characters"),
        ("year", "1" * 200_000, "has a line with more than 3000 characters"),
        ("description", "\n" * 200_000, ""),
    ],
)
def test_an_answer_that_is_made_to_take_long_is_refused(
    folder: Path, field: str, text: str, problem: str
) -> None:
    began = time.process_time()
    done = send(folder, body(folder, name="Boreal", **{field: text}))
    assert time.process_time() - began < 10  # some took minutes
    assert (done.outcome, problem in done.answer) == ("refused" if problem else "record", True)


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
@examples(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_submitted_text_is_shown_as_code(
    tmp_path_factory: pytest.TempPathFactory, name: str, description: str
) -> None:
    folder = write(tmp_path_factory.mktemp("hostile") / "content", content())
    before = files(folder)
    done = send(folder, body(folder, name=name, description=description, slug="boreal"))
    harmless(done)
    assert files(folder).keys() - before.keys() <= {"projects/boreal.yaml"}


# --- the command ----------------------------------------------------------------------------------


def test_a_broken_event_is_reported_in_one_line(folder: Path) -> None:
    path = folder.parent / "event.json"
    for text in (
        "", "[]", "{}", '{"issue": 1}', '{"issue": {"number": "12", "body": ""}}', "[" * 100_000,
        '{"issue": {"number": true, "body": "x"}}', '{"issue": {"number": 1, "body": []}}', "\xff",
    ):  # fmt: skip
        path.write_bytes(text.encode("latin-1"))
        done = run_forked("submit", path, "--content", folder)
        assert done.status == 2 and "is no event of an issue" in done.err
        assert "Traceback" not in done.err


# --- in the language of the registry --------------------------------------------------------------

GERMAN = {
    "language": "de",
    "fields": {
        "projects": {
            "form": {"label": "Rechtsform", "type": "choice", "values": {"gmbh": "GmbH"}},
            "funding": {"label": "Förderung", "type": "number", "unit": "EUR"},
            "hiring": {"label": "Sucht Leute", "type": "boolean"},
            "since": {"label": "Seit", "type": "date"},
        }
    },
}


@pytest.fixture
def german(folder: Path) -> Path:
    change_settings(folder, **GERMAN)
    return folder


def sent(folder: Path, of: str = "project", /, **answers: str) -> Any:
    """The record of a form, or the text of the refusal."""
    done = send(folder, body(folder, of, name="Neu", **answers))
    if done.outcome == "record":
        return parse((folder / done.file).read_bytes())
    return done.answer


def test_a_german_registry_asks_in_german(german: Path) -> None:
    made = forms(open_registry(str(german)).symbols)
    form = yaml.safe_load(made[".github/ISSUE_TEMPLATE/project.yml"])
    asked = {e["id"]: e["attributes"] for e in form["body"]}
    assert asked["year"]["label"] == "Jahr" and asked["summary"]["description"].startswith("Eine Z")
    assert asked["fields-form"]["options"] == ["GmbH"]
    assert asked["fields-hiring"]["options"] == asked["remote"]["options"] == ["Ja", "Nein"]
    assert asked["status"]["options"][:2] == ["Aktiv", "Übernommen"]
    assert asked["promises"]["label"] == "Vor dem Absenden"
    error = yaml.safe_load(made[".github/ISSUE_TEMPLATE/error.yml"])
    assert [e["attributes"]["label"] for e in error["body"]][1] == "Was falsch ist"


def test_every_text_of_the_forms_is_in_german(german: Path) -> None:
    from generator.features.forms.translation import _texts

    symbols = open_registry(str(german)).symbols
    english = dataclasses.replace(symbols, language="en")
    same = {
        question.words
        for kind in COLLECTION_OF
        for question, other in zip(
            form_questions(kind, symbols), form_questions(kind, english), strict=True
        )
        if question.path[0] != "fields" and question.words and question.words == other.words
    }
    assert same == set() and _texts("de")


def test_every_text_of_the_answers_is_in_german() -> None:
    from generator.features.forms.translation import _texts

    said = set()
    for module in ("answers", "submit"):
        source = Path(submitting.__file__).with_name(f"{module}.py").read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TELLING:
                texts = {a.value for a in node.args if isinstance(a, ast.Constant) and a.value}
                assert texts <= _texts("de").keys()
    assert len([text for text in _texts("de") if text in said]) > 30


def test_a_german_registry_answers_in_german(german: Path) -> None:
    answer = sent(
        german, locations="Nirgendwo", team_size="5.000,5,1", verified="03/04/2026", promises="-",
        status="Weg", tags_topic="Klima", tags_technology="ü, C#",
    )  # fmt: skip
    assert answer.startswith(
        "<!-- registry-submission -->\n**Das kann noch nicht aufgenommen werden.** Nach dem "
        "Bearbeiten des Issues wird es wieder geprüft:\n"
    )
    assert "- **Status**: `„Weg“ steht nicht zur Wahl`" in answer
    assert "`„Nirgendwo“: es gibt kein Land „Nirgendwo“` — `bitte mit dem Land enden: " in answer
    assert "`aus „C#“ würde „c“, ohne „#“` — `bitte in lateinischen Buchstaben" in answer
    assert "ist nicht angekreuzt`" in answer
    assert sent(german, founders="Ida").keys() == {"name", "founders"}
    done = send(german, body(german, name="Neu 2"))
    assert "**Danke!** Dieser Eintrag ist der Redaktion jetzt" in done.answer
    assert "Zum Ändern das Issue bearbeiten." in done.answer


def test_an_answer_that_is_a_text_of_the_generator_is_not_translated(german: Path) -> None:
    assert "`„Year“ steht nicht zur Wahl`" in sent(german, status="Year")


def test_answers_are_read_as_germans_write_them(german: Path) -> None:
    record = sent(
        german, fields_form="GmbH", fields_funding="12.500", fields_hiring="ja", remote="nein",
        verified="15.03.2026", fields_since="1. Mai 2025", team_size="5.000", status="Aktiv",
        locations="- Oslo, NO\n2. Bergen, Norwegen", founders="* Ida Berg\n- Jon Vik\n- k.A.",
        summary="keine Angabe", website="N/A", tags_technology="heat-pumps, n/a",
    )  # fmt: skip
    assert record == {
        "name": "Neu", "status": "active", "team_size": 5000, "remote": False,
        "verified": "2026-03-15", "founders": ["Ida Berg", "Jon Vik"],
        "tags": {"technology": ["heat-pumps"]},
        "locations": [{"country": "NO", "city": "Oslo"}, {"country": "NO", "city": "Bergen"}],
        "fields": {"form": "gmbh", "funding": 12500, "hiring": True, "since": "2025-05-01"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"locations": "Berlin"}, "did you mean “Berlin, Germany”?"),
        ({"locations": "* Tromsø"}, "“Tromsø”: there is no country “Tromsø”"),
        ({"website": "tel:+49 30 1234567"}, "this is a telephone number"),
        ({"sources": "- Telefonat 3.11."}, "is not a valid web address"),
        ({"team_size": "5.000"}, "“5.000” may be 5 or 5000"),
        ({"verified": "03/04/2026"}, "write 2026-03-04 or 2026-04-03"),
    ],
)
def test_an_unclear_answer_gets_a_proposal(
    folder: Path, answers: dict[str, str], says: str
) -> None:
    assert says in sent(folder, **answers)


def test_a_zone_in_other_words_gets_its_name(folder: Path) -> None:
    answer = sent(folder, "event", kind="Deadline", due="15.03.2027 17:00", timezone="MEZ")
    assert "Europe/Berlin" in answer
