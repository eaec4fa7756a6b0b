"""The query tier with damaged files and at its limits; tests/search has its answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import pytest

from generator.contract.listing import rows_in
from generator.grammar.grammar import Count, Query, Slice
from generator.reader.deployment import Deployment
from generator.search.engine import Engine
from generator.search.format import entries, pack_numbers
from generator.search.manifest import Manifest, Unavailable
from generator.search.rows import ListFiles, choose_files
from support import registries
from support.commands import build


class Files:
    """The files of a build; reads are counted and files can be replaced."""

    def __init__(self, out: Path):
        self.out, self.changed, self.reads = out, dict[str, bytes | None](), list[str]()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.reads += paths
        return [
            self.changed[p] if p in self.changed else (self.out / p[1:]).read_bytes() for p in paths
        ]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search")
    records = registries.content()
    for n in range(130):
        records["projects"][f"made-{n:03}"] = {
            "name": f"Made {n:03}",
            "year": 2000 + n % 7,
            "summary": f"Thing number{n % 10}",
        }
    return build(registries.write(folder / "content", records), folder / "out")


@pytest.fixture
def files(out: Path) -> Files:
    return Files(out)


@pytest.fixture
def engine(files: Files) -> Engine:
    return Engine(Deployment.open(files.out).grammar, files)


def ask(engine: Engine, **parameters: str) -> Query:
    query = engine.grammar.parse(
        engine.grammar.projects,
        "&".join(["mode=page", *(f"{k}={v}" for k, v in parameters.items())]),
    )
    assert isinstance(query, Query)
    return query


def test_the_index_has_the_check_of_every_prepared_page(engine: Engine, out: Path) -> None:
    """The writers of pages of projects and events record these checks; the others are computed
    again.
    """
    for collection in engine.grammar.collections.values():
        manifest = Manifest.parse((out / collection.manifest_path[1:]).read_bytes(), collection)
        lists = {}
        for number in range(manifest.layout.shards):
            shard = (out / manifest.path(("keys", number))[1:]).read_bytes()
            lists |= {key.decode(): body for key, body in entries(shard) if key[:1] == b"="}
        assert len(lists) > 3
        for key, body in lists.items():
            name, _, value = key.removeprefix("=/").partition("/")
            part = Slice(collection, name, value) if value else Slice(collection, sort=key[1:])
            files = [out / part.path(n)[1:] for n in range(1, len(body) // 4 + 1)]
            rows = [rows_in(file.read_bytes()) for file in files]
            assert all(rows) and body == pack_numbers("I", map(crc32, rows)), key
            assert not (out / part.path(len(files) + 1)[1:]).exists()


def test_a_few_files_are_read_and_each_once(engine: Engine, files: Files) -> None:
    answer = json.loads(engine.answer(ask(engine, q="number3", year="2003", sort="-year")))
    assert answer["page"]["total_items"] == 2
    assert len(files.reads) == len(set(files.reads)) <= 5
    first = len(files.reads)
    engine.answer(ask(engine, q="number3", year="2003", sort="-year"))
    assert files.reads[first:] == ["/api/index/projects/manifest.json"]


@pytest.mark.parametrize("kind", ["keys", "rows", "columns"])
def test_files_of_two_builds_are_never_mixed(kind: str, engine: Engine, files: Files) -> None:
    query = ask(engine, q="number3", sort="year" if kind == "columns" else "name")
    engine.answer(query)
    path = next(path for path in files.reads if f"/{kind}/" in path)
    files.changed[path] = (files.out / path[1:]).read_bytes()[:-1] + b"?"
    with pytest.raises(
        Unavailable, match=f"damaged: {path} is not the file that the manifest lists"
    ):
        Engine(engine.grammar, files).answer(query)
    files.changed[path] = None
    with pytest.raises(Unavailable, match=f"damaged: {path} is missing"):
        Engine(engine.grammar, files).answer(query)


def test_a_count_reads_columns_and_no_rows(engine: Engine, files: Files) -> None:
    count = engine.grammar.parse(
        engine.grammar.projects, "mode=count&q=number3&year=2003..&by=year,status&like=act"
    )
    assert isinstance(count, Count)
    found = json.loads(engine.answer(count))
    assert found["total_items"] == 8
    assert found["counts"]["year"]["values"] == []
    assert found["counts"]["status"]["values"] == [
        {"value": "active", "label": "Active", "count": 8}
    ]
    kinds = {
        "keys",
        "columns/year",
        "columns/year/values",
        "columns/status",
        "columns/status/values",
    }
    folders = {path.removeprefix("/api/index/projects/").rpartition("/")[0] for path in files.reads}
    assert folders == {
        "", *kinds
    }  # fmt: skip
    assert len(files.reads) <= 6


def test_a_count_of_all_reads_the_values_alone(engine: Engine, files: Files) -> None:
    count = engine.grammar.parse(engine.grammar.projects, "mode=count&by=year&year=2003")
    assert isinstance(count, Count)
    found = json.loads(engine.answer(count))
    assert found["total_items"] < sum(v["count"] for v in found["counts"]["year"]["values"])
    assert {path.rpartition("/")[0] for path in files.reads} == {
        f"/api/index/projects{kind}" for kind in ("", "/keys", "/columns/year/values")
    }


def test_a_replaced_file_is_read_again(engine: Engine, files: Files) -> None:
    query = ask(engine, q="number3")
    wanted = engine.answer(query)
    path = next(path for path in files.reads if "/keys/" in path)
    stale = {path: b"of another build"}

    def once(paths: Sequence[str]) -> list[bytes | None]:
        return [stale.pop(p, None) or (files.out / p[1:]).read_bytes() for p in paths]

    assert Engine(engine.grammar, once).answer(query) == wanted and not stale


def levels(positions: list[int], *sizes: int) -> list[ListFiles]:
    places = {position: position for position in positions}
    return [ListFiles(range(0, 10_000, size), 10_000, places, str, lambda n: n) for size in sizes]


def test_rows_are_taken_from_the_files_that_cost_least_for_each() -> None:
    positions = [0, 5, 9, 41, 150, 199, 350]
    # 4 rows of 1,000 bytes and a read cost 8,096; 100 rows 104,096.
    small = {(0, position // 4) for position in positions}
    assert set(choose_files(positions, levels(positions, 4, 100), 1000, 50).values()) == small
    # With rows of a byte a larger file costs as much as a small one.
    few = {(1, 0), (1, 1), (0, 87)}
    assert set(choose_files(positions, levels(positions, 4, 100), 1, 50).values()) == few
    # A list with these rows side by side.
    listed = ListFiles((0, 4), 8, {p: n for n, p in enumerate(positions)}, str, lambda n: n)
    found = choose_files(positions, [*levels(positions, 4), listed], 1000, 50)
    assert set(found.values()) == {(1, 0), (1, 1)}


def test_larger_files_replace_too_many_smaller_files() -> None:
    positions = [0, 5, 9, 41, 150, 199, 350]
    for most in (7, 4, 3, 1):
        found = choose_files(positions, levels(positions, 4, 100, 1000), 1000, most)
        assert len(set(found.values())) <= most and found.keys() == set(positions)
