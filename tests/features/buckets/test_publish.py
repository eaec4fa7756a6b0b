"""A build is published whole or not at all; after an interruption the next publish continues."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.contract import files
from generator.contract.files import LEASE, POINTER
from generator.contract.manifest import sha256_hex
from generator.features.buckets import lease
from generator.features.buckets.lease import Busy, Lease
from generator.features.buckets.publish import NotNewer, publish, roll_back
from generator.features.buckets.store import Store, Stored, StoreError
from generator.grammar.paths import MANIFEST_ROOT, manifest_bin
from support.lanes import fast_first
from support.stores import MOST, holds, pointed, should

# --- sent files ---


def test_the_build_is_published_without_files_for_hosts(memory: Store, builds: list[Path]) -> None:
    sent = publish(builds[0], memory)
    assert holds(memory, builds[0]) and sent.removed == 0
    assert sent.lacks_headers  # memory keeps bytes alone
    assert sent.put == len(should(builds[0])) and sent.bytes == sum(
        map(len, should(builds[0]).values())
    )
    assert set(memory.folders("")) == {"current.json", "trees"}


def test_published_files_are_not_sent_again(memory: Store, builds: list[Path]) -> None:
    publish(builds[0], memory)
    before = memory.read(POINTER, MOST)
    assert publish(builds[0], memory).put == 0
    assert memory.read(POINTER, MOST) == before and holds(memory, builds[0])


def test_trees_alternate_and_only_changed_files_are_sent(memory: Store, builds: list[Path]) -> None:
    for number in (0, 1):
        publish(builds[number], memory)
        assert holds(memory, builds[number])
    sent = publish(builds[2], memory)
    old, new = should(builds[0]), should(builds[2])
    # The 404 page is in no manifest: it is always sent.
    changed = {path for path in new if old.get(path) != new[path]} | {"/404.html"}
    assert holds(memory, builds[2]) and sent.tree.startswith("1-")
    # A bin is written twice: before its objects change, and after all are complete.
    twice = {path for path in changed if path.startswith("/api/manifest/bins/")}
    assert sent.put == len(changed) + len(twice) < len(new) / 2
    assert sent.removed == len(old.keys() - new.keys()) + 1  # the root
    assert pointed(memory).former == (f"2-{sent.tree.partition('-')[2]}",)


def test_a_tree_with_another_number_of_bins_is_updated(memory: Store, builds: list[Path]) -> None:
    for number in (0, 1, 3, 2, 0):
        publish(builds[number], memory, older=True)
        assert holds(memory, builds[number]), number
    assert len(should(builds[3])) > 300 + len(should(builds[2]))


def test_the_given_number_of_former_versions_stays(memory: Store, builds: list[Path]) -> None:
    for number in range(4):
        publish(builds[number], memory, keep=3)
    now = pointed(memory)
    assert [files.tree_number(name) for name in (now.tree, *now.former)] == [4, 3, 2, 1]
    publish(builds[3], memory, keep=2)  # already published, with fewer versions to keep
    now = pointed(memory)
    assert [files.tree_number(name) for name in (now.tree, *now.former)] == [4, 3, 2]
    assert sorted(memory.folders("/trees")) == sorted([*now.former, now.tree])
    assert holds(memory, builds[3])
    publish(builds[0], memory, older=True)
    assert sorted(memory.folders("/trees")) == sorted(
        [*pointed(memory).former, pointed(memory).tree]
    )
    assert len(pointed(memory).former) == 1 and holds(memory, builds[0])


def test_other_headers_make_a_new_tree(
    memory: Store, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(builds[0], memory)
    publish(builds[1], memory)
    monkeypatch.setattr("generator.grammar.headers.CACHE", "public, max-age=61")
    sent = publish(builds[2], memory)
    assert sent.tree.startswith("3-") and sent.put == len(should(builds[2]))
    assert len(memory.folders("/trees")) == 2 and holds(memory, builds[2])


def test_other_objects_of_a_store_are_untouched(memory: Store, builds: list[Path]) -> None:
    for name in ("/notes.txt", "/trees/mine/notes.txt", "/trees-of-old/1"):
        memory.put(name, b"mine")
    for build in builds[:3]:
        publish(build, memory)
    assert holds(memory, builds[2])
    assert memory.read("/notes.txt", 9) == memory.read("/trees/mine/notes.txt", 9) == b"mine"


# --- a check ---


def damage(store: Store, place: str) -> int:
    """Damage objects of a tree in several ways; return the number of objects to repair."""
    for path in ("/api/projects/slug/bloom.json", "/api/index.json", manifest_bin(0)):
        store.remove(place + path)
    for path in ("/llms.txt", "/api/openapi.json", "/404.html", MANIFEST_ROOT):
        raw = store.read(place + path, MOST)
        assert raw is not None
        store.put(place + path, raw[:-1] + b"?" if path != "/llms.txt" else raw + b"more")
    store.put(f"{place}/api/build.json", b"")
    store.put(f"{place}/evil.php", b"<?php")
    store.put(f"{place}/_redirects", b"/* https://evil.example")
    return 10


@pytest.mark.parametrize("before", [(), (0, 1)])
def test_a_check_repairs_published_files(
    memory: Store, builds: list[Path], before: tuple[int, ...]
) -> None:
    for number in (*before, 2):
        publish(builds[number], memory)
    place, pointed_before = pointed(memory).tree_path, memory.read(POINTER, MOST)
    count = damage(memory, place)
    sent = publish(builds[2], memory, check=True)
    assert sent.repaired == sent.put + sent.removed == count
    assert holds(memory, builds[2]) and memory.read(POINTER, MOST) == pointed_before
    assert publish(builds[2], memory, check=True).repaired == 0


def test_a_check_repairs_the_tree_that_a_new_version_is_written_into(
    memory: Store, builds: list[Path]
) -> None:
    publish(builds[0], memory)
    publish(builds[1], memory)
    place = files.path_of_tree(pointed(memory).former[0])
    memory.remove(f"{place}/llms.txt")
    memory.put(f"{place}/api/openapi.json", b"{}")
    sent = publish(builds[2], memory, check=True)
    assert sent.repaired == 2 and holds(memory, builds[2])


# --- refusals ---


def test_a_build_must_be_newer_to_be_published(memory: Store, builds: list[Path]) -> None:
    publish(builds[1], memory)
    before = memory.read(POINTER, MOST)
    with pytest.raises(NotNewer, match="--older"):
        publish(builds[0], memory)
    assert memory.read(POINTER, MOST) == before and holds(memory, builds[1])
    publish(builds[0], memory, older=True)
    assert holds(memory, builds[0])


@pytest.mark.parametrize("raw", [b"", b"{}", b"[1]", b"\xff", b"x" * 70_000])
def test_an_invalid_pointer_is_not_replaced(memory: Store, builds: list[Path], raw: bytes) -> None:
    memory.put(POINTER, raw)
    with pytest.raises(StoreError, match=r"current\.json"):
        publish(builds[0], memory)
    assert memory.names("") == [POINTER] and memory.read(POINTER, MOST) == raw


# --- back to a former version ---


def test_a_rollback_returns_to_a_former_version_and_back(memory: Store, builds: list[Path]) -> None:
    for number in range(3):
        publish(builds[number], memory, keep=2)
    objects = memory.names("")
    roll_back(memory, 2, lambda: None)
    assert holds(memory, builds[0])
    now = pointed(memory)
    assert (now.root, len(now.former)) == (kept_root(builds[0]), 2)
    roll_back(memory, 1, lambda: None)
    assert holds(memory, builds[2]) and memory.names("") == objects
    publish(builds[3], memory, keep=2)
    assert holds(memory, builds[3])


def test_a_rollback_needs_a_whole_former_version(memory: Store, builds: list[Path]) -> None:
    with pytest.raises(StoreError, match="has no registry"):
        roll_back(memory, 1, lambda: None)
    publish(builds[0], memory)
    with pytest.raises(StoreError, match=r"(?s)0 former versions.*--older"):
        roll_back(memory, 1, lambda: None)
    publish(builds[1], memory)
    memory.remove(f"{files.path_of_tree(pointed(memory).former[0])}{MANIFEST_ROOT}")
    before = memory.read(POINTER, MOST)
    with pytest.raises(StoreError, match="no whole version"):
        roll_back(memory, 1, lambda: None)
    assert memory.read(POINTER, MOST) == before and memory.read(LEASE, MOST) is None


# --- two publishers ---


def test_a_publisher_stopped_for_long_does_nothing_more(
    memory: Store, builds: list[Path], hurried: None
) -> None:
    with Lease(memory) as stopped:
        publish(builds[0], memory)  # takes over
        for _ in range(2):
            with pytest.raises(Busy, match="stopped for so long"):
                stopped.renew()
    assert holds(memory, builds[0]) and memory.read(LEASE, MOST) is None


def test_a_lost_lease_is_never_taken_back(memory: Store) -> None:
    with Lease(memory) as lost:
        memory.put(LEASE, b'{"token":"of somebody else"}')
        for _ in range(2):
            with pytest.raises(Busy):
                lost.renew()
    assert memory.read(LEASE, MOST) == b'{"token":"of somebody else"}'


def test_the_second_of_two_publishers_is_refused(
    memory: Store, builds: list[Path], hurried: None
) -> None:
    with Lease(memory) as first:
        watched = memory.get

        def changed(path: str, most: int) -> Stored | None:
            first.renew()
            return watched(path, most)

        second = copy.copy(memory)
        second.get = changed  # type: ignore[method-assign]
        with pytest.raises(Busy, match=r"(?s)since .*, process .*Publish again"):
            publish(builds[1], second)
    assert memory.read(POINTER, MOST) is None
    assert publish(builds[1], memory).put and holds(memory, builds[1])


def test_a_version_published_meanwhile_stays(
    memory: Store, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(builds[0], memory)
    other = pointed(memory)._replace(version=1).encoded()

    def renew(self: Lease) -> None:
        memory.put(POINTER, other)

    monkeypatch.setattr(Lease, "renew", renew)
    with pytest.raises(StoreError, match="published meanwhile"):
        publish(builds[1], memory)
    assert memory.read(POINTER, MOST) == other


# --- kills ---


class Killed(BaseException):
    """The publisher's process is gone and sends nothing more."""


