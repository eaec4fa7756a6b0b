"""What queries read of an index, and the checks in it; tests/search has the answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import pytest

from generator.contract.files import rows_in
from generator.grammar.grammar import Slice
from generator.reader.deployment import Deployment
from generator.search.format import pack_numbers
from support import index_files, registries
from support.answers import asked, deployed
from support.commands import build


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    folder = tmp_path_factory.mktemp("search")
    records = registries.content()
    for n in range(130):
        records["projects"][f"made-{n:03}"] = {
            "name": f"Made {n:03}",
            "year": 2000 + n % 7,
            "summary": f"Thing number{n % 10}",
        }
    return Deployment.open(build(registries.write(folder / "content", records), folder / "out"))


def read_for(site: Deployment, raw: str) -> tuple[dict[str, Any], list[list[str]]]:
    """The answer to a query of the projects, and what each read asked for."""
    reads = list[list[str]]()

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        reads.append(list(paths))
        return site.files(paths)

    [(status, body)] = asked(deployed(site.grammar, read), f"/api/projects?{raw}")
    assert status == 200, body
    found: dict[str, Any] = json.loads(body)
    return found, reads


def test_the_index_has_the_check_of_every_prepared_page(site: Deployment) -> None:
    """The writers of pages of projects and events record these checks; the others are computed
    again.
    """
    out = site.files.out  # type: ignore[attr-defined]
    for collection in site.grammar.collections.values():
        shards = (out / collection.index_folder[1:] / "keys").iterdir()
        entries = (entry for shard in shards for entry in index_files.entries(shard.read_bytes()))
        lists = {key.decode(): body for key, body in entries if key[:1] == b"="}
        assert len(lists) > 3
        for key, body in lists.items():
            name, _, value = key.removeprefix("=/").partition("/")
            part = Slice(collection, name, value) if value else Slice(collection, sort=key[1:])
            files = [out / part.path(n)[1:] for n in range(1, len(body) // 4 + 1)]
            rows = [rows_in(file.read_bytes()) for file in files]
            assert all(rows) and body == pack_numbers("I", map(crc32, rows)), key
            assert not (out / part.path(len(files) + 1)[1:]).exists()


def test_few_files_are_read_in_few_rounds_and_each_once(site: Deployment) -> None:
    found, reads = read_for(site, "mode=page&q=number3&year=2003&sort=-year")
    paths = [path for read in reads for path in read]
    assert found["page"]["total_items"] == 2
    assert len(paths) == len(set(paths)) <= 5
    # The manifest, then the keys, then the column and the rows: a remote host costs round trips.
    assert len(reads) <= 4


def test_a_count_reads_columns_and_no_rows(site: Deployment) -> None:
    raw = "mode=count&q=number3&year=2003..&by=year,status&like=act"
    found, reads = read_for(site, raw)
    assert found["total_items"] == 8
    assert found["counts"]["year"]["values"] == []
    assert found["counts"]["status"]["values"] == [
        {"value": "active", "label": "Active", "count": 8}
    ]
    kinds = {"keys", "columns/year", "columns/year/values", "columns/status",
             "columns/status/values"}  # fmt: skip
    paths = [path for read in reads for path in read]
    folders = {path.removeprefix("/api/index/projects/").rpartition("/")[0] for path in paths}
    assert folders == {"", *kinds}
    assert len(paths) <= 6


def test_a_count_of_all_reads_the_values_alone(site: Deployment) -> None:
    found, reads = read_for(site, "mode=count&by=year&year=2003")
    assert found["total_items"] < sum(v["count"] for v in found["counts"]["year"]["values"])
    assert {path.rpartition("/")[0] for read in reads for path in read} == {
        f"/api/index/projects{kind}" for kind in ("", "/keys", "/columns/year/values")
    }
