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
from generator.grammar.paths import AGENT_SKILLS, SKILL
from generator.outputs import skill
from support import registries

#: Names that would change the document if they were not quoted.
HOSTILE = [
    "Quotes \" and ' and \\", "--- a: b", "----------", "a: b # c", "- list", "{flow: mapping}",
    "# heading: [link](x) {{ 7 * 7 }} {% raw %}", "&anchor *alias !tag", "```", "null",
    "| pipe | of | a | table |", "<script>alert(1)</script>", "Ünïcode 東京 🚀",
    "\\N \\n \\u0041",
]  # fmt: skip


def made(folder: Path, **changed: Any) -> bytes:
    """The skill of the small registry with other records."""
    registry = registries.registry(folder, registries.content(**changed))
    return registries.rendered("skill", registry)[SKILL]


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
    data = made(tmp_path / "content", registry=settings, events={})
    assert check(tmp_path, data) == []
    head = frontmatter(data)
    line = " ".join(text.split())
    assert head["description"].startswith(f"Reads {line}, a registry")
    assert head["description"].endswith(f"{line} --- {line} # {line}")
    assert head["metadata"]["registry"] == line
    found, plain = body(data), body(made(tmp_path / "plain", events={}))
    shape = re.compile(r"^(?:#+ |```|\|---|- )", re.M)
    cells = re.compile(r"(?<!\\)\|")
    assert shape.findall(found) == shape.findall(plain)
    assert [len(cells.findall(row)) for row in found.split("\n")] == [
        len(cells.findall(row)) for row in plain.split("\n")
    ]
    assert "<script>" not in found


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


@pytest.mark.parametrize("length", [1024, 1025])
def test_a_description_is_cut_at_1024_characters(tmp_path: Path, length: int) -> None:
    def of(folder: str, description: str) -> bytes:
        settings = {"name": "n" * 20, "description": description}
        return made(tmp_path / folder, registry=settings, events={}, programs={}, projects={})

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
def test_it_stays_within_8_kib_and_names_the_filters_that_have_no_row(
    tmp_path: Path, families: int, origin: str
) -> None:
    declared = {f"family_{n:03}": {"label": "ü" * 80} for n in range(families)}
    known = {**registries.SMALL["registry"]["tag_families"], **declared}
    used = {family: [f"{t}-{'x' * 90}" for t in range(3)] for family in declared}
    wide = {"base_url": f"{origin}/{'path/' * 20}"} if origin else {}
    settings = {"tag_families": known, "name": "ö" * 200, "description": "ö" * 5000, **wide}
    projects = {**registries.SMALL["projects"], "a": {"name": "A", "tags": used}}
    data = made(tmp_path, registry=settings, projects=projects)
    assert len(data) <= skill.MAX_BYTES == 8192
    assert "## Queries" in body(data) and "**Never fetch all pages**" in body(data)
    [line] = re.findall(r"^- projects, .*$", body(data), re.M)
    rows, more = len(re.findall(" `tag_family", line)), re.search(r" (\d+) more filters\.$", line)
    assert not families or (more is not None and rows < families)
    assert (origin in body(data)) or not origin


def test_filters_outside_of_the_tables_are_named(tmp_path: Path) -> None:
    families = {f"family_{n:02}": {"label": "F"} for n in range(12)}
    used = {family: [f"tag-{n}-{'x' * 20}" for n in range(9)] for family in families}
    projects = {"a": {"name": "A", "tags": used, "year": 2020}}
    text = body(made(tmp_path, registry={"tag_families": families}, projects=projects))
    [line] = re.findall(r"^- projects, .*$", text, re.M)
    [(more, names)] = re.findall(r" (\d+) more filters \((.*)\)\.$", line)
    shown = re.findall(r" `(tag_family_\w+)`[^`]*: `", line)
    named = re.findall("`(\\w+)`", names)
    assert len(named) == int(more) and not {*named} & {*shown}
    assert {*families} <= {name.removeprefix("tag_") for name in (*named, *shown)}


def tagged(*tags: str) -> dict[str, Any]:
    """Projects with one of these tags each."""
    projects = {f"p-{n}": {"name": "P", "tags": {"technology": [t]}} for n, t in enumerate(tags)}
    return {"projects": projects}


def tagged_in_two_families(*topics: str) -> dict[str, Any]:
    families = {"market": {"label": "Market"}, "topic": {"label": "Topic"}}
    tags = {"market": ["ai", "health"], "topic": [*topics]}
    return {"registry": {"tag_families": families}, "projects": {"p": {"name": "P", "tags": tags}}}


