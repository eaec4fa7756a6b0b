"""Records of a kind that others refer to: what is read of them first, what follows from their
names, and what they count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest

from generator.dialect.folder import Content, read_file
from generator.kinds import Kinds
from generator.kinds.declare import Declared, Filtered, Listed, Refers, Sorted, Words
from generator.kinds.record import Breakdown, Record
from generator.kinds.types import Count, Slug, Slugs
from generator.problems.diagnostic import is_error
from generator.published.content.guards import Guard
from generator.published.content.records import Records, read, reread
from generator.published.history.provenance import Moment
from generator.published.published import Options, Published
from support import registries
from support.kinds import kinds_with

MOMENT = Moment.of_day(date(2026, 11, 30))


# fmt: off
class Investor(Record):
    """Investors refer to projects, to each other and to funds, which refer to them."""

    portfolio: Annotated[Slugs | None, Refers("projects"), Filtered("project"), Listed(),
        Words("What it invests in.")] = None
    partners: Annotated[Slugs | None, Refers("investors"), Filtered("partner"), Listed(),
        Words("Whom it works with.")] = None
    fund: Annotated[Slug | None, Refers("funds"), Filtered(), Listed(), Words("Its fund.")] = None


class Fund(Record):
    """Funds have a count of the records of each relation to them."""

    manager: Annotated[Slug | None, Refers("investors"), Filtered(), Listed(),
        Words("Who runs it.")] = None
    investors: ClassVar[Annotated[Count, Sorted("-investors"), Listed(), Words("Investors.")]]
    funds_feeder: ClassVar[Annotated[Count, Listed(), Words("Funds that pay into it.")]]
    feeders: Annotated[Slugs | None, Refers("funds"), Filtered("feeder"), Listed(),
        Words("Funds that it pays into.")] = None
    breakdown: ClassVar[Breakdown]
# fmt: on


INVESTORS = Declared(Investor, "investors", "investor")
FUNDS = Declared(Fund, "funds", "fund", empty_lists=True)
CONTENT: registries.Content = {
    "registry": {"name": "Small", "description": "Kinds that refer to each other.", "site": False},
    "projects": {slug: {"name": slug.title()} for slug in ("acme", "bolt", "core")},
    "investors": {
        "north": {"name": "North", "portfolio": ["bolt", "acme"], "partners": ["south"],
                  "fund": "big"},
        "south": {"name": "South", "portfolio": ["acme"], "partners": ["north", "south"],
                  "fund": "big", "aliases": ["sud"]},
    },
    "funds": {
        "big": {"name": "Big", "manager": "south", "feeders": ["big"]},
        "new": {"name": "New", "manager": "north", "feeders": ["big"]},
    },
}  # fmt: skip


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> Kinds:
    """The kinds of content folders, with two more."""
    found = kinds_with(FUNDS, INVESTORS)
    monkeypatch.setattr("generator.dialect.folder.built_in", lambda: found)
    return found


def checked(records: Records) -> Published:
    problems = records.check(Guard(loss="allow"))[1]
    assert not any(map(is_error, problems)), "\n".join(map(str, problems))
    return Published(records, Options())


def document(published: Published, collection: str, slug: str) -> Mapping[str, Any]:
    raw = published.get(published.grammar[collection].record_path(slug))
    assert raw is not None
    return json.loads(raw)  # type: ignore[no-any-return]


def names(published: Published, slug: str, field: str) -> list[str]:
    return [one["name"] for one in document(published, "investors", slug)["data"][field]]


def test_only_kinds_that_count_or_have_parents_are_kept(kinds: Kinds) -> None:
    assert kinds.kept == ("programs", "organizations", "funds")
    assert set(kinds.streamed) == {"projects", "events", "investors"}
    assert set(kinds.referred) == {*kinds.kept, "projects", "investors"}


def test_references_resolve_in_circles_and_to_the_own_kind(kinds: Kinds, tmp_path: Path) -> None:
    published = checked(read(str(registries.write(tmp_path, CONTENT)), MOMENT))
    assert names(published, "north", "portfolio") == ["Bolt", "Acme"]
    assert names(published, "south", "partners") == ["North", "South"]
    fund = document(published, "funds", "big")["data"]
    assert (fund["manager"]["name"], fund["feeders"][0]["name"]) == ("South", "Big")
    assert document(published, "investors", "north")["data"]["fund"]["name"] == "Big"


def test_a_kind_counts_its_relations_by_their_keys(kinds: Kinds, tmp_path: Path) -> None:
    published = checked(read(str(registries.write(tmp_path, CONTENT)), MOMENT))
    counts = {
        slug: [document(published, "funds", slug)["data"][name] for name in kinds.counts["funds"]]
        for slug in ("big", "new")
    }
    assert [*kinds.counts["funds"]] == ["investors", "funds_feeder"]
    assert counts == {"big": [2, 2], "new": [0, 0]}
    assert document(published, "funds", "big")["data"]["breakdown"] == {}, "no project refers to it"
    page = published.get("/api/funds/sort/-investors/page/1.json")
    assert page is not None and [one["slug"] for one in json.loads(page)["data"]] == ["big", "new"]


def test_only_kinds_with_empty_lists_have_these(kinds: Kinds, tmp_path: Path) -> None:
    published = checked(read(str(registries.write(tmp_path, CONTENT)), MOMENT))
    links = {slug: document(published, "projects", slug)["links"] for slug in CONTENT["projects"]}
    assert links["acme"]["investors"] == "/api/investors/by/project/acme/page/1.json"
    assert links["core"]["investors"] is None
    assert published.get("/api/investors/by/project/core/page/1.json") is None
    assert (
        document(published, "investors", "south")["links"].items()
        >= {
            "investors_partner": "/api/investors/by/partner/south/page/1.json",
            "funds_manager": "/api/funds/by/manager/south/page/1.json",
        }.items()
    )
    empty = document(published, "funds", "new")["links"]["investors"]
    assert empty == "/api/investors/by/fund/new/page/1.json"
    page = published.get(empty)
    assert page is not None and json.loads(page)["data"] == []
    values = published.get("/api/investors/filters/project.json")
    assert values is not None
    assert [one["label"] for one in json.loads(values)["data"]["values"]] == ["Acme", "Bolt"]


def test_a_former_or_unknown_slug_is_an_error_with_a_hint(kinds: Kinds, tmp_path: Path) -> None:
    investors = {"north": {"name": "North", "portfolio": ["acne"], "partners": ["sud"]}}
    content = {**CONTENT, "investors": {**CONTENT["investors"], **investors}}
    problems = read(str(registries.write(tmp_path, content)), MOMENT).check(Guard(loss="allow"))[1]
    said = {(problem.message, problem.hint) for problem in problems if is_error(problem)}
    assert ('partners[0]: the investor "sud" is now called "south"', 'write "south"') in said
    assert any(message == 'portfolio[0]: there is no project "acne"' for message, _ in said)


def test_a_reference_to_an_invalid_file_resolves(kinds: Kinds, tmp_path: Path) -> None:
    content = {**CONTENT, "projects": {**CONTENT["projects"], "bolt": {"name": "Bolt", "year": 1}}}
    problems = read(str(registries.write(tmp_path, content)), MOMENT).check(Guard(loss="allow"))[1]
    assert [problem.path for problem in problems if is_error(problem)] == [
        str(tmp_path / "projects/bolt.yaml")
    ]


SAVES: dict[str, dict[str, dict[str, Any] | None]] = {
    "another name": {"projects/acme": {"name": "Other"}},
    "another text": {"projects/acme": {"name": "Acme", "summary": "Short."}},
    "another former slug": {"investors/south": {**CONTENT["investors"]["south"], "aliases": []}},
    "a new target": {"projects/dune": {"name": "Dune"}},
    "a new reference": {"investors/south": {"name": "South", "portfolio": ["core"]}},
    "a removed target": {"projects/core": None},
    "two files of one slug": {"projects/a/acme": {"name": "Second"}, "projects/acme": None},
}


@pytest.mark.parametrize("save", SAVES)
def test_a_save_gives_what_a_clean_read_gives(save: str, kinds: Kinds, tmp_path: Path) -> None:
    folder = registries.write(tmp_path, CONTENT)
    before = read(str(folder), MOMENT)
    checked(before)
    for name, values in SAVES[save].items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        if values is not None:
            path.write_text(registries.as_yaml(values))
    saved = [f"{name}.yaml" for name in SAVES[save]]
    after, clean = (
        checked(records) for records in (reread(before, saved, MOMENT), read(str(folder), MOMENT))
    )
    for name, table in clean.tables.items():
        assert [*after.tables[name].slugs] == [*table.slugs]
        for slug in table.slugs:
            assert after.document(name, slug) == clean.document(name, slug)


def test_a_save_reads_no_names_of_other_files(
    kinds: Kinds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = registries.write(tmp_path, CONTENT)
    before, taken = read(str(folder), MOMENT), list[str]()
    checked(before)
    (folder / "projects/acme.yaml").write_text("name: Acme\nsummary: Short.\n")

    def read_content(content: Content, path: str) -> bytes:
        taken.append(path)
        return read_file(f"{content.folder}/{path}")

    monkeypatch.setattr(Content, "read_content", read_content)
    after = reread(before, ["projects/acme.yaml"], MOMENT)
    assert not after.changed
    assert {path for path in taken if path.startswith(("projects/", "investors/"))} == {
        "projects/acme.yaml"
    }
