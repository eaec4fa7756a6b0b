"""What a reader believes of the kinds that index.json tells: what is sound, and nothing else."""

from __future__ import annotations

import copy
import json
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.contract.lock import locked_schemas, parse_version
from generator.kinds import Kinds, built_in
from generator.kinds.rules import MAX_KINDS
from generator.kinds.told import MAX_TOLD, Untrue, believe, size_of, tell
from generator.model.settings.checks import check_kinds
from generator.model.settings.registry import Settings, settings_model
from generator.reader.documents import Unreadable, parse_document, published_kinds
from support import declarations, own_kinds

Told = dict[str, Any]


def settings_of(registry: Any) -> Settings:
    return settings_model(built_in()).model_validate(json.loads(json.dumps(registry)))


def told_by(settings: Settings) -> tuple[Kinds, Told]:
    """The kinds of a registry, and what its index.json tells of them."""
    collections = settings.grammar().collections.items()
    told = tell(settings.kinds, {name: (of.one, of.many) for name, of in collections})
    return settings.kinds, json.loads(json.dumps(told))


INVESTORS, TOOLS = (
    told_by(settings_of(of["registry"]))[1] for of in (own_kinds.INVESTORS, own_kinds.TOOLS)
)


@given(random=st.randoms(use_true_random=False))
def test_what_a_registry_tells_is_believed(random: Random) -> None:
    kinds, told = told_by(settings_of(declarations.registry(random)["registry"]))
    if kinds.declares:
        assert believe(told, {}, built_in()) is kinds


def parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in a document: its container and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in list(items):
        yield value, key
        if isinstance(part, dict | list):
            yield from parts(part)


#: What takes the place of a part of what is told, or of its name.
ODD: tuple[Any, ...] = (
    None, [], {}, "", True, False, 0, -1, 0.5, 1e300, [None], [[]], {"a": {}}, "x" * 300,
    "\x1b]0;x\x07", "\u202e", "<b>bold</b>", "two\nlines", "__proto__", "../x", "tools", "tool",
    "investors", "investor", "record", "money", "number", "stage", "location", "status", "2027-01",
)  # fmt: skip
NAMES = ("__proto__", "constructor", "../x", "", "x" * 31, "Tools", "search", "by", "year", "tools",
         "projects", "investors", "a", "a/b", "a b", "\x00", "é", "state")  # fmt: skip


def changed(told: Told, random: Random) -> Told:
    """A copy with one part that is gone, is something else, has another name or place."""
    told = copy.deepcopy(told)
    within, key = random.choice([*parts(told)])
    match random.randint(0, 3):
        case 0:
            del within[key]
        case 1:
            within[key] = copy.deepcopy(random.choice(ODD))
        case 2 if isinstance(within, dict):
            within[random.choice(NAMES)] = copy.deepcopy(within[key])
        case _ if isinstance(within, dict):
            within[key] = within.pop(key)
        case _:
            within.append(copy.deepcopy(within[key]))
    return told


@given(random=st.randoms(use_true_random=False), told=st.sampled_from((INVESTORS, TOOLS)))
def test_what_was_changed_is_sound_or_untrue(random: Random, told: Told) -> None:
    for _ in range(20):
        given_told = changed(told, random)
        try:
            kinds = believe(given_told, {}, built_in())
        except Untrue as error:
            assert str(error)
            continue
        nouns = {name: (of["one"], of["many"]) for name, of in given_told.items()}
        assert believe(json.loads(json.dumps(tell(kinds, nouns))), {}, built_in()) is kinds


def kind(**changes: Any) -> Told:
    """What is told of one kind."""
    return {"kind": "tool", "one": "tool", "many": "tools", "own": True, "fields": {},
            "relations": {}, **changes}  # fmt: skip


def many_fields(number: int) -> Told:
    return {f"f{n}": {"type": "text", "label": f"F {n}"} for n in range(number)}


def relation(**changes: Any) -> Told:
    return {"tools": kind(fields={"of_it": {
        "type": "record", "label": "Of it", "of": "tools", "filter": "it", **changes,
    }})}  # fmt: skip


