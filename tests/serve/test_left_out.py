"""A registry with errors in its records is served without these records."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from serve.test_live import Silent, fresh, started

from generator.grammar.paths import MCP
from generator.serve.answer import answer
from generator.serve.live import MOST_LISTED, Live
from generator.serve.watch import EVERYTHING, Saves
from support import commands, git, own_kinds, registries
from support.lanes import fast_first
from support.talk import POST, message

BROKEN = "name: [\n"
PAGE = b"<head></head><body></body>"


@pytest.fixture(autouse=True)
def same_time_and_unfrozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", commands.EPOCH)
    yield
    gc.unfreeze()


def save(live: Live, path: str, text: str) -> None:
    file = Path(live.content) / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    live.update(Saves(frozenset([path]), theme=False))


def get(live: Live, target: str) -> Any:
    """The document at an address or of a query; None if there is none."""
    found = answer("GET", target, live.deployment)
    return json.loads(found.body) if found.status == 200 else None


def same_as_read_anew(live: Live) -> bool:
    """Whether all files can be made, and are those of content read anew."""
    other = fresh(Path(live.content))
    assert live.deployment is not None
    files = dict(other)
    return [*files.values()] == [*live.deployment.files([*files])]


def missing(live: Live) -> int:
    return live.trouble.missing if live.trouble is not None else 0


def reporter_of(live: Live) -> Silent:
    assert isinstance(live.reporter, Silent)
    return live.reporter


def test_one_error_among_300_records_leaves_out_one(tmp_path: Path) -> None:
    many = {f"many-{n:03}": {"name": f"Many {n}"} for n in range(299)}
    content = registries.write(
        tmp_path / "content", registries.content(registries.API, projects=many)
    )
    (content / "projects" / "broken.yaml").write_text("name: Broken\nwrong: 1\n")
    live = started(content)
    assert missing(live) == 1 and reporter_of(live).updates[-1].missing == 1
    assert get(live, "/api/projects?mode=count")["total_items"] == 299
    assert get(live, "/api/projects/slug/broken.json") is None
    assert get(live, "/api/projects?mode=page&q=broken")["data"] == []
    assert get(live, "/api/projects?mode=page&q=298")["data"][0]["name"] == "Many 298"
    body = json.dumps(message("tools/call", name="count_records", arguments={
        "collection": "projects",
    })).encode()  # fmt: skip
    asked = answer("POST", MCP, live.deployment, given=POST, body=body)
    assert json.loads(asked.body)["result"]["structuredContent"]["total_items"] == 299
    page = live.add_banner(PAGE).decode()
    assert page.index("<body>") < page.index("1 record is missing here") < page.index("</body>")
    assert 'broken.yaml#L2">' in page and ">unknown-field<" in page


@pytest.mark.parametrize(
    ("records", "path", "file", "field", "name"),
    [
        (registries.SMALL, "organizations/north-college.yaml",
         "/api/programs/slug/launch.json", "organization", "north-college"),
        (registries.SMALL, "programs/launch-2025.yaml",
         "/api/projects/slug/aurora-grid.json", "programs", "launch-2025"),
        (registries.SMALL, "programs/launch.yaml",
         "/api/programs/slug/launch-2025.json", "parent", "launch"),
        (own_kinds.INVESTORS, "investors/quay-ventures.yaml",
         "/api/rounds/slug/bloom-a.json", "lead", "quay-ventures"),
        (own_kinds.TOOLS, "tools/parse-it.yaml",
         "/api/tools/slug/mapper.json", "depends_on", "parse-it"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("damage", fast_first(1, [BROKEN, "tags: {nowhere: [x]}\n"]))
def test_references_to_a_record_with_an_error_resolve_by_slug(
    tmp_path: Path,
    records: registries.Content,
    path: str,
    file: str,
    field: str,
    name: str,
    damage: str,
) -> None:
    content = registries.write(tmp_path / "content", records)
    good = (content / path).read_text()
    live = started(content)
    before = get(live, file)
    fields = json.loads(good)
    text = damage if damage == BROKEN else json.dumps({**fields, "tags": {"nowhere": ["x"]}})
    save(live, path, text)
    assert missing(live) == 1 and same_as_read_anew(live)
    collection, _, record = path.partition("/")
    assert get(live, f"/api/{collection}/slug/{record[:-5]}.json") is None
    data = get(live, file)["data"]
    found = data[field] if field in data else data["fields"][field]
    referred = found[0] if isinstance(found, list) else found
    assert (referred["slug"], name) in ((name, referred["name"]), (name, fields["name"]))
    save(live, path, good)
    assert live.trouble is None and get(live, file) == before and same_as_read_anew(live)


def test_two_errors_fixed_one_after_the_other(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    live = started(content)
    paths = {path: (content / path).read_text() for path in (
        "programs/launch.yaml", "projects/bloom.yaml",
    )}  # fmt: skip
    left = []
    for path in paths:
        save(live, path, BROKEN)
        left.append(missing(live))
    for path, text in paths.items():
        save(live, path, text)
        left.append(missing(live))
        assert same_as_read_anew(live)
    assert left == [1, 2, 1, 0] and live.trouble is None


def test_a_new_file_with_a_slug_of_another_is_left_out(tmp_path: Path) -> None:
    """Of two files with one slug, the one that git has got stays."""
    content = registries.write(tmp_path / "content")
    git.commit(tmp_path)
    live = started(content)
    for path in ("projects/a/bloom.yaml", "projects/z/bloom.yaml", "programs/a/launch.yaml"):
        collection, _, name = path.split("/")
        record = json.loads((content / collection / name).read_text())
        save(live, path, json.dumps({**record, "name": "Second"}))
        assert missing(live) == 1 and same_as_read_anew(live)
        shown = get(live, f"/api/{collection}/slug/{name[:-5]}.json")["data"]["name"]
        assert shown == record["name"]
        (content / path).unlink()
        live.update(Saves(frozenset([path]), theme=False))
        assert live.trouble is None


def test_an_error_between_records_leaves_out_its_record(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    live = started(content)
    save(live, "projects/new.yaml", "name: New\naliases: [bloom]\n")
    assert missing(live) == 1 and same_as_read_anew(live)
    assert get(live, "/api/projects/slug/new.json") is None
    assert get(live, "/api/projects/slug/bloom.json")["data"]["name"] == "Bloom"
    launch = json.loads((content / "programs/launch.yaml").read_text())
    save(live, "programs/launch.yaml", json.dumps({**launch, "parent": "launch-2025"}))
    assert missing(live) == 2 and same_as_read_anew(live)


@pytest.mark.parametrize("file", ["notes.yaml", "removed.yaml", "projects/bloom.svg"])
def test_an_error_in_another_file_leaves_out_no_record(tmp_path: Path, file: str) -> None:
    records = registries.content(registries.API)
    records["projects"]["bloom"]["logo"] = "bloom.svg"
    content = registries.write(tmp_path / "content", records)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
    (content / "projects" / "bloom.svg").write_text(svg)
    live = started(content)
    (content / file).write_text("name: Stray\n")
    live.update(EVERYTHING)
    assert live.trouble is not None and not live.trouble.missing and same_as_read_anew(live)
    assert get(live, "/api/projects?mode=count")["total_items"] == 3
    assert b"1 file of the content has an error." in live.add_banner(PAGE)


@pytest.mark.parametrize("site", [True, False])
def test_a_registry_whose_only_record_has_an_error_is_empty(tmp_path: Path, site: bool) -> None:
    registry = {**registries.SMALL["registry"], **({} if site else {"site": False})}
    records: Mapping[str, Any] = {"registry": registry, "projects": {"bloom": BROKEN}}
    live = started(registries.write(tmp_path / "content", records))
    assert missing(live) == 1 and same_as_read_anew(live)
    assert get(live, "/api/projects?mode=count")["total_items"] == 0
    save(live, "projects/bloom.yaml", "name: Bloom\n")
    assert live.trouble is None and same_as_read_anew(live)


def test_a_first_start_with_errors_in_registry_yaml_shows_them_alone(tmp_path: Path) -> None:
    broken = {**registries.SMALL, "registry": "name: Small\ntag_families: 1\n"}
    content = registries.write(tmp_path / "content", broken)
    live = started(content)
    page = answer("GET", "/projects/", live.deployment, dress=live.add_banner)
    assert page.status == 503 and b"/registry.yaml:" in page.body
    assert b"There is nothing to show yet." in page.body
    found = answer("GET", "/api/projects?mode=page", live.deployment)
    assert (found.status, json.loads(found.body)["status"]) == (503, 503)
    registries.write(content)
    live.update(Saves(frozenset(["registry.yaml"]), theme=False))
    assert live.trouble is None and get(live, "/api/projects?mode=count")["total_items"] == 3


@pytest.mark.parametrize("wrong", [{"license": "None"}, {"page_size": 1}, {"site": {"accent": 1}}])
def test_a_key_of_registry_yaml_that_no_record_needs_is_left_out(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    content = registries.write(tmp_path / "content")
    live = started(content)
    broken = registries.content(registry=wrong)["registry"]
    save(live, "registry.yaml", registries.as_yaml(broken))
    assert live.trouble is not None and not live.trouble.missing and same_as_read_anew(live)
    assert get(live, "/api/projects?mode=count")["total_items"] == 3
    page = live.add_banner(PAGE)
    assert b"registry.yaml:" in page and b"as it was before" not in page


def test_many_problems_are_counted_and_the_banner_is_closed(tmp_path: Path) -> None:
    """It is in the language of the registry."""
    german = registries.content(registries.API, registry={"language": "de"})
    german["projects"] = {f"p{n:02}": {"name": f"P {n}", f"wrong{n}": 1} for n in range(25)}
    live = started(registries.write(tmp_path / "content", german))
    page = live.add_banner(PAGE).decode()
    assert "25 Einträge fehlen hier" in page and "Und 5 weitere." in page
    assert page.count('<code class="code">') == MOST_LISTED and "<details open" not in page
    assert " open><summary>" not in page
    assert "livereload.js" not in page
    assert live.add_banner(PAGE, live.state).count(b"livereload.js") == 1
