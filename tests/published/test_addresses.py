"""A registry as a function from address to bytes: at every address it has the bytes of a build."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Barrier
from typing import Any, NamedTuple

import pytest

import generator.hosts
from generator.contract.artifact import beginnings, module_names
from generator.features.signing.private_key import PrivateKey
from generator.grammar.limits import BYTES_PER_TOKEN
from generator.grammar.paths import AGENT_CATALOG, INDEX
from generator.problems.diagnostic import is_error
from generator.published.content.entries import FileEntry
from generator.published.content.guards import Guard
from generator.published.content.records import Records, read, reread
from generator.published.content.theme_files import read_theme
from generator.published.families.documents import documents
from generator.published.history.provenance import Moment, moment
from generator.published.published import Options, Published
from generator.site import calendar
from generator.site.pages import load_views
from support import commands, registries, shapes
from support.commands import ROOT
from support.corpora import CORPORA, SIGNING_KEY
from support.edits import Edits, play
from support.kinds import KINDS
from support.lanes import fast_first, sample

#: All hosts, as far as they can share an output: some write the same files.
HOSTS = tuple(n for n in module_names(generator.hosts) if n not in ("gitlab-pages", "cloudflare"))


class Shape(NamedTuple):
    """How to write a content folder, the hosts to build for, and the key that signs."""

    write: Callable[[Path], object]
    hosts: tuple[str, ...] = ()
    key: str | None = None


def small(records: registries.Content) -> Callable[[Path], object]:
    return lambda folder: registries.write(folder / "content", records)


ONE = {
    "registry": {"name": "One", "description": "One record."},
    "projects": {"acme": {"name": "Acme"}},
}
SHAPES = {
    "several kinds": Shape(small(registries.SMALL)),
    "golden": Shape(CORPORA["golden"].write),
    "projects only": Shape(small(shapes.tools(60))),
    "events only": Shape(small(shapes.alone(shapes.conferences(40), "events"))),
    "one record": Shape(small(ONE)),
    "no record": Shape(small({"registry": ONE["registry"]})),
    "german, all hosts, signed": Shape(CORPORA["german"].write, HOSTS, SIGNING_KEY),
}


def at(content: Path, day: str = commands.TODAY) -> Moment:
    return moment(str(content), date.fromisoformat(day), {"SOURCE_DATE_EPOCH": commands.EPOCH})


def published(records: Records, content: Path, shape: Shape) -> Published:
    theme = read_theme(str(content))
    signer = PrivateKey(shape.key) if shape.key is not None else None
    return Published(records, Options(hosts=shape.hosts, theme=theme, signer=signer))


def built(content: Path, out: Path, shape: Shape, day: str = commands.TODAY) -> Mapping[str, bytes]:
    options = [word for host in shape.hosts for word in ("--host", host)]
    environment = {"REGISTRY_SIGNING_KEY": shape.key}
    commands.build(content, out, *options, "--as-of", day, site=True, env=environment)
    return {f"/{path}": data for path, data in commands.files(out).items()}


@pytest.mark.parametrize("name", fast_first(len(SHAPES) - 1, SHAPES))
def test_every_address_has_the_bytes_of_a_build_in_any_order(name: str, tmp_path: Path) -> None:
    shape, content = SHAPES[name], tmp_path / "content"
    shape.write(tmp_path)
    files = built(content, tmp_path / "out", shape)
    made = published(read(str(content), at(content)), content, shape)
    assert sorted(made) == sorted(files)
    again = published(made.records, content, shape)
    addresses = random.Random(name).sample([*files], len(files))
    assert [address for address in addresses if again.get(address) != files[address]] == []


def test_threads_that_read_at_once_get_the_bytes_of_one(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    records, shape = read(str(content), at(content)), SHAPES["several kinds"]
    wanted = dict(published(records, content, shape))
    shared, together = published(records, content, shape), Barrier(4)

    def ask(seed: int) -> list[str]:
        addresses = random.Random(seed).sample([*wanted], len(wanted))
        together.wait()
        return [address for address in addresses if shared.get(address) != wanted[address]]

    with ThreadPoolExecutor(4) as threads:
        assert [found for found in threads.map(ask, range(4)) if found] == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["our content", "a large registry"])
def test_every_address_of_a_registry_of_people(
    folder: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    is_ours = folder == "our content"
    content = ROOT / "content" if is_ours else request.getfixturevalue("real_content")
    files = built(content, tmp_path / "out", Shape(lambda _: None))
    made = Published(read(str(content), at(content)), Options(theme=read_theme(str(content))))
    assert [address for address, data in made.artifacts() if files.pop(address, b"") != data] == []
    assert not files


def named(template: str, slugs: Mapping[str, list[str]], found: Mapping[str, bytes]) -> str:
    """The address that the catalog has to name, of those that a template has.  `slugs` has those on
    the first page of each list, by the name of the collection and by its root.
    """
    if template.endswith("{slug}.json") or template.endswith("{slug}.md"):
        folder = template.rpartition("/")[0].removesuffix("/slug")
        of = slugs.get(folder) or slugs[folder.rpartition("/")[2]]
        return template.replace("{slug}", of[0])
    if "{filter}" not in template:
        return template.replace("{page}", "1")

    def most_first(address: str) -> tuple[int, list[str]]:
        document = json.loads(found[address])
        most = document["page"]["total_items"] if "page" in document else (
            document["data"]["total_values"]
        )  # fmt: skip
        return -most, address.split("/")

    return min((a for a in found if "{page}" not in template or "/page/1." in a), key=most_first)


@pytest.mark.parametrize("name", [*SHAPES, "our content"])
def test_the_catalog_tells_how_many_files_there_are_and_the_size_of_one(
    name: str, tmp_path: Path
) -> None:
    shape = SHAPES.get(name, Shape(lambda _: None))
    shape.write(tmp_path)
    content = ROOT / "content" if name == "our content" else tmp_path / "content"
    made = Published(read(str(content), at(content)), Options(hosts=shape.hosts, site=False))
    files = {a: data for a, data in made.artifacts() if b'"kind":"moved"' not in data[:60]}
    catalog, grammar = json.loads(files[AGENT_CATALOG])["data"], made.grammar
    lists = {c.name: c.root + "/page/1.json" for c in grammar.collections.values()}
    slugs = {c: [one["slug"] for one in json.loads(files[a])["data"]] for c, a in lists.items()}
    slugs |= {grammar.collections[name].root: of for name, of in slugs.items()}
    answers = [*catalog["documents"], *(a for d in catalog["datasets"] for a in d["answers"])]
    for answer in answers:
        href, template, example = (
            (answer[key] or "").removeprefix(grammar.prefix)
            for key in ("href", "template", "example")
        )
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(href or template))
        found = {address: data for address, data in files.items() if re.fullmatch(pattern, address)}
        assert answer["files"] == len(found), answer
        if template:
            assert example == (named(template, slugs, found) if found else ""), answer
        size = len(files[href or example]) if found else None
        per_token = BYTES_PER_TOKEN[answer["media_type"]]
        assert answer["bytes"] == size, answer
        assert answer["tokens"] == (round(size / per_token) if size is not None else None)
    assert len(answers) > 25


@pytest.mark.parametrize("name", ["several kinds", "german, all hosts, signed", "no record"])
def test_the_index_counts_the_lists_of_values_that_have_pages(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    shape.write(tmp_path)
    content = tmp_path / "content"
    made = Published(read(str(content), at(content)), Options(hosts=shape.hosts, site=False))
    pages = [
        item for family in made.api for item in family.items() if item.endswith("/page/1.json")
    ]
    lists = [page for page in pages if b'"kind":"moved"' not in made[page][:60]]
    surfaces = json.loads(made[INDEX])["data"]["surfaces"]
    counted = {s["name"]: s["count"] for s in surfaces if s["name"].endswith("_by_filter")}
    assert counted == {
        f"{c.name}_by_filter": sum(page.startswith(f"{c.root}/by/") for page in lists)
        for c in made.grammar.collections.values()
    }


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "api/dashboard.json",
        "/api/dashboard",
        "/api/projects/slug/nothing.json",
        "/api/projects/slug/../../index.json",
        "/api/projects/page/99.json",
        "/api/projects/page/01.json",
        "/api/projects/by/status/nothing/page/1.json",
        "/api/projects/by/nothing/active/page/1.json",
        "/api/projects/sort/nothing/page/1.json",
        "/api/index/projects/keys/0-00000000.txt",
        "/api/index/projects/keys/99999999999999999999-0.txt",
        "/api/index/nothing/manifest.json",
        "/api/manifest/bins/77777.json",
        "/api/v1/agent/context/projects/bloom.md",
        "/projects/nothing/index.html",
        "/projects/page/0/index.html",
        "/projects/status/nothing/index.html",
        "/projects/page/²/index.html",
        "/programs/launch/cohorts/99/index.html",
        "/nothing/index.html",
        "/media/00.svg",
        "/data/registry.sqlite",
    ],
)
def test_an_address_without_a_file_is_a_missing_key(address: str, small_one: Published) -> None:
    with pytest.raises(KeyError):
        small_one[address]
    assert address not in small_one


@pytest.fixture(scope="module")
def small_one(tmp_path_factory: pytest.TempPathFactory) -> Published:
    content = registries.write(tmp_path_factory.mktemp("small") / "content")
    return published(read(str(content), at(content)), content, SHAPES["several kinds"])


def test_the_second_page_of_a_month_with_many_dates_is_found(tmp_path: Path) -> None:
    """A page of the site has the dates of several pages of the API."""
    days = {
        f"day-{n}": {"name": f"Day {n}", "kind": "event", "starts": "2026-11-05"}
        for n in range(calendar.MAX_ROWS + 1)
    }
    of = registries.published(tmp_path, registries.content(registries.SMALL, events=days))
    for page in ("/calendar/month/2026-11/page/2", "/calendar/kind/event/page/2"):
        assert f"{page}/index.html" in of and f"{page[:-1]}3/index.html" not in of


def test_it_stays_the_same_when_files_change_later(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    made = published(read(str(content), at(content)), content, SHAPES["several kinds"])
    before = dict(published(made.records, content, SHAPES["several kinds"]))
    for path in content.rglob("*.yaml"):
        path.write_text(path.read_text().replace("name:", "nom:").replace('"name"', '"nom"'))
    assert dict(made) == before


def entries_and_texts(records: Records) -> Iterator[tuple[FileEntry, list[bytes]]]:
    """What was read of each file, and the texts of its record, whatever their number is."""
    for name, entries in records.entries.items():
        for entry in entries.values():
            if entry.record is None or name not in records.content.kinds.streamed:
                yield entry, []
                continue
            row, texts = entry.record.row, records.texts
            first = row.texts * texts.width
            record = entry.record._replace(row=row._replace(texts=0))
            yield (
                entry._replace(record=record),
                [*map(texts.read, range(first, first + texts.width))],
            )


def assert_read_alike(one: Records, other: Records) -> None:
    assert [*entries_and_texts(one)] == [*entries_and_texts(other)]
    assert one.problems == other.problems and one.info() == other.info()


class Reread(Edits):
    """Reads only what was saved: all files whose bytes differ, as someone who watches the folder
    knows them.
    """

    def begin(self) -> None:
        self.records = read(str(self.content), at(self.content, self.day))
        self.before = commands.files(self.content)

    def saved(self) -> bool:
        before, now = self.before, commands.files(self.content)
        saved = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
        self.before, moment = now, at(self.content, self.day)
        self.records = reread(self.records, saved, moment)
        fresh = read(str(self.content), moment)
        assert_read_alike(self.records, fresh)
        if any(map(is_error, fresh.check(Guard())[1])):
            return True
        one, other = (published(r, self.content, SHAPES["golden"]) for r in (self.records, fresh))
        addresses = [path for family in other.api for path in family.items()]
        for address in random.Random(len(addresses)).sample(addresses, min(20, len(addresses))):
            assert one.get(address) == other.get(address), address
        return False


@pytest.mark.parametrize(
    ("corpus", "steps"),
    sample([("golden", 5), ("german", 5)], [("golden", 12), ("german", 40)]),
)
def test_after_each_save_it_is_as_if_everything_was_read_anew(corpus: str, steps: int) -> None:
    play(lambda: Reread(CORPORA[corpus].write), steps, 2)


@pytest.mark.parametrize(
    ("path", "fields", "again"),
    [
        ("projects/bloom.yaml", {"name": "Other"}, ["projects/bloom.yaml"]),
        ("registry.yaml", registries.SMALL["registry"] | {"name": "Other", "page_size": 20}, []),
        ("programs/launch-2025.yaml", None, None),
    ],
    ids=["a record", "settings that no record depends on", "a program that was removed"],
)
def test_only_what_depends_on_a_saved_file_is_read_again(
    path: str, fields: Mapping[str, Any] | None, again: list[str] | None, tmp_path: Path
) -> None:
    """`again` has the files of projects and events that are read again, None for all."""
    content = registries.write(tmp_path / "content")
    before = read(str(content), at(content))
    if fields is None:
        (content / path).unlink()
    else:
        (content / path).write_text(registries.as_yaml(fields))
    after = reread(before, {path}, before.moment)
    kept = [
        entry.path
        for name in KINDS.streamed
        for entry in after.entries[name].values()
        if entry is before.entries[name].get(entry.path)
    ]
    every = [path for name in KINDS.streamed for path in after.entries[name]]
    assert sorted(kept) == sorted(set(every) - set(every if again is None else again))


def test_documents_and_views_are_where_they_say(small_one: Published) -> None:
    """So an address is found without making the documents of other outputs."""
    made = {name: small_one.documents.make(name) for name in small_one.documents.items()}
    given = {output.name: output.addresses for output in documents(small_one.hosts, site=True)}
    for name, view in load_views().items():
        made[name], given[name] = small_one.site[0].make(name), view.addresses
    said = {name: beginnings(addresses, small_one.grammar) for name, addresses in given.items()}
    wrong = [
        artifact.path
        for name, artifacts in made.items()
        for artifact in artifacts
        if said[name] and not artifact.path.startswith(said[name])
    ]
    assert not wrong
    assert [name for name, addresses in said.items() if not addresses] == ["hosts.netlify"]
