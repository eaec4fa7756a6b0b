"""Diagnostics, completions and hovers of VS Code's language server with the schemas written for a
registry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.commands import files, run_forked
from support.lsp import Editor
from support.registries import content, write

HAND = '// mine\n{"editor.rulers": [100]}\n'


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    write(folder / "content", content())
    done = run_forked("schema", "--editor", folder)
    assert done.status == 0 and "written  .vscode/schemas/project.json" in done.out, done.err
    return folder


@pytest.fixture(scope="module")
def editor(repository: Path) -> Iterator[Editor]:
    with Editor(repository) as editor:
        yield editor


def test_good_records_have_no_problem(editor: Editor, repository: Path) -> None:
    for path in ("projects/aurora-grid", "events/launch-2027-applications"):
        file = f"content/{path}.yaml"
        assert editor.open(file, (repository / file).read_text()) == []


@pytest.mark.parametrize(
    ("path", "text", "line", "says"),
    [
        ("projects/a/a", "name: X\nstatu: active\n", 1, "Property statu is not allowed"),
        ("projects/a/b", "name: X\nyear: soon\n", 1, 'Expected "integer'),
        ("projects/a/c", "name: X\ntags:\n  topic: [climat]\n", 2, '"climate", "health", "space"'),
        ("projects/d", "name: X\nprograms: [lunch]\n", 1, "There was no program of this slug"),
        (
            "programs/e",
            "name: X\nkind: cohort\ntype: accelerator\n",
            0,
            'Missing property "organization"',
        ),
        ("organizations/f", "name: X\ncategory: shop\n", 1, '"university", "investor"'),
        ("events/g", "name: X\nkind: deadline\n", 0, 'Missing property "due"'),
        ("events/h", "name: X\nkind: deadline\ndue: soon\n", 2, "Write YYYY-MM-DD"),
        ("registry", "name: X\ndescription: X\npage_sise: 50\n", 2, "page_sise is not allowed"),
        ("removed", "removed:\n  - {kind: project, slug: a}\n", 1, 'Missing property "date"'),
    ],
)
def test_a_wrong_field_is_marked_at_its_line(
    editor: Editor, path: str, text: str, line: int, says: str
) -> None:
    told = editor.open(f"content/{path}.yaml", text)
    assert [says in one["message"] and one["range"]["start"]["line"] == line for one in told] == [
        True
    ], told


def test_fields_and_their_values_are_offered(editor: Editor) -> None:
    path = "content/projects/begun.yaml"
    editor.open(path, "name: New\n\n")
    offered = editor.complete(path, 1, 0)
    assert {"summary", "status", "programs", "tags"} <= set(offered) and "name" not in offered
    path = "content/projects/new.yaml"
    editor.open(path, "name: New\nstatus: \nprograms: []\ntags:\n  topic: []\n  \n")
    assert set(editor.complete(path, 1, 8)) >= {"active", "acquired", "public", "inactive"}
    programs = editor.complete(path, 2, 11)
    assert set(programs) == {"launch", "launch-2025"}
    assert "Launch 2025" in str(programs["launch-2025"]["documentation"])
    assert set(editor.complete(path, 4, 10)) == {"climate", "health", "space"}
    assert set(editor.complete(path, 5, 2)) == {"technology"}


def test_a_field_has_a_description(repository: Path) -> None:
    program, registry = "content/programs/new.yaml", "content/registry.yaml"
    with Editor(repository) as editor:
        assert editor.open(registry, (repository / registry).read_text()) == []
        assert "The name of the registry" in editor.hover(registry, 1, 2)
        editor.open(program, "name: New\nyear: 2020\norganization: harbour-fund\n")
        assert "Year of the first" in editor.hover(program, 1, 1)
        assert "`harbour-fund`: Harbour Fund" in editor.hover(program, 2, 16)


def test_changed_schemas_are_kept(repository: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write(folder / "content", content())
    (folder / ".vscode").mkdir()
    settings = folder / ".vscode" / "settings.json"
    settings.write_text('{"editor.rulers": [100], "yaml.schemas": {"./x.json": "*.yml"}}')
    assert run_forked("schema", "--editor", folder).status == 0
    kept = json.loads(settings.read_bytes())
    assert kept["editor.rulers"] == [100] and kept["yaml.schemas"]["./x.json"] == "*.yml"
    assert kept["yaml.schemas"]["./.vscode/schemas/event.json"] == [
        "content/events/**/*.yaml",
        "content/events/**/*.yml",
    ]
    before = files(folder)
    assert run_forked("schema", "--editor", folder).status == 0 and files(folder) == before
    # A schema that a person changed stays until the options allow replacing it.
    schema = folder / ".vscode" / "schemas" / "project.json"
    schema.write_text(schema.read_text().replace('"integer"', '"number"'))
    done = run_forked("schema", "--editor", folder)
    assert "project.json is not changed: it was changed by hand" in done.err
    assert '"number"' in schema.read_text()
    assert run_forked("schema", "--editor", folder, "--force").status == 0
    assert files(folder) == before
    # Outdated schemas are rewritten.
    (folder / "content" / "programs" / "new.yaml").write_text(
        "name: New\nkind: program\ntype: accelerator\norganization: harbour-fund\n"
    )
    assert "written  .vscode/schemas/event.json" in run_forked("schema", "--editor", folder).out
    settings.write_text(HAND)
    done = run_forked("schema", "--editor", folder)
    assert done.status == 0 and "it is not plain JSON; add" in done.err
    assert settings.read_text() == HAND
    done = run_forked("schema", "--editor", folder / ".vscode", "--content", folder / "content")
    assert done.status == 2 and "is not in" in done.err
