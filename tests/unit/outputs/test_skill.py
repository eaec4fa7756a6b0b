"""skill.md, checked by the specification's validator (`skills-ref`) and by a YAML reader, and the
documents that link to it.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import skills_ref
import yaml

from generator.contract import templates
from generator.grammar.paths import (
    AGENT_SKILLS,
    SKILL,
)
from generator.model.tables.table import Registry
from generator.outputs import skill
from support import registries

HOST = {"base_url": "https://registry.example/data/"}

#: Names that would change the document if they were not quoted.
HOSTILE = [
    "Quotes \" and ' and \\",
    "--- a: b",
    "----------",
    "# heading: [link](x) {{ 7 * 7 }} {% raw %}",
    "a: b # c",
    "- list",
    "{flow: mapping}",
    "&anchor *alias !tag",
    "| pipe | of | a | table |",
    "<script>alert(1)</script>",
    "```",
    "null",
    "Ünïcode 東京 🚀",
    "\\N \\n \\u0041",
]


def made(registry: Registry) -> dict[str, bytes]:
    return registries.rendered("skill", registry)


def frontmatter(data: bytes) -> dict[str, Any]:
    """The frontmatter up to the second `---`, where naive readers cut it."""
    head: dict[str, Any] = yaml.safe_load(data.decode().split("---")[1])
    return head


def body(data: bytes) -> str:
    return data.decode().split("---", 2)[2]


def check(folder: Path, data: bytes) -> list[str]:
    """The errors that the specification's validator finds in a skill."""
    home = folder / frontmatter(data)["name"]
    home.mkdir()
    (home / "SKILL.md").write_bytes(data)
    problems: list[str] = skills_ref.validate(home)
    return problems


def test_the_skill_is_valid(tmp_path: Path) -> None:
    assert check(tmp_path, made(registries.registry(tmp_path / "content"))[SKILL]) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_breaks_out_of_its_place(tmp_path: Path, text: str) -> None:
    families = {
        "topic": {"label": text, "tags": {"climate": text, "health": text, "space": text}},
        "technology": {"label": text},
    }
    settings = {
        "name": text,
        "description": f"{text}\n---\n{text}\n\n# {text}\n",
        "tag_families": families,
    }
    content = registries.content(registry=settings, events={})
    data = made(registries.registry(tmp_path / "content", content))[SKILL]
    assert check(tmp_path, data) == []
    head = frontmatter(data)
    line = " ".join(text.split())
    assert head["description"].startswith(f"Reads {line}, a registry")
    assert head["description"].endswith(f"{line} --- {line} # {line}")
    assert head["metadata"]["registry"] == line
    plain = body(
        made(registries.registry(tmp_path / "plain", registries.content(events={})))[SKILL]
    )
    shape = re.compile(r"^(?:#+ |```|\|---|- )", re.M)
    cells = re.compile(r"(?<!\\)\|")
    assert shape.findall(body(data)) == shape.findall(plain)
    assert [len(cells.findall(row)) for row in body(data).split("\n")] == [
        len(cells.findall(row)) for row in plain.split("\n")
    ]
    assert "<script>" not in body(data)


@pytest.mark.parametrize(
    ("registry", "name"),
    [
        ("Open Launch Registry", "open-launch-registry"),
        ("  Çà & là!  ", "ca-la"),
        ("東京", "registry"),
        ("a" * 63 + " bc", "a" * 63),
        ("x" * 200, "x" * 64),
    ],
)
def test_the_name_is_a_slug_of_at_most_64_characters(registry: str, name: str) -> None:
    assert skill.skill_name(registry) == name


@pytest.mark.parametrize("length", [1023, 1024, 1025, 1026])
def test_a_description_is_cut_at_1024_characters(tmp_path: Path, length: int) -> None:
    def of(folder: str, description: str) -> bytes:
        settings = {"name": "n" * 20, "description": description}
        content = registries.content(registry=settings, events={}, programs={}, projects={})
        return made(registries.registry(tmp_path / folder, content))[SKILL]

    data = of("content", "o" * (length - len(frontmatter(of("a", "o"))["description"]) + 1))
    description = frontmatter(data)["description"]
    assert "Use it to" in description
    assert len(description) == min(length, 1024)
    assert description.endswith("o…" if length > 1024 else "oo")
    assert check(tmp_path, data) == []


