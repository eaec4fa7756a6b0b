"""Random declarations of kinds and relations, with random records: a registry of them is checked
without a fault, built, answered and edited as brute force from its content says.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import answers, commands, declarations, registries
from support.registries import Content

_SLOW = settings(max_examples=10, suppress_health_check=list(HealthCheck), deadline=None)


def collections(content: Content) -> list[str]:
    return [name for name in content if name != "registry"]


def document(out: Path, path: str) -> Any:
    return json.loads((out / path).read_bytes())


def assert_published(content: Content, out: Path) -> None:
    """Records, their numbers and the values of filters are those of the content."""
    told = document(out, "api/index.json")["kinds"]
    assert [*told] == collections(content)
    for name in collections(content):
        assert told[name]["kind"] == declarations.kind_of(content, name)
        numbers = declarations.counts(content, name)
        for slug in content[name]:
            record = document(out, f"api/{name}/slug/{slug}.json")
            data = record["data"]
            assert data.get("counts", {}) == numbers[slug], (name, slug)
            for key, number in numbers[slug].items():
                href = record["links"][key]
                assert (href is None) == (number == 0), (name, slug, key)
                assert href is None or document(out, href[1:])["page"]["total_items"] == number
            for key, of in declarations.fields_of(content, name).items():
                value = data["fields"][key]
                values = value if isinstance(value, list) else [] if value is None else [value]
                plain = [v["slug"] if of["type"] == "record" else v for v in values]
                assert plain == declarations.values_of(content, name, slug, key), (name, slug, key)


def assert_answered(content: Content, out: Path) -> None:
    """The engines count the values of own filters as brute force does, and find each value."""
    asked = {}
    for name in collections(content):
        for of, values in declarations.tallies(content, name).items():
            if content[name]:
                asked[f"/api/{name}?" + urlencode({"mode": "count", "by": of})] = (of, values)
            for value, number in values.items():
                query = {"mode": "rows", of: value, "fields": "name"}
                asked[f"/api/{name}?{urlencode(query)}"] = (number, None)
    found = answers.served(out, *asked)
    in_node = answers.javascript(out, *asked)
    same = [(a.status, a.body) for a in in_node]
    assert answers.differing([*asked], same, answers.as_in_browsers(found)) == []
    for (address, (of, values)), (status, body) in zip(asked.items(), found, strict=True):
        answer = json.loads(body)
        assert status == 200, (address, answer)
        if values is None:
            assert answer["total_items"] == of, address
        else:
            counted = {v["value"]: v["count"] for v in answer["counts"][of]["values"]}
            assert counted == values, address


@pytest.mark.slow
@_SLOW
@given(random=st.randoms(use_true_random=False))
def test_random_declarations_are_published_and_answered(
    random: Random, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, content = tmp_path_factory.mktemp("declared"), declarations.registry(random)
    written = registries.write(folder / "content", content)
    done = commands.run_forked("check", "--content", written)
    assert done.status == 0, done.out + done.err + registries.as_yaml(content["registry"])
    out = commands.build(written, folder / "out", "--as-of", commands.TODAY)
    assert_published(content, out)
    assert_answered(content, out)


def read_back(content: Content, folder: Path) -> dict[str, dict[str, Any]]:
    """The content as its files have it."""
    return {
        "registry": dict(content["registry"]),
        **{
            name: {
                file.stem: yaml.safe_load(file.read_text("utf-8"))
                for file in (folder / name).glob("*.yaml")
            }
            for name in collections(content)
        },
    }


@pytest.mark.slow
@_SLOW
@given(random=st.randoms(use_true_random=False))
def test_references_follow_a_record_that_is_renamed(
    random: Random, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, content = tmp_path_factory.mktemp("renamed"), declarations.registry(random)
    written = registries.write(folder / "content", content)
    before = {name: declarations.counts(content, name) for name in collections(content)}
    filled = [name for name in collections(content) if content[name]]
    if not filled:
        return
    name = random.choice(filled)
    old = random.choice(sorted(content[name]))
    done = commands.run_forked("rename", name, old, "renamed", "--content", written)
    assert done.status == 0, done.out + done.err
    assert commands.run_forked("check", "--content", written).status == 0
    renamed = read_back(content, written)
    assert old not in renamed[name]
    assert renamed[name]["renamed"]["aliases"] == [old]
    after = declarations.counts(renamed, name)
    assert after["renamed"] == before[name][old]
    assert {s: of for s, of in after.items() if s != "renamed"} == {
        s: of for s, of in before[name].items() if s != old
    }
