"""A host on which one build is replacing another answers every query from one of the two builds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator.grammar.grammar import Grammar
from generator.reader.deployment import Deployment
from support import commands, registries
from support.answers import asked, deployed

WORDS = ["kite", "sail", "spare", "kite+spare", "blue", "thin", "hull+kite", "s"]
KINDS = ["", "&year=2003", "&year=2001,2004", "&sort=-year", "&year=2002..&sort=year", "&page=2"]


def project(number: int, edited: bool) -> dict[str, object]:
    blue = "Blue" if edited and number % 3 == 0 else "Spare"
    return {
        "name": f"{'Sail' if number % 4 else 'Hull'} {number:03}",
        "summary": f"{blue} sails for a kite",
        "year": 2000 + (number + edited) % 6,
    }


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two builds of one registry; between them records were edited, added and removed."""
    folder = tmp_path_factory.mktemp("half")
    found = []
    for edited, numbers in ((False, range(90)), (True, range(5, 99))):
        records = {f"p-{number:03}": project(number, edited) for number in numbers}
        content = registries.write(
            folder / f"content-{edited}", registries.content(projects=records)
        )
        found.append(commands.build(content, folder / f"build-{edited}", "--as-of", commands.TODAY))
    return found[0], found[1]


def targets(grammar: Grammar) -> list[str]:
    lists = [f"mode=page&q={word}{kind}" for word in WORDS for kind in KINDS]
    counts = [f"mode=count&q={word}&by={by}" for word in WORDS for by in ("year", "status,year")]
    return [f"{grammar['projects'].root}?{query}" for query in (*lists, *counts)]


@pytest.mark.parametrize("seed", range(2))
def test_a_half_updated_host_answers_every_query(seed: int, builds: tuple[Path, Path]) -> None:
    """New files arrive in any order, the manifest after the files of its index; then old files are
    removed."""
    rng, (old, new) = random.Random(seed), map(Deployment.open, builds)
    wanted = targets(old.grammar)
    right = [{*pair} for pair in zip(asked(old, *wanted), asked(new, *wanted), strict=True)]
    paths = {f"/{path.relative_to(out)}" for out in builds for path in out.rglob("*")}
    come = {path for path in paths if rng.random() < 0.5 and not path.endswith("manifest.json")}
    indexed = {path for path in paths if path.startswith("/api/index/")}
    for manifest_is_new in (False, True):

        def read(paths: Sequence[str], last: bool = manifest_is_new) -> list[bytes | None]:
            """Old and new files of the index exist side by side; each page exists once."""
            found = []
            for path in paths:
                fresh = last if path.endswith("manifest.json") else path in come or path in indexed
                first, second = (new, old) if fresh else (old, new)
                data = first.read(path)
                lasting = path in indexed and not path.endswith("manifest.json")
                found.append(second.read(path) if data is None and lasting else data)
            return found

        half = deployed(old.grammar, read)
        for target, found, possible in zip(wanted, asked(half, *wanted), right, strict=True):
            assert found in possible, target
