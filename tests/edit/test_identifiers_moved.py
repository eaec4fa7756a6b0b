"""Identifiers in commands: links that become identifiers on request, merging, tables, forms and
editors' schemas.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from generator.edit.forms.answers import fields_from_answers
from generator.edit.forms.questions import questions
from generator.edit.forms.workspace import open_registry
from support import registries
from support.commands import files, run_forked

SCHEMES = {"identifier_schemes": {"acme": {"label": "Acme", "url": "https://acme.test/{id}"}}}


def write(folder: Path, **projects: Any) -> Path:
    projects = {slug.replace("_", "-"): record for slug, record in projects.items()}
    return registries.write(folder, registries.content(registry=SCHEMES, projects=projects))


def load(content: Path, slug: str) -> Any:
    return yaml.safe_load((content / "projects" / f"{slug}.yaml").read_text("utf-8"))


ONE = """\
name: One # the first
links:
  # where its code is
  github: https://github.com/one # an account
  code: https://github.com/one/code
  wiki: http://m.wikidata.org/entity/Q95/
identifiers: {npm: one}
"""
TWO = "name: Two\nlinks: {cb: https://www.crunchbase.com/organization/two, own: https://acme.test/2}\n"
SHARED = "https://www.linkedin.com/company/shared"


def test_links_become_identifiers_on_request_only(tmp_path: Path) -> None:
    content = write(
        tmp_path, one=ONE, two=TWO, three={"name": "Three", "links": {"li": SHARED}},
        four={"name": "Four", "identifiers": {"linkedin": "Shared"}},
    )  # fmt: skip
    before = files(content)
    note = "5 links are identifiers. To move them: registry fix --identifiers\n"
    done = run_forked("check", "--content", content)
    assert (done.status, done.out[-len(note) :]) == (0, note)
    assert run_forked("fix", "--content", content).status == 0
    assert run_forked("fix", "--identifiers", "--check", "--content", content).status == 1
    assert run_forked("fix", "--identifiers", "--dry-run", "--content", content).status == 0
    assert files(content) == before
    done = run_forked("fix", "--identifiers", "--content", content)
    assert done.status == 0
    assert "projects/two.yaml: links.own → identifiers.acme: 2\n" in done.out
    assert "projects/three.yaml: links.li is not changed: several projects" in done.err
    assert (content / "projects" / "one.yaml").read_text("utf-8") == (
        "name: One # the first\nlinks:\n  # where its code is\n"
        "  code: https://github.com/one/code\n"
        "identifiers:\n  npm: one\n  github: one\n  wikidata: Q95\n"
    )
    assert load(content, "two") == {
        "name": "Two", "identifiers": {"crunchbase": "two", "acme": "2"}
    }  # fmt: skip
    assert load(content, "three")["links"] == {"li": SHARED}
    after = files(content)
    assert run_forked("fix", "--identifiers", "--content", content).status == 0
    assert files(content) == after
    assert run_forked("check", "--content", content).status == 0


def test_a_merge_keeps_the_identifiers_of_both(tmp_path: Path) -> None:
    content = write(
        tmp_path,
        one={"name": "One", "identifiers": {"npm": "one", "pypi": ["a", "b"], "github": "one"}},
        one_two={"name": "One", "identifiers": {"npm": ["two", "three"], "pypi": "C",
                                                "ror": "05gq02987", "github": "two"}},
    )  # fmt: skip
    assert run_forked("merge", "project", "one-two", "one", "--content", content).status == 0
    assert load(content, "one")["identifiers"] == {
        "npm": ["one", "two", "three"], "pypi": ["a", "b", "C"], "github": ["one", "two"],
        "ror": "05gq02987",
    }  # fmt: skip
    assert run_forked("check", "--content", content).status == 0


@pytest.mark.parametrize("form", ["csv", "json", "ndjson"])
def test_tables_keep_identifiers(tmp_path: Path, form: str) -> None:
    ids = {"npm": ["one", "two"], "acme": "x.1", "isni": "0000000121032683"}
    content = write(tmp_path / "a", one={"name": "One", "identifiers": ids}, two={"name": "Two"})
    table = tmp_path / f"table.{form}"
    exported = run_forked("export", "projects", "--format", form, "--content", content)
    table.write_text(exported.out)
    arguments = ("import", table, "--kind", "project")
    again = run_forked(*arguments, "--content", content)
    assert "projects: 2 as they are" in again.out, again
    other = write(
        tmp_path / "b", one={"name": "One", "identifiers": {"npm": "old", "ror": "05gq02987"}}
    )
    assert run_forked(*arguments, "--content", other, "--write").status == 0
    assert load(other, "one")["identifiers"] == ids | {"ror": "05gq02987"}


def test_editors_and_forms_know_the_schemes(tmp_path: Path) -> None:
    content = write(tmp_path, one={"name": "One"})
    done = run_forked("schema", "--input", "project", "--content", content)
    validator = Draft202012Validator(json.loads(done.out))
    right = [None, {"npm": "a"}, {"npm": ["a", "b"], "acme": "x"}, {"wikidata": "Q95"}]
    wrong: list[Any] = [
        "Q95",
        {"wikidata": "95"},
        {"orcid": "1"},
        {"npm": []},
        {"npm": {"id": "a"}},
    ]
    for value in (*right, *wrong):
        assert validator.is_valid({"name": "A", "identifiers": value}) is (value in right), value
    form = questions("project", open_registry(str(content)).symbols)
    (question,) = (one for one in form if one.path == ("identifiers",))
    answers = {form[0].label: "New", question.label: "wikidata: Q95\n- NPM: a\nnpm: b"}
    assert fields_from_answers(answers, form)[0] == {
        "name": "New", "identifiers": {"wikidata": "Q95", "npm": ["a", "b"]}
    }  # fmt: skip
    _, problems = fields_from_answers(answers | {question.label: "https://ror.org/1"}, form)
    assert "write the scheme before it" in problems[0].hint
