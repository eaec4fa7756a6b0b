"""The sample that scripts for hosts search when they start."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path

from generator.engine.scripts import module, queries, sample_index
from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from support.answers import asked, deployed
from support.engines import need, node

ASKED = """\
import { script } from '%s'
const paths = []
const read = async (path) => (paths.push(path), null)
const found = await script.search(script.query, read, script.table)
console.log(JSON.stringify([found.status, paths]))
"""
ADAPTER = """\
const words = { q: 'solar', sort: '', order: 'relevance', page: 1 }
const query = { collection: 'projects', mode: 'page', filters: {}, ...words }
export const script = { search, table, query }
"""


def test_each_query_of_the_sample_finds_a_record_in_its_files() -> None:
    grammar, files = sample_index()

    def present(paths: Sequence[str]) -> list[bytes | None]:
        return [b64decode(files[path]) if path in files else None for path in paths]

    site = deployed(grammar, present)
    targets = (f"{grammar.first.root}?{raw}" for raw in queries(grammar.first))
    for status, body in asked(site, *targets):
        assert status == 200 and json.loads(body)["data"]


def test_a_script_keeps_nothing_of_its_sample(tmp_path: Path) -> None:
    need("esbuild")
    script = tmp_path / "script.mjs"
    script.write_bytes(module(Grammar(built_in()), ADAPTER, warm=True))
    code = ASKED % script.as_uri()
    status, paths = node("--input-type=module", "--eval", code)
    assert (status, paths) == (503, ["/api/index/projects/manifest.json"])