class Dying:
    """A file system that carries out a limited number of requests."""

    def __init__(self, real: Any, left: int):
        self._real, self._left = real, left
        self._lock = threading.Lock()
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def asked(*arguments: Any, **more: Any) -> Any:
            with self._lock:
                self._left -= 1
                left = self._left
                self.asked.append(name)
            if left < 0:
                raise Killed
            return getattr(self._real, name)(*arguments, **more)

        return asked


def dying(store: Store, left: int) -> tuple[Store, Dying]:
    other = copy.copy(store)
    other._fs = dead = Dying(store._fs, left)
    return other, dead


@pytest.mark.parametrize(
    ("before", "now", "step"),
    fast_first(1, [((0, 1), 2, 9), ((0, 1), 2, 1), ((), 0, 1), ((0,), 1, 1), ((0, 1), 3, 1)]),
)
def test_a_publish_killed_at_any_request_keeps_the_old_version_and_the_next_continues(
    memory: Store,
    builds: list[Path],
    hurried: None,
    monkeypatch: pytest.MonkeyPatch,
    before: tuple[int, ...],
    now: int,
    step: int,
) -> None:
    monkeypatch.setattr(lease, "WATCHED", 0.0)
    for number in before:
        publish(builds[number], memory)
    state = memory._fs.store
    former = dict(state)
    counting, counted = dying(memory, 1 << 30)
    whole = publish(builds[now], counting).put
    every = len(counted.asked)
    # The first and last requests, and some of the many similar requests between.
    numbers = [*range(1, 16), *range(16, every - 22, 23), *range(every - 22, every)]
    for number in numbers[::step]:
        state.clear()
        state.update(former)
        dead, _ = dying(memory, number)
        with pytest.raises(Killed):
            publish(builds[now], dead)
        if memory.read(POINTER, MOST) is None:
            assert not before
        elif before and pointed(memory).root != kept_root(builds[now]):
            assert holds(memory, builds[before[-1]]), number
        else:
            assert holds(memory, builds[now], strays=True), number
        # Another build than the killed build works too.
        then = now if number % 4 else 3
        sent = publish(builds[then], memory, older=True)
        assert holds(memory, builds[then]), number
        assert set(memory.folders("")) == {"current.json", "trees"}
        if (
            then == now != 3 and number < every - 10
        ):  # with another number of bins, everything is sent
            assert 0 < sent.put <= whole
    assert every > 40


