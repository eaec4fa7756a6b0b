"""Diagnostics, completions and hovers of VS Code's language server with the schemas written for a
registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.commands import run_forked
from support.lsp import Editor
from support.registries import content, write
from support.transcripts import Case, Shell, transcript


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


@pytest.mark.slow
def test_a_field_has_a_description(repository: Path) -> None:
    program, registry = "content/programs/new.yaml", "content/registry.yaml"
    with Editor(repository) as editor:
        assert editor.open(registry, (repository / registry).read_text()) == []
        assert "The name of the registry" in editor.hover(registry, 1, 2)
        editor.open(program, "name: New\nyear: 2020\norganization: harbour-fund\n")
        assert "Year of the first" in editor.hover(program, 1, 1)
        assert "`harbour-fund`: Harbour Fund" in editor.hover(program, 2, 16)


@transcript(Path(__file__).parent / "transcripts/schema.txt")
def test_schemas(case: Case, tmp_path: Path, regenerate: bool) -> None:
    write(tmp_path / "content", content())
    case.run(Shell(tmp_path), regenerate)
