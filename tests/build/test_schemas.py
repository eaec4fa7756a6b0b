"""Every document of a build is valid by the schema that the same build publishes.

The check is stricter than the schema: no undeclared keys, no unknown words, and dates must be real
dates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from generator.contract.lock import locked_schemas
from generator.grammar.paths import SEARCH
from generator.grammar.row_fields import FOUND_IN, MAX_FIELDS
from generator.kinds import built_in
from generator.reader.client import Client
from support.commands import build
from support.lanes import fast_first
from support.registries import write

#: JSON that follows another standard, is described by its own schema.json, belongs to a host, or is
#: part of the search index, whose format is private.
FOREIGN = (
    "assets/",
    "api/index/",
    "api/openapi.json",
    "api/openapi-queries.json",
    "api/schemas/",
    ".well-known/",
    "vercel.json",
    "firebase.json",
    "staticwebapp.config.json",
)


def closed(schema: Any) -> Any:
    """The same schema with closed objects and vocabularies."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    choices = schema.get("anyOf", [{}])
    if "enum" in choices[0]:
        return {"enum": [*choices[0]["enum"], *([None] if {"type": "null"} in choices else [])]}
    shut = {key: closed(part) for key, part in schema.items()}
    return shut | {"additionalProperties": False} if "properties" in schema else shut


class Schemas:
    """The compiled schemas of a build. A row that appears in many lists is checked once."""

    def __init__(self, published: Path):
        self.documents: dict[str, Draft202012Validator] = {}
        self.rows: dict[str, Draft202012Validator] = {}
        self.seen: set[tuple[str, str]] = set()
        for path in sorted(published.glob("*.json")):
            schema = json.loads(path.read_bytes())
            Draft202012Validator.check_schema(schema)
            self.documents[path.stem] = self.compiled(schema)
            if path.stem.endswith("_list") and path.stem != "filter_list":
                self.rows[path.stem] = self.compiled(
                    {**schema["properties"]["data"]["items"], "$defs": schema["$defs"]}
                )

    @staticmethod
    def compiled(schema: Any) -> Draft202012Validator:
        return Draft202012Validator(closed(schema), format_checker=FormatChecker(["date"]))

    def faults(self, document: Any) -> Iterator[str]:
        kind = document.get("kind", "problem" if "code" in document else None)
        if kind not in self.documents:
            yield f"no schema for the kind {kind!r}"
            return
        if kind in self.rows:
            for number, row in enumerate(document["data"]):
                key = kind, json.dumps(row, sort_keys=True)
                if key not in self.seen:
                    self.seen.add(key)
                    yield from (
                        f"$.data[{number}]{e.json_path[1:]}: {e.message}"
                        for e in self.rows[kind].iter_errors(row)
                    )
            document = document | {"data": []}
        yield from (
            f"{e.json_path}: {e.message}" for e in self.documents[kind].iter_errors(document)
        )


def documents(built: Path) -> Iterator[tuple[str, Any]]:
    """Every JSON document of a build in the registry's own format, but for what pages read."""
    for path in sorted(built.rglob("*.json")):
        name = path.relative_to(built).as_posix()
        of_site = re.fullmatch(r"\w+/values\.json|\w+/words/.+|landscape/.+", name)
        if not of_site and not name.startswith(FOREIGN):
            yield name, json.loads(path.read_bytes())
    yield from answers(built)


def answers(built: Path) -> Iterator[tuple[str, Any]]:
    """Counts of each collection by at most three filters, and searches over all collections, as a
    query tier answers them; no file contains them."""
    client = Client.open(str(built))

    def answer(path: str, **parameters: str) -> tuple[str, Any]:
        return f"{path}?{parameters}", json.loads(client.ask(path, parameters.items()))

    for collection in client.grammar.collections.values():
        by = {"by": ",".join([*collection.filters][:3])} if collection.filters else {}
        yield answer(collection.root, mode="count", **by)
        fields = [name for name in collection.row_fields if name != FOUND_IN]
        for start in range(0, len(fields), MAX_FIELDS):
            some = ",".join(fields[start : start + MAX_FIELDS])
            yield answer(collection.root, mode="rows", fields=some)
    for q in ("university", "germany", "zzzz"):
        yield answer(SEARCH, q=q)