def kept_root(build: Path) -> str:
    return sha256_hex((build / MANIFEST_ROOT[1:]).read_bytes())


def test_files_sent_before_a_kill_are_not_sent_again(
    memory: Store, builds: list[Path], hurried: None
) -> None:
    counting, counted = dying(memory, 1 << 30)
    whole = publish(builds[3], counting).put
    memory._fs.store.clear()
    dead, _ = dying(memory, int(len(counted.asked) * 0.9))
    with pytest.raises(Killed):
        publish(builds[3], dead)
    assert publish(builds[3], memory).put < whole * 2 / 3 and holds(memory, builds[3])


# --- damaged stores ---


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    "raw",
    [b"", b"{}", b"x" * (1 << 21), b'{"kind":"manifest_bin","number":0,"data":[["/../a",1,""]]}'],
)
def test_a_damaged_manifest_of_a_tree_is_repaired(
    memory: Store, builds: list[Path], raw: bytes, number: int
) -> None:
    publish(builds[0], memory)
    publish(builds[1], memory)
    memory.put("/a", b"outside")
    place = files.path_of_tree(pointed(memory).former[0])
    memory.put(place + (MANIFEST_ROOT, manifest_bin(0))[number], raw)
    memory.put(f"{place}/api/projects/stray.json", b"{}")
    publish(builds[2], memory)
    assert holds(memory, builds[2], strays=number == 1)
    assert memory.read("/a", 9) == b"outside"
