"""The input schemas: what editors show, and that they accept every file that `registry check`
accepts.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from generator.cli.edit.schema import command
from generator.contract import input_schema as schema
from generator.contract.input_schema import DESCRIPTIONS, DESCRIPTIONS_OF_EACH
from generator.dialect.examine import examine
from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.edit.workspace import OpenRegistry, open_registry
from generator.features.forms.answers import fields_from_answers
from generator.features.forms.questions import questions
from generator.kinds import built_in
from generator.kinds.models import Input
from generator.model.link import check_record
from generator.model.validate import read_model
from support import registries
from support.commands import ROOT, run_forked
from support.kinds import COMPUTED as KINDS
from support.kinds import KIND_OF, Removals, Settings
from support.own import OWN
from support.own_kinds import INVESTORS, TOOLS


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    return result.return_value, result.output


@pytest.mark.parametrize("kind", schema.file_kinds(built_in()))
def test_an_input_schema_works_in_editors(kind: str) -> None:
    made = json.loads(run("--input", kind)[1])
    Draft202012Validator.check_schema(made)
    for pattern in re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps(made)):
        re.compile(json.loads(pattern))
    assert made["additionalProperties"] is False
    assert [
        name for name, field in made["properties"].items() if not field.get("description")
    ] == []


def inputs(model: type[Input]) -> dict[str, type[Input]]:
    """A model and the models of its parts, by name."""
    met = {model.__name__: model}
    for name in model.model_json_schema()["$defs"]:
        classes = [c for c in subclasses(Input) if c.__name__ == name]
        met[name] = max(classes, key=lambda c: len(c.model_fields))  # with the keys of features
    return met


def subclasses(base: type[Input]) -> list[type[Input]]:
    return [
        subclass for direct in base.__subclasses__() for subclass in (direct, *subclasses(direct))
    ]


def test_the_descriptions_match_the_fields_of_settings_and_removals() -> None:
    models = inputs(Settings) | inputs(Removals)
    of_files = {name: fields for name, fields in DESCRIPTIONS.items() if name != "Record"}
    undescribed = {  # fields of features describe themselves
        name: {of.alias or key for key, of in model.model_fields.items() if not of.description}
        for name, model in models.items()
    }
    of_each = {name: undescribed[name] for name in DESCRIPTIONS_OF_EACH}
    assert {name: set(fields) for name, fields in of_files.items()} | of_each == {
        name: fields for name, fields in undescribed.items() if fields
    }


def test_editors_know_the_own_kinds_of_a_registry(tmp_path: Path) -> None:
    content = str(registries.write(tmp_path / "content", INVESTORS))
    made = json.loads(run("--input", "investors", "--content", content)[1])
    validator = Draft202012Validator(made)
    for good in INVESTORS["investors"].values():
        assert list(validator.iter_errors(good)) == []
    for wrong in ({"stage": "older"}, {"assets": "1"}, {"owner": "nobody"}, {"fields": {}}):
        assert list(validator.iter_errors({"name": "New", **wrong})), wrong
    labels = made["properties"]["stage"]["anyOf"][0]["enumDescriptions"]
    assert labels == ["Seed", "Growth", "Late"]
    rounds = json.loads(run("--input", "round_of_money", "--content", content)[1])
    assert {"year", "tags", "locations", "website", "logo"}.isdisjoint(rounds["properties"])
    assert rounds["required"] == ["name", "project"]
    project = json.loads(run("--input", "project", "--content", content)[1])
    validator = Draft202012Validator(project)
    assert list(validator.iter_errors(INVESTORS["projects"]["bloom"])) == []
    assert list(validator.iter_errors({"name": "P", "fields": {"backed_by": ["nobody"]}}))
    refused = CliRunner().invoke(
        command, ["--input", "project", "--content", write_tools(tmp_path)]
    )
    assert 'no kind "project"' in refused.output and "--content" not in refused.output
    refused = CliRunner().invoke(command, ["--input", "tool"])
    assert "--content DIR adds the own kinds" in refused.output


def write_tools(folder: Path) -> str:
    return str(registries.write(folder / "tools", TOOLS))


def test_editors_complete_the_words_of_declarations(tmp_path: Path) -> None:
    content = str(registries.write(tmp_path / "content", INVESTORS))
    made = json.loads(run("--input", "registry", "--content", content)[1])
    validator = Draft202012Validator(made)
    assert list(validator.iter_errors(INVESTORS["registry"])) == []
    field = made["$defs"]["Declaration"]["properties"]
    assert field["of"]["anyOf"][0]["examples"][-2:] == ["investors", "rounds"]
    assert {"EUR", "USD"} <= set(field["currency"]["anyOf"][0]["enum"])
    assert {"record", "money"} <= set(field["type"]["enum"])
    left_out = json.loads(run("--input", "registry", "--content", write_tools(tmp_path))[1])
    words = left_out["properties"]["without_kinds"]["anyOf"][0]["items"]["enum"]
    assert words == ["projects", "programs", "organizations", "events"]


def test_editors_know_the_own_fields_of_a_registry(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", OWN)
    made = json.loads(run("--input", "project", "--content", str(content))[1])
    validator = Draft202012Validator(made)
    validator.check_schema(made)
    good = OWN["projects"]["acme"]
    assert list(validator.iter_errors(good)) == []
    for wrong in ({"stage": "late"}, {"funding": "1"}, {"colour": "red"}, {}):
        fields = {**good["fields"], **wrong} if wrong else {}
        assert list(validator.iter_errors({**good, "fields": fields})), wrong
    generic = Draft202012Validator(schema.input_schema("project", built_in()))
    assert list(generic.iter_errors(good)) == []


def test_editors_and_forms_know_the_schemes(tmp_path: Path) -> None:
    schemes = {"acme": {"label": "Acme", "url": "https://acme.test/{id}"}}
    records = registries.content(registry={"identifier_schemes": schemes})
    content = registries.write(tmp_path / "content", records)
    made = json.loads(run("--input", "project", "--content", str(content))[1])
    validator = Draft202012Validator(made)
    right = [None, {"npm": "a"}, {"npm": ["a", "b"], "acme": "x"}, {"wikidata": "Q95"}]
    wrong: list[Any] = ["Q95", {"wikidata": "95"}, {"orcid": "1"}, {"npm": []}]
    for value in (*right, *wrong):
        assert validator.is_valid({"name": "A", "identifiers": value}) is (value in right), value
    known = open_registry(str(content))
    form = questions("project", known.symbols)
    (question,) = (one for one in form if one.path == ("identifiers",))
    answers = {form[0].label: "New", question.label: "wikidata: Q95\n- NPM: a\nnpm: b"}
    assert fields_from_answers(answers, form, known)[0] == {
        "name": "New", "identifiers": {"wikidata": "Q95", "npm": ["a", "b"]}
    }  # fmt: skip
    _, problems = fields_from_answers(answers | {question.label: "https://ror.org/1"}, form, known)
    assert "write the scheme before it" in problems[0].hint


def test_a_registry_with_errors_has_no_schema_for_editors(tmp_path: Path) -> None:
    text = "name: R\ndescription: R\nfields: {projects: {x: {label: X, type: percent}}}\n"
    (tmp_path / "registry.yaml").write_text(text)
    done = run_forked("schema", "--input", "project", "--content", tmp_path)
    assert done.status == 1 and "registry.yaml:3:41: error[invalid-choice]" in done.err
    (tmp_path / "other").mkdir()
    done = run_forked("schema", "--input", "project", "--content", tmp_path / "other")
    assert done.status == 2 and "There is no registry here" in done.err
    assert CliRunner().invoke(command, ["project", "--content", str(tmp_path)]).exit_code == 2


# --- compared with the checks ---------------------------------------------------------------------

#: Problems that a schema for one file cannot detect.
BEYOND = {
    "end-before-start",
    "invalid-date",
    "invalid-time",
    "invalid-url",
    "timezone-required",
    "no-latin-spelling",
    "wrong-type",  # 2.0 is an integer in JSON
}


class Judge:
    """A registry with its check and its schema, which both judge records."""

    def __init__(self, folder: Path):
        self.known: OpenRegistry = open_registry(str(folder))
        self.schemas = {
            name: Draft202012Validator(
                schema.input_schema(KIND_OF[name], self.known.content.kinds, self.known.symbols),
                format_checker=Draft202012Validator.FORMAT_CHECKER,
            )
            for name in KINDS
        }

    def errors(self, collection: str, raw: bytes) -> set[str]:
        """The codes of the errors that the check reports for a single record."""
        kind, symbols = KINDS[collection], self.known.symbols
        model, faults, _ = read_model(raw, symbols.model(kind.collection))
        if model is not None:
            faults += check_record(kind, model, symbols)
        return {fault.code for fault in faults if fault.severity == "error"}

    def hold(self, collection: str, raw: bytes) -> bool:
        """The schema accepts a record that the check accepts, and refuses a record that the check
        refuses, except for errors that a schema cannot detect.  Returns whether it refuses.
        """
        try:
            data = parse(raw)
        except Unusual:
            data = examine(raw).data
        codes = self.errors(collection, raw)
        refused = [
            f"{e.json_path}: {e.message}" for e in self.schemas[collection].iter_errors(data)
        ]
        if not codes:
            assert refused == [], raw.decode()
        elif not refused:
            assert codes & BEYOND, (codes, raw.decode())
        return bool(refused)


@functools.cache
def judge_of_content() -> Judge:
    return Judge(ROOT / "content")


@functools.cache
def judge_of_base() -> Judge:
    return Judge(ROOT / "tests/content/base")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return Judge(registries.write(tmp_path_factory.mktemp("own") / "content", OWN))


def test_every_existing_record_is_accepted(own: Judge) -> None:
    for judge in (judge_of_content(), own):
        for collection, sources in judge.known.content.sources.items():
            for source in sources:
                judge.hold(collection, Path(judge.known.content.folder, source.path).read_bytes())


#: Cases whose errors a schema cannot detect, or that are no records of the dialect.
NOT_SEEN = (
    *("yaml-", "merge-conflict-", "misplaced-record-", "odd-space-in-a-quoted-name"),
    *("control-character-in-", "duplicate-identifier-in-a-list", "invalid-length-expanding-place"),
    *("latin-spelling-city", "line-break-"),
)


def test_an_editor_sees_what_a_check_refuses() -> None:
    """Every recorded case of a bad record."""
    seen = 0
    for path in (ROOT / "tests/content/bad").glob("*.yaml"):
        for raw in re.split(rb"^(?=# at: )", path.read_bytes(), flags=re.M)[1:]:
            collection = raw.removeprefix(b"# at: ").partition(b"/")[0].decode()
            if collection in KINDS and not path.name.startswith(NOT_SEEN):
                seen += judge_of_base().hold(collection, raw)
    assert seen > 100


@pytest.mark.parametrize("fields", [registries.SMALL["registry"], OWN["registry"]])
def test_existing_settings_are_accepted(fields: Any) -> None:
    jsonschema.validate(fields, schema.input_schema("registry", built_in()))


def test_few_slugs_are_an_enumeration_and_many_are_examples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    symbols = open_registry(str(ROOT / "content")).symbols
    few = schema.input_schema("event", built_in(), symbols)["$defs"]["programs"]
    assert few["enum"] == sorted(symbols.series)
    assert few["enumDescriptions"][0] == symbols.series[few["enum"][0]].name
    monkeypatch.setattr(schema, "MOST_SLUGS", 3)
    many = schema.input_schema("event", built_in(), symbols)["$defs"]["programs"]
    assert many["examples"] == few["enum"] and "enum" not in many
    jsonschema.validate("new-one", many)
