"""What the development server keeps of the content, without sockets and events."""

from __future__ import annotations

import contextlib
import gc
import os
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from generator.contract.files import ReadFiles
from generator.disk.output_state import OutputError
from generator.grammar.paths import BUILD, INDEX, MANIFEST_ROOT, SKILL
from generator.problems.diagnostic import is_error
from generator.published.content.guards import Guard
from generator.published.content.records import read
from generator.published.content.theme_files import read_theme
from generator.published.history.provenance import moment
from generator.published.published import Options, Published
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from generator.serve.live import Live, Update, deployment_of
from generator.serve.watch import EVERYTHING, Saves
from support import commands, git, registries
from support.corpora import CORPORA
from support.edits import Edits, play
from support.lanes import sample

QUERIES = (
    "/api/projects?mode=page&q=a",
    "/api/projects?mode=page&status=active&sort=-year",
    "/api/programs?mode=page&q=a&page=2",
    "/api/events?mode=count",
    "/api/search?q=a",
)


class Silent:
    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.failures: list[str] = []

    def ready(self, deployment: Deployment | None, port: int) -> None:
        raise AssertionError

    def updated(self, update: Update) -> None:
        self.updates.append(update)

    def failed(self, text: str) -> None:
        self.failures.append(text)


@pytest.fixture(autouse=True)
def same_time_and_unfrozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All reads of a test are of one second; `Live` takes its first records from the garbage
    collector.
    """
    monkeypatch.setenv("SOURCE_DATE_EPOCH", commands.EPOCH)
    yield
    gc.unfreeze()


def started(content: Path) -> Live:
    live = Live(str(content), Silent())
    live.start()
    return live


def fresh(content: Path) -> Published:
    """The content read anew, without the records with errors."""
    return read_anew(content)[0]


def read_anew(content: Path) -> tuple[Published, bool]:
    """The same, and whether the content has errors."""
    folder = str(content)
    records = read(folder, moment(folder, None))
    problems = records.check(Guard())[1]
    right = records.without_errors(problems)
    return Published(right, Options(theme=read_theme(folder))), any(map(is_error, problems))


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> frozenset[str]:
    return frozenset(path for path in before.keys() | after if before.get(path) != after.get(path))


def differing(live: Live, other: Published, addresses: list[str]) -> list[str]:
    """The addresses and queries that give different answers."""
    assert live.deployment is not None
    deployment, wanted = live.deployment, deployment_of(other)
    return [
        *(address for address in addresses if deployment.read(address) != wanted.read(address)),
        *(
            query
            for query in QUERIES
            if answer("GET", query, deployment) != answer("GET", query, wanted)
        ),
    ]


class Saved(Edits):
    """Compares what the server keeps after each save with the content read anew."""

    def begin(self) -> None:
        os.environ["SOURCE_DATE_EPOCH"] = epoch(self.day)
        self.live, self.before = started(self.content), self._files()

    def _files(self) -> tuple[dict[str, bytes], dict[str, bytes]]:
        return commands.files(self.content), commands.files(self.templates.parent)

    def saved(self) -> bool:
        os.environ["SOURCE_DATE_EPOCH"] = epoch(self.day)
        before, self.before = self.before, self._files()
        content, templates = map(changed, before, self.before)
        self.live.update(Saves(content, bool(templates)))
        other, has_errors = read_anew(self.content)
        assert (self.live.trouble is not None) == has_errors, self.live.trouble
        if not other.records.is_rendered:
            return True
        items = [path for family in other.api for path in family.items()]
        drawn = random.Random(len(items))
        pages = [f"{path[4:-5]}/index.html" for path in items if "/page/1." in path]
        addresses = drawn.sample(items, min(20, len(items)))
        addresses += drawn.sample(pages, min(3, len(pages)))
        addresses += ["/index.html", SKILL, *drawn.sample([INDEX, MANIFEST_ROOT, BUILD], 1)]
        assert differing(self.live, other, addresses) == []
        return has_errors


@pytest.mark.parametrize(
    ("corpus", "steps"),
    sample([("german", 2)], [("golden", 4), ("german", 25)]),
)
def test_after_each_save_answers_are_those_of_content_read_anew(
    corpus: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", commands.EPOCH)  # restored after the edits
    play(lambda: Saved(CORPORA[corpus].write), steps, 2)


def epoch(day: str) -> str:
    return str(int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()))


def registries_in_memory() -> int:
    gc.collect()
    return sum(isinstance(known, Published) for known in gc.get_objects())


@pytest.mark.parametrize("saves", sample([4], [10]))
def test_many_saves_keep_one_registry_alive(tmp_path: Path, saves: int) -> None:
    content, others = registries.write(tmp_path / "content"), registries_in_memory()
    live, seen = started(content), set[bytes]()
    for number in range(saves):
        assert live.deployment is not None
        seen.add(answer("GET", "/projects/bloom/", live.deployment).body)
        for target in ("/", "/api/index.json", *QUERIES):
            answer("GET", target, live.deployment)
        path = "projects/bloom.yaml"
        (content / path).write_text(registries.as_yaml({"name": f"Bloom {number}"}))
        live.update(Saves(frozenset([path]), theme=False))
    gc.unfreeze()
    assert len(seen) == saves and registries_in_memory() == others + 1


def test_threads_never_get_an_older_answer_than_the_save_that_they_waited_for(
    tmp_path: Path,
) -> None:
    """All share the engine, and a save comes while each of them is in the middle of an answer: that
    is of the registry that was asked, and the next one is of the save.
    """
    content, rounds = registries.write(tmp_path / "content"), 5
    targets = ["/api/projects?mode=page&q=bloom", "/api/search?q=bloom", "/projects/bloom/"] * 2
    # A save comes between the two.
    asking, saved = (threading.Barrier(len(targets) + 1, timeout=60) for _ in range(2))

    def save(number: int) -> None:
        (content / "projects/bloom.yaml").write_text(
            registries.as_yaml({"name": f"Bloom-{number}"})
        )

    def asked(target: str, site: Deployment) -> set[int]:
        found = answer("GET", target, site)
        assert found.status == 200
        return {int(number) for number in re.findall(rb"Bloom-(\d+)", found.body)}

    def held(site: Deployment) -> tuple[Deployment, Callable[[], None]]:
        """A registry whose first read waits for the save."""
        steps = iter((asking, saved))

        def wait() -> None:
            for step in steps:
                step.wait()

        def read(files: ReadFiles, paths: Sequence[str]) -> Sequence[bytes | None]:
            wait()
            return files(paths)

        files, queries = (
            partial(read, each) for each in (site.files, site.for_queries or site.files)
        )
        return replace(site, files=files, for_queries=queries), wait

    def ask(target: str) -> None:
        for number in range(1, rounds + 1):
            assert live.deployment is not None
            site, wait = held(live.deployment)
            try:
                assert asked(target, site) == {number - 1}
                wait()  # nothing was read
                assert asked(target, live.deployment) == {number}
            except BaseException:
                asking.abort()
                saved.abort()
                raise

    save(0)
    live = started(content)
    with ThreadPoolExecutor(len(targets)) as threads:
        asks = [threads.submit(ask, target) for target in targets]
        with contextlib.suppress(threading.BrokenBarrierError):  # a thread tells why
            for number in range(1, rounds + 1):
                asking.wait()
                save(number)
                live.update(Saves(frozenset(["projects/bloom.yaml"]), theme=False))
                saved.wait()
        for each in asks:
            each.result()


def test_the_order_of_own_fields_is_that_of_their_numbers(tmp_path: Path) -> None:
    numbers = {
        name: {"label": name, "type": "number", "sort": True, "filter": False}
        for name in ("low", "high")
    }
    records = {
        "registry": {"name": "N", "description": "D", "fields": {"projects": numbers}},
        "projects": {
            f"p{i}": {"name": f"P{i}", "fields": {"low": i, "high": 100 - i}} for i in range(5)
        },
    }
    content = registries.write(tmp_path / "content", records)
    live = started(content)
    turned = dict(reversed(numbers.items()))
    registry = {**records["registry"], "fields": {"projects": turned}}
    (content / "registry.yaml").write_text(registries.as_yaml(registry))
    live.update(Saves(frozenset(["registry.yaml"]), theme=False))
    assert live.trouble is None
    other = fresh(content)
    assert differing(live, other, list(other)) == []


def test_a_record_that_is_a_link_is_read_after_each_save(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    outside = tmp_path / "outside.yaml"
    outside.write_text("name: Outside\n")
    (content / "projects" / "linked.yaml").symlink_to(outside)
    (content / "projects" / "twin.yaml").symlink_to("bloom.yaml")
    live = started(content)
    outside.write_text("name: Outdoors\n")
    (content / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    live.update(Saves(frozenset(["projects/bloom.yaml"]), theme=False))
    assert live.trouble is None and live.deployment is not None
    for slug, name in (("linked", b"Outdoors"), ("twin", b"Blossom"), ("bloom", b"Blossom")):
        assert name in (live.deployment.read(f"/api/projects/slug/{slug}.json") or b"")


def test_the_commit_and_the_day_are_those_of_the_last_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = registries.write(tmp_path / "content")
    git.commit(tmp_path)
    live = started(content)
    (content / "projects" / "new.yaml").write_text("name: New\n")
    new = git.commit(tmp_path, "New")
    assert live.deployment is not None and new.encode() not in (live.deployment.read(BUILD) or b"")
    live.update(Saves(frozenset(["projects/new.yaml"]), theme=False))
    assert new.encode() in (live.deployment.read(BUILD) or b"")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch("2031-02-03"))
    live.update(Saves(frozenset(["projects/new.yaml"]), theme=False))
    assert b'"as_of":"2031-02-03"' in (live.deployment.read(BUILD) or b"")
    reporter = live.reporter
    assert isinstance(reporter, Silent) and "today" in reporter.updates[-1].changed


def test_saves_that_were_not_read_are_read_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = registries.write(tmp_path / "content")
    live = started(content)
    (content / "projects" / "new.yaml").write_text("name: New\n")
    with monkeypatch.context() as patched:
        patched.setattr("generator.serve.live.reread", lambda *_, **__: 1 // 0)
        live.update(Saves(frozenset(["projects/new.yaml"]), theme=False))
    assert live.trouble is not None and "ZeroDivisionError" in live.trouble.failure
    live.update(Saves(frozenset(), theme=False))
    assert live.trouble is None and live.deployment is not None
    assert live.deployment.read("/api/projects/slug/new.json") is not None


def test_reads_that_fail_keep_no_registry_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, others = registries.write(tmp_path / "content"), registries_in_memory()
    live = started(content)
    for _ in range(3):
        with monkeypatch.context() as patched:
            patched.setattr("generator.serve.live.reread", lambda *_, **__: 1 // 0)
            live.update(Saves(frozenset(), theme=False))
        live.update(Saves(frozenset(), theme=False))
        assert live.trouble is None
    gc.unfreeze()
    assert registries_in_memory() == others + 1


def test_a_theme_that_cannot_be_read_leaves_the_registry_as_it_was(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    live = started(content)
    before, own = live.deployment, tmp_path / "templates" / "site"
    own.mkdir(parents=True)
    (own / "home.md").symlink_to(content / "registry.yaml")
    live.update(EVERYTHING)
    assert live.trouble is not None and "is not a normal file" in live.trouble.failure
    assert live.deployment is before
    page = live.add_banner(b"<body></body>")
    assert b"The content could not be read." in page and b"is not a normal file" in page
    (own / "home.md").unlink()
    live.update(EVERYTHING)
    assert live.trouble is None


def test_a_file_of_the_theme_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "site" / "home.md"
    page.parent.mkdir()
    page.write_text("Hello")

    def refuse(path: str, mode: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(OutputError) as failed:
        read_theme(str(tmp_path / "content"), str(tmp_path))
    assert str(failed.value) == f"{page} cannot be read: Permission denied; nothing was written."


def test_errors_in_registry_yaml_that_come_and_go_are_told(tmp_path: Path) -> None:
    """With these, all records are only checked."""
    content = registries.write(tmp_path / "content", {**registries.SMALL, "registry": "name: [\n"})
    live = started(content)
    reporter = live.reporter
    assert isinstance(reporter, Silent)

    def last() -> tuple[bool, bool, bool]:
        update = reporter.updates[-1]
        return update.is_shown, update.is_stale, update.all_again

    assert last()[:2] == (False, True)
    registries.write(content)
    live.update(Saves(frozenset(["registry.yaml"]), theme=False))
    assert last() == (True, False, True)
    deployment = live.deployment
    (content / "registry.yaml").write_text("name: Small Registry\n")
    live.update(Saves(frozenset(["registry.yaml"]), theme=False))
    assert live.trouble is not None and live.deployment is deployment
    assert last() == (True, True, True)
    registries.write(content)
    live.update(Saves(frozenset(["registry.yaml"]), theme=False))
    assert live.trouble is None and last() == (True, False, True)
