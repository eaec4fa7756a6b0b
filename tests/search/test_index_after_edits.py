"""After edits, the index is that of a clean build, byte for byte."""

from __future__ import annotations

import json
import random
import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.build.provenance import Moment
from generator.build.report import Part, Report
from generator.search import vocabulary
from support import commands, own_fields, registries
from support.commands import OF_BUILDS, differing, files


def edited(rng: random.Random, records: dict[str, dict[str, Any]]) -> list[str]:
    """Change a few records: words, numbers, values, whole records; the names of what was done."""
    done = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.choice(
            ("projects", "projects", "projects", "programs", "events", "organizations")
        )
        slug = rng.choice([*records[kind]])
        record = records[kind][slug]
        fields = record.setdefault("fields", {})
        what = rng.choice(("name", "summary", "year", "team_size", "own", "tags", "add", "remove",
                           "place", "former"))  # fmt: skip
        if what == "name":
            record["name"] = f"{record['name'][::-1].strip() or 'X'} Anew"
        elif what == "summary":
            record["summary"] = rng.choice(
                ("Quartz lanterns", "robots", "e-commerce", "東京タワー")
            )
        elif what == "year" and kind != "events":
            record["year"] = rng.choice((2001, 2024, 2030))
        elif what == "team_size" and kind == "projects":
            record["team_size"] = rng.choice((1, 50, 77, 100_000))
        elif what == "own" and kind == "projects":
            fields |= {"funding": rng.choice((5, 12345.5, 0)), "hiring": rng.random() < 0.5,
                       "market": ["farms", "moon"], "founded_on": "2031-01-01"}  # fmt: skip
            fields.pop("growth", None)
        elif what == "tags" and kind != "events":
            record["tags"] = {"topic": rng.sample(["sea", "stone", "sky"], 2)}
        elif what == "add" and kind == "projects":
            records[kind][f"added-{slug}"] = {**record, "name": f"Added {record['name']}"}
        elif what == "remove" and kind == "projects":
            del records[kind][slug]
        elif what == "place" and kind != "events":
            record["locations"] = [{"country": "NO", "city": rng.choice(("Tromsø", "Bodø"))}]
        elif what == "former" and kind == "projects":
            record["former_names"] = ["Once AirBnB"]
        done.append(f"{what} of {kind}/{slug}")
    return done


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_it_is_that_of_a_clean_build(seed: int, tmp_path: Path) -> None:
    rng, records = random.Random(seed), own_fields.content()
    content, out = tmp_path / "content", tmp_path / "out"
    registries.write(content, records)
    commands.build(content, out, "--as-of", commands.TODAY)
    for step in range(4):
        done = edited(rng, records)
        for kind in ("projects", "programs", "organizations", "events"):
            for path in (content / kind).iterdir():
                if path.stem not in records[kind]:
                    path.unlink()
        for kind, slug in (of.split(" of ")[1].split("/") for of in done):
            for name in (slug, f"added-{slug}"):
                if name in records[kind]:
                    registries.write(content, {kind: {name: records[kind][name]}})
        commands.build(content, out, "--as-of", commands.TODAY)
        clean = commands.build(content, tmp_path / f"clean-{step}", "--as-of", commands.TODAY)
        paths = differing(files(out), files(clean))
        assert [path for path in paths if path not in OF_BUILDS] == [], done
        shutil.rmtree(clean)


def test_a_group_that_is_divided_as_it_grows_is_that_of_a_clean_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, out = tmp_path / "content", tmp_path / "out"
    projects = {f"p{number}": {"name": f"Cart{number} cargo"} for number in range(12)}
    registries.write(content, registries.api_alone(projects=projects))

    def run(where: Path) -> Report:
        moment = Moment(datetime(2026, 6, 1, tzinfo=UTC), date(2026, 6, 1), None)
        return build(str(content), where, moment, BuildOptions(site=False))

    monkeypatch.setattr(vocabulary, "GROUP_WEIGHT", 60)
    assert not run(out).failed
    divided = set()
    for number in range(4):
        name = {"name": f"Cart1 cargo car{number}"}
        registries.write(content, {"projects": {f"p1{number}a": name}})
        assert run(out).outcome == Part()
        run(tmp_path / f"clean-{number}")
        assert differing(files(out), files(tmp_path / f"clean-{number}")) == []
        split = json.loads((out / "api/index/projects/manifest.json").read_bytes())["split"]
        divided.add(tuple(split))
    assert len(divided) > 1, "a group should have been divided"