PLACES = [
    *[{"country": "US", "region": "CA", "city": "San Francisco"}] * 5,
    *[{"country": "US", "region": "NY", "city": "New York"}] * 4,
    *[{"country": "IN", "region": "KA", "city": "Bengaluru"}] * 3,
    *[{"country": "GB", "region": "England", "city": "London"}] * 2, {"country": "KE"},
]  # fmt: skip
PLACED = {
    f"p-{n}": {"name": f"P{n}", "remote": n < 4, "locations": [place]}
    for n, place in enumerate(PLACES)
}
NOTHING: dict[str, Any] = {"projects": {}, "programs": {}, "organizations": {}, "events": {}}
PLAIN = {f"p-{n}": {"name": f"P{n}", "status": ("active", "inactive")[n]} for n in range(2)}
FIELDS = {
    collection: {f"{collection}_{n}": {"label": f"Field {n}", "type": "text"} for n in range(50)}
    for collection in ("projects", "programs", "organizations")
}
SEASONS = "the season in the name: Winter, Spring, Summer, Fall"
SIMILAR, FAMILIES = "Some tags are similar, like ", "Several families have the tag "
#: Records, what the skill says of them, and what it does not say.
SAID: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({}, ["events", "**Calendar.**", "`starts_local`", ".ics", "tag_topic"], [SIMILAR, FAMILIES]),
    ({"events": {}, "projects": {"x": {"name": "X"}}},
     ["It holds 1 project, 2 programs and 2 organizations.", "There are no events. No record has "],
     ["**Calendar.**", "`starts_local`", ".ics", "tag_topic"]),
    (NOTHING, ["It holds nothing yet."], ["## Queries"]),
    ({"registry": {"fields": FIELDS}}, ["No record has `", " more fields.\n"], []),
    (tagged("artificial-intelligence", "ai", "saas"),
     [f"{SIMILAR}`ai` and `artificial-intelligence`: filter by both"], []),
    (tagged("e-commerce", "saas", "ecommerce"), [f"{SIMILAR}`e-commerce` and `ecommerce`"], []),
    (tagged("apis", "api"), [f"{SIMILAR}`api` and `apis`"], []),
    (tagged("saas", "b2b", "ar", "clean-meat", "cultured-meat"), [], [SIMILAR]),
    (tagged_in_two_families("ai", "robots"), [f"{FAMILIES}`ai`: `tag=ai` finds all"], []),
    (tagged_in_two_families("robots"), [], [FAMILIES]),
    ({"projects": PLACED},
     ["such as `north-america`, `asia`, `europe`, `africa`, `us`, `in-ka`, `gb-england-london`.",
      "`location`: `us` (9), `remote` (4), `in` (3), `gb` (2), ", "&by=location&like=india"],
     ["-team_size"]),
    ({**NOTHING, "registry": {"tag_families": {}}, "projects": PLAIN},
     ["mode=count&by=status (", "/api/reconcile/projects?queries=", "sort=name ("],
     ["mode=rows&tag=", "location=africa", "&year=", "names of", "-team_size", "stat=", "within"]),
    ({"programs": {**registries.SMALL["programs"],
                   "a": {**registries.SMALL["programs"]["launch"], "name": "Winter 2024"}}},
     [SEASONS], []),
    ({}, ["- programs, /api/programs/filters.json"], [SEASONS, "`type` Program type"]),
    (tagged("ai", "saas"), ["&tag_technology=ai&by=tag_technology&within=true"],
     ["&q=", "tag_topic"]),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "said", "unsaid"), SAID)
def test_it_says_what_the_records_have(
    tmp_path: Path, changed: dict[str, Any], said: list[str], unsaid: list[str]
) -> None:
    text = body(made(tmp_path, **changed))
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


def test_discovery_gives_the_digest_of_the_bytes_served(tmp_path: Path) -> None:
    data = registries.rendered("skill", registries.registry(tmp_path))
    (entry,) = json.loads(data[AGENT_SKILLS])["skills"]
    assert entry["digest"] == f"sha256:{hashlib.sha256(data[entry['url']]).hexdigest()}"
    assert data[entry["url"]] == data[SKILL]


@pytest.mark.parametrize(
    "text", ["a\nb", "\x85\u2028\u2029\ufeff\x9f\x7f", "tab\there", "-" * 9, ""]
)
def test_a_quoted_scalar_reads_back_and_holds_no_document_marker(text: str) -> None:
    quoted = templates.yaml(text)
    assert yaml.safe_load(f"a: {quoted}\n") == {"a": text}
    assert "---" not in quoted


@pytest.mark.parametrize(
    ("base_url", "functions"),
    [("https://registry.example/registry", True), ("https://registry.example/registry", False),
     (None, True)],
)  # fmt: skip
def test_functions_answer_queries_and_have_the_mcp_server(
    tmp_path: Path, base_url: str | None, functions: bool
) -> None:
    registry = registries.registry(tmp_path, registries.content(registry={"base_url": base_url}))
    text = body(registries.rendered("skill", registry, functions=functions)[SKILL])
    assert ("## Queries: only where the host runs functions\n" in text) != functions
    assert ("## Queries\n" in text) == functions
    assert (f" {base_url or ''}/mcp (streamable HTTP)" in text) == functions
    assert ("(streamable HTTP)" in text) == functions