@pytest.mark.parametrize(
    ("families", "origin"),
    [(0, "https://x.example"), (60, ""), (300, f"https://{'x' * 60}.example")],
)
def test_it_stays_within_8_kib_whatever_the_registry_declares(
    tmp_path: Path, families: int, origin: str
) -> None:
    declared = {f"family_{n:03}": {"label": "ü" * 80} for n in range(families)}
    known = {**registries.SMALL["registry"]["tag_families"], **declared}
    used = {family: [f"{t}-{'x' * 90}" for t in range(3)] for family in declared}
    wide = {"base_url": f"{origin}/{'path/' * 20}"} if origin else {}
    settings = {"tag_families": known, "name": "ö" * 200, "description": "ö" * 5000, **wide}
    projects = {**registries.SMALL["projects"], "a": {"name": "A", "tags": used}}
    changed = registries.content(registry=settings, projects=projects)
    data = made(registries.registry(tmp_path, changed))[SKILL]
    assert len(data) <= skill.MAX_BYTES == 8192
    assert "## Queries" in body(data) and "**Never fetch all pages**" in body(data)
    rows = len(re.findall(r"^\| `tag_family", body(data), re.M))
    more = re.search(r"^(\d+) more filters of projects: ", body(data), re.M)
    assert not families or (more is not None and rows < families)
    assert (origin in body(data)) or not origin


def test_empty_collections_are_left_out(tmp_path: Path) -> None:
    whole = body(made(registries.registry(tmp_path / "a"))[SKILL])
    changed = registries.content(events={}, projects={"x": {"name": "X"}})
    reduced = body(made(registries.registry(tmp_path / "b", changed))[SKILL])
    nothing = body(made(registries.registry(tmp_path / "c", registries.content(**NOTHING)))[SKILL])
    for words in ("events", "**Calendar.**", "`starts_local`", ".ics", "tag_topic"):
        assert words in whole
        assert words not in reduced.replace("There are no events.", ""), words
    assert "It holds 1 project, 2 programs and 2 organizations." in reduced
    assert "It holds nothing yet." in nothing and "## Queries" not in nothing


@pytest.mark.parametrize(
    ("tags", "named"),
    [
        (["artificial-intelligence", "ai", "saas"], "`artificial-intelligence` and `ai`"),
        (["e-commerce", "saas", "ecommerce"], "`e-commerce` and `ecommerce`"),
        (["apis", "api"], "`api` and `apis`"),
        (["saas", "b2b", "ar", "clean-meat", "cultured-meat"], None),
    ],
)
def test_similar_tags_are_named(tmp_path: Path, tags: list[str], named: str | None) -> None:
    projects = {f"p-{n}": {"name": "P", "tags": {"technology": [t]}} for n, t in enumerate(tags)}
    text = body(made(registries.registry(tmp_path, registries.content(projects=projects)))[SKILL])
    twins = re.search(r"^- Some tags are similar, like (.*): filter by both", text, re.M)
    assert twins is None if named is None else twins is not None
    assert named is None or set(twins[1].split(" and ")) == set(named.split(" and "))


def test_places_are_of_several_countries(tmp_path: Path) -> None:
    places = [
        *[("US", "CA", "San Francisco")] * 5, *[("US", "NY", "New York")] * 4,
        *[("IN", "KA", "Bengaluru")] * 3, *[("GB", "England", "London")] * 2, ("KE", None, None),
    ]  # fmt: skip
    projects = {
        f"p-{n}": {
            "name": f"P{n}",
            "remote": n < 4,
            "locations": [
                {"country": country} | ({"region": region, "city": city} if city else {})
            ],
        }
        for n, (country, region, city) in enumerate(places)
    }
    text = body(made(registries.registry(tmp_path, registries.content(projects=projects)))[SKILL])
    places = "`north-america`, `asia`, `europe`, `africa`, `us`, `in-ka`, `gb-england-london`"
    assert f"such as {places}." in text
    assert "| `us` (9), `remote` (4), `in` (3), `gb` (2) |" in text


def test_a_tag_of_several_families_is_named(tmp_path: Path) -> None:
    families = {"market": {"label": "Market"}, "topic": {"label": "Topic"}}
    tags = {"market": ["ai", "health"], "topic": ["ai", "robots"]}
    for used, named in ((tags, True), ({**tags, "topic": ["robots"]}, False)):
        content = registries.content(
            registry={"tag_families": families}, projects={"p": {"name": "P", "tags": used}}
        )
        text = body(made(registries.registry(tmp_path / str(named), content))[SKILL])
        assert ("Several families have the tag `ai`: `tag=ai` finds all" in text) == named


def test_examples_leave_out_what_the_registry_does_not_have(tmp_path: Path) -> None:
    plain = {f"p-{n}": {"name": f"P{n}", "status": ("active", "inactive")[n]} for n in range(2)}
    changed = registries.content(
        registry={"tag_families": {}}, projects=plain, programs={}, organizations={}, events={}
    )
    text = body(made(registries.registry(tmp_path / "a", changed))[SKILL]).partition("## Files")[2]
    for words in ("tag", "africa", "location=", "year=", "names of"):
        assert words not in text, words
    for words in ("mode=count&by=status&like=act", "/api/reconcile/projects?queries="):
        assert words in text, words
    placed = {
        name: {**project, "year": 2020 + n, "locations": [{"country": "KE"}],
               "tags": {"topic": ["health", "space"][: n + 1]}}
        for n, (name, project) in enumerate(plain.items())
    }  # fmt: skip
    changed = registries.content(projects=placed, programs={}, organizations={}, events={})
    text = body(made(registries.registry(tmp_path / "b", changed))[SKILL])
    for words in (
        "mode=rows&tag=health&",
        "mode=count&location=africa&by=",
        "&year=2020..2021&by=year",
    ):
        assert words in text, words