@pytest.fixture(params=fast_first(2, ["built_content", "tools", "investors", "built_real"]))
def built(request: pytest.FixtureRequest) -> Path:
    if request.param.startswith("built_"):
        return Path(request.getfixturevalue(request.param))
    return Path(request.getfixturevalue("built_own_kinds")[request.param])


def test_every_document_is_valid_by_its_published_schema(built: Path) -> None:
    schemas = Schemas(built / "api" / "schemas")
    faults = [
        f"{name}: {fault}"[:300]
        for name, document in documents(built)
        for fault in schemas.faults(document)
    ]
    assert faults[:20] == []
    assert schemas.seen


def test_every_schema_is_published_and_has_a_document(built_content: Path) -> None:
    published = {path.stem for path in (Path(built_content) / "api" / "schemas").iterdir()}
    assert published == set(locked_schemas(built_in())["documents"])
    kinds = {document.get("kind", "problem") for _, document in documents(Path(built_content))}
    assert kinds == published - {"change_page", "identified"}  # these are on request


def test_kinds_without_filters_and_with_names_of_schemas(tmp_path: Path) -> None:
    """Own kinds may be called like parts of other documents, and may have nothing to filter by."""
    kinds = {
        "datasets": {"one": "dataset", "contexts": True},
        "steps": {"one": "step", "fields": {"of": {"label": "Of", "type": "record",
                                                   "of": "datasets", "filter": True}}},
        "answers": {"one": "answer", "has": []},
    }  # fmt: skip
    left_out = ["projects", "programs", "organizations", "events"]
    registry = {"name": "Data", "description": "Data.", "kinds": kinds, "without_kinds": left_out}
    content = {
        "registry": registry,
        "datasets": {"trees": {"name": "Trees"}},
        "steps": {"count": {"name": "Count", "of": "trees"}},
        "answers": {"many": {"name": "Many"}},
    }
    built = build(write(tmp_path / "content", content), tmp_path / "out")
    schemas = Schemas(built / "api" / "schemas")
    found = [(n, fault) for n, document in documents(built) for fault in schemas.faults(document)]
    assert found == []
    names = json.loads((built / "api" / "openapi.json").read_bytes())["components"]["schemas"]
    assert {"Dataset", "OwnDataset", "OwnDatasetRecord", "OwnAnswer"} <= names.keys()
    # The context of a record, because its kind asks for contexts.
    context = built / "api" / "v1" / "agent" / "context"
    assert "# The dataset `trees`" in (context / "datasets" / "trees.md").read_text("utf-8")
    assert not (context / "answers").exists()
    # Examples of queries have words and filters that there are.
    skill = (built / "skill.md").read_text("utf-8")
    assert "/api/search?q=trees" in skill and "`registry count datasets --from SITE`" in skill


PAGE, PROBLEM = "api/projects/page/1.json", "api/problems/not-found.json"


@pytest.fixture(scope="module")
def schemas(built_content: Path) -> Schemas:
    return Schemas(built_content / "api" / "schemas")


@pytest.mark.parametrize(
    ("path", "change", "fault"),
    [
        (PAGE, lambda d: d["data"][0].update(extra=1), "$.data[0]: Additional properties are not"),
        (PAGE, lambda d: d["page"].update(total_pages=0), "$.page.total_pages: 0 is less than"),
        ("api/build.json", lambda d: d.update(as_of="2026-02-30"), "$.as_of: '2026-02-30' is not"),
        (PROBLEM, lambda d: d.update(code="lost"), "$.code: 'lost' is not one of"),
        ("api/index.json", lambda d: d.pop("kind"), "no schema for the kind None"),
    ],
)
def test_an_invalid_document_is_found(
    built_content: Path, schemas: Schemas, path: str, change: Any, fault: str
) -> None:
    document = json.loads((Path(built_content) / path).read_bytes())
    assert list(schemas.faults(document)) == []
    change(document)
    found = list(schemas.faults(document))
    assert len(found) == 1 and found[0].startswith(fault), found