HOSTILE: dict[str, tuple[Any, str]] = {
    "a list": ([], "not named"),
    "a text": ("x" * 1000, "not named"),
    "nothing": ({}, "nothing would be left"),
    "kinds that are no objects": ({"tools": "tool"}, "not named"),
    "the name of an address": ({"search": kind()}, "reserved"),
    "the name of a filter": ({"tools": kind(kind="status")}, "reserved"),
    "a name of JavaScript": ({"__proto__": kind()}, "none of a registry"),
    "a path": ({"../x": kind()}, "none of a registry"),
    "a kind of the four as an own one": ({"projects": kind(kind="project")}, "reserved|already|is"),
    "a kind that is not there": ({"boats": kind(own=False)}, "not known here"),
    "many kinds": ({f"tools{n}": kind(kind=f"tool{n}") for n in range(MAX_KINDS + 1)}, "too many"),
    "very many kinds": ({f"t{n}": kind(kind=f"k{n}") for n in range(1000)}, "more than 16 KiB"),
    "many fields": ({"tools": kind(fields=many_fields(51))}, "none of a registry"),
    "very many fields": ({"tools": kind(fields=many_fields(10_000))}, "more than 16 KiB"),
    "long labels": ({"tools": kind(fields={"a": {"type": "text", "label": "x" * 20_000}})},
                    "more than 16 KiB"),
    "a type that is none": ({"tools": kind(fields={"a": {"type": "code", "label": "A"}})},
                            "none of a registry"),
    "a sort of texts": ({"tools": kind(fields={"a": {"type": "text", "label": "A",
                                                     "sort": True}})}, "none of a registry"),
    "a filter with a name": ({"tools": kind(fields={"a": {"type": "number", "label": "A",
                                                          "filter": "b"}})}, "none of a registry"),
    "a target that is not there": (relation(of="boats"), "boats"),
    "no target": (relation(of=""), "of"),
    "a filter of its own through itself": (relation(through=["it"]), "contradict"),
    "a filter that is not there": (relation(through=["it_it"]), "no filter"),
    "the same filter twice": (relation(through=["it", "it"]), "already"),
    "no relations": (relation(), "contradict"),
    "another order": ({name: INVESTORS[name] for name in sorted(INVESTORS)}, "another order"),
    "control characters": ({"tools": kind(one="to\x1b]0;x\x07ol")}, "not named"),
    "HTML": ({"tools": kind(many="<script>alert(1)</script>")}, "not named"),
    "a long noun": ({"tools": kind(many="x" * 41)}, "not named"),
    "no noun": ({"tools": {**kind(), "one": None}}, "not named"),
    "a label of two lines": ({"tools": kind(fields={"a": {"type": "text", "label": "A\nB"}})},
                             "none of a registry"),
    "no text for a type of schema.org": ({"tools": kind(schema_org=True)}, "none of a registry"),
    "a text for true": ({"tools": kind(own="yes")}, "not named"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_breaks_a_rule_is_refused_with_the_reason(name: str) -> None:
    told, said = HOSTILE[name]
    index = {"kinds": json.loads(json.dumps(told)), "data": {"fields": {}}}
    tracemalloc.start()
    start = time.process_time()
    try:
        with pytest.raises(Unreadable, match=f"no index of a registry: .*(?:{said})") as refused:
            published_kinds(index)
        assert time.process_time() - start < 1 and tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert str(refused.value).isprintable()


def test_what_nests_deep_is_refused() -> None:
    deep: Any = {}
    for _ in range(900):
        deep = {"a": deep}
    with pytest.raises(Unreadable, match="more than 16 KiB"):
        published_kinds({"kinds": {"tools": kind(fields=deep)}, "data": {"fields": {}}})


@pytest.mark.parametrize("fields", [
    [], {"boats": {}}, {"projects": []}, {"projects": {"a": "text"}}, {"projects": {"A": {}}},
    {"projects": {"a": {"type": "record", "label": "A"}}},
    {"projects": {"a": {"type": "choice", "label": "A", "values": {"B": "B"}}}},
    {"projects": many_fields(51)},
])  # fmt: skip
def test_own_fields_that_break_a_rule_are_refused(fields: Any) -> None:
    with pytest.raises(Unreadable, match="no index of a registry"):
        published_kinds({"data": {"fields": fields}})


def test_later_versions_may_tell_more() -> None:
    told = copy.deepcopy(TOOLS)
    told["tools"]["colour"] = "red"
    told["tools"]["fields"]["stars"]["least"] = 0
    assert believe(told, {}, built_in()) is believe(TOOLS, {}, built_in())


def test_a_filter_with_its_own_name_is_read_of_any_kind() -> None:
    """The fields of the four have it in `kinds` alone."""
    fields = {"led_by": {"label": "Led by", "type": "record", "of": "investors", "filter": "lead"}}
    registry = {**own_kinds.INVESTORS["registry"], "fields": {"projects": fields}}
    told = told_by(settings_of(registry))[1]
    found = published_kinds({
        "kinds": told,
        "data": {"fields": {"projects": {"led_by": {**fields["led_by"], "filter": True}}}},
    })  # fmt: skip
    assert found["projects"].own[0].filter == "lead"


def test_authors_learn_what_no_reader_would_take() -> None:
    def declaring(number: int) -> Settings:
        fields = {f"f{n}": {"label": "x" * 190, "type": "text"} for n in range(number)}
        kinds = {"tools": {"one": "tool", "fields": fields},
                 "papers": {"one": "paper", "fields": fields}}  # fmt: skip
        return settings_of({"name": "A", "description": "B", "kinds": kinds})

    sound, long = declaring(30), declaring(40)
    assert not [*check_kinds(sound)] and size_of(told_by(sound)[1]) <= MAX_TOLD
    [fault] = check_kinds(long)
    assert fault.loc == ("kinds",) and "readers take at most 16,384" in fault.message
    with pytest.raises(Untrue, match="more than 16 KiB"):
        believe(told_by(long)[1], {}, built_in())


def test_a_build_is_read_with_its_own_kinds(built_own_kinds: dict[str, Path]) -> None:
    for name, out in built_own_kinds.items():
        index = json.loads((out / "api/index.json").read_bytes())
        assert [*published_kinds(index)] == [*index["kinds"]], name


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.3"])
def test_documents_of_earlier_versions_are_read_with_any_kinds(
    version: str, built_own_kinds: dict[str, Path]
) -> None:
    """Also of a registry whose schemas are made from its kinds."""
    out = built_own_kinds["investors"]
    kinds = published_kinds(json.loads((out / "api/index.json").read_bytes()))
    since = locked_schemas(kinds)["since"]
    for path, shape in (("projects/slug/bloom", "ProjectRecord"), ("dashboard", "DashboardData")):
        document = json.loads((out / f"api/{path}.json").read_bytes())
        added = {k for k, of in since[shape].items() if parse_version(of) > parse_version(version)}
        older = {k: part for k, part in document["data"].items() if k not in added}
        raw = json.dumps({**document, "schema_version": version, "data": older}).encode()
        assert parse_document(raw, of=kinds)["data"].keys() >= document["data"].keys() & added
        raw = json.dumps({**document, "data": older}).encode()
        if added:
            with pytest.raises(Unreadable, match="is missing"):
                parse_document(raw, of=kinds)


def test_an_own_field_that_a_document_lacks_is_no_fault(built_own_kinds: dict[str, Path]) -> None:
    """A cache may have a page of before the field was declared; but its type is checked."""
    out = built_own_kinds["tools"]
    kinds = published_kinds(json.loads((out / "api/index.json").read_bytes()))
    document = json.loads((out / "api/tools/slug/mapper.json").read_bytes())
    fields = document["data"]["fields"]
    del fields["stars"]
    assert parse_document(json.dumps(document).encode(), "tool", of=kinds) == document
    fields["depends_on"] = ["parse-it"]
    with pytest.raises(Unreadable, match=r"data\.fields\.depends_on\.0 is not of the type"):
        parse_document(json.dumps(document).encode(), "tool", of=kinds)