@pytest.mark.parametrize("functions", [True, False])
def test_queries_are_conditional_on_a_host_without_functions(
    tmp_path: Path, functions: bool
) -> None:
    registry = registries.registry(tmp_path)
    text = body(registries.rendered("skill", registry, functions=functions)[SKILL])
    assert ("## Queries: only where the host runs functions\n" in text) != functions
    assert ("## Queries\n" in text) == functions


def test_filters_outside_of_the_tables_are_named(tmp_path: Path) -> None:
    families = {f"family_{n:02}": {"label": "F"} for n in range(12)}
    used = {family: [f"tag-{n}-{'x' * 20}" for n in range(9)] for family in families}
    projects = {"a": {"name": "A", "tags": used, "year": 2020}}
    changed = registries.content(registry={"tag_families": families}, projects=projects)
    text = body(made(registries.registry(tmp_path, changed))[SKILL])
    (more, names) = re.findall(r"^(\d+) more filters of projects \((.*)\):", text, re.M)[0]
    shown = re.findall(r"^\| `(tag_family\S+)` ", text, re.M)
    named = re.findall("`(\\w+)`", names)
    assert len(named) == int(more) and not {*named} & {*shown}
    assert {*families} <= {name.removeprefix("tag_") for name in (*named, *shown)}


NOTHING: dict[str, Any] = {
    collection: {} for collection in ("projects", "programs", "organizations", "events")
}


def test_discovery_gives_the_digest_of_the_bytes_served(tmp_path: Path) -> None:
    data = made(registries.registry(tmp_path))
    (entry,) = json.loads(data[AGENT_SKILLS])["skills"]
    assert entry["digest"] == f"sha256:{hashlib.sha256(data[entry['url']]).hexdigest()}"
    assert data[entry["url"]] == data[SKILL]


# --- templates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [*HOSTILE, "a\nb", "\x85\u2028\u2029\ufeff\x9f\x7f", "tab\there", "-" * 9, "--", ""]
)
def test_a_quoted_scalar_reads_back_and_holds_no_document_marker(text: str) -> None:
    quoted = templates.yaml(text)
    assert yaml.safe_load(f"a: {quoted}\n") == {"a": text}
    assert "---" not in quoted


def test_a_missing_value_is_an_error() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError, match="'missing' is undefined"):
        templates.environment().from_string("{{ missing }}").render()


def test_values_are_never_template_source(tmp_path: Path) -> None:
    settings = {"name": "{{ 6 * 7 }}{% for %}", "description": "{{ settings }}"}
    registry = registries.registry(tmp_path, registries.content(registry=settings))
    assert frontmatter(made(registry)[SKILL])["metadata"]["registry"] == "{{ 6 * 7 }}{% for %}"


@pytest.mark.parametrize(
    ("base_url", "functions", "named"),
    [
        ("https://registry.example/registry", True, True),
        ("https://registry.example/registry", False, False),
        (None, True, False),
    ],
)
def test_the_mcp_server_is_named_where_a_function_answers_at_a_known_address(
    tmp_path: Path, base_url: str | None, functions: bool, named: bool
) -> None:
    given = {"base_url": base_url} if base_url else {}
    registry = registries.registry(tmp_path, registries.content(registry=given))
    text = body(registries.rendered("skill", registry, functions=functions)["/skill.md"])
    assert ("https://registry.example/registry/mcp (streamable HTTP)" in text) == named
    assert ("(streamable HTTP)" in text) == named


def test_empty_collections_and_fields_are_named_in_one_line(tmp_path: Path) -> None:
    def line(folder: str, **changed: Any) -> str:
        registry = registries.registry(tmp_path / folder, registries.content(**changed))
        (found,) = re.findall(r".*No record has .*", made(registry)[SKILL].decode())
        return str(found)

    some = line("some")
    assert some == (
        "No record has `description`, `links`, `identifiers`, `sources`, `verified`, `aliases`, "
        "`team_size`, `founders`, `former_names`, `rolling`, `online`, `stage` or `round`."
    )

    fields = {
        collection: {
            f"{collection}_{n}": {"label": f"Field {n}", "type": "text"} for n in range(50)
        }
        for collection in ("projects", "programs", "organizations")
    }
    many = line("many", events={}, registry={"fields": fields})
    assert many.startswith("There are no events. No record has ")
    assert "`website`" in many and many.endswith(" more fields.")


def test_a_registry_with_every_field_and_collection_says_of_none_that_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skill, "count_filled", lambda counts, fields: dict.fromkeys(fields, 1))
    text = made(registries.registry(tmp_path))[SKILL].decode()
    assert "No record has" not in text and "There are no" not in text
