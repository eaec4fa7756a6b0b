"""What a build does while no chunk is done: makes its own items, and looks for workers."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from generator.executors import WorkerFailed
from generator.features.cluster import cluster

AT = SimpleNamespace(address="tcp://scheduler:8786")


def waiting(looks: Iterator[dict[str, Any]]) -> Any:
    """The tasks of a stage for a client that is asked for its workers at every look."""
    client = SimpleNamespace(
        status="running",
        scheduler=SimpleNamespace(identity=None),
        sync=lambda identity, n_workers: {"workers": next(looks)},
    )
    tasks: Any = cluster._Tasks.__new__(cluster._Tasks)
    tasks.client, tasks.workers = client, SimpleNamespace(cluster=AT)
    tasks.looked, tasks.empty_since = 0, None
    return tasks


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in seconds; every look takes place a minute later."""
    now = [0.0]
    monkeypatch.setattr(cluster.time, "sleep", lambda seconds: now.append(now[-1] + 61))
    monkeypatch.setattr(cluster.time, "monotonic", lambda: now[-1])
    return now


def test_workers_are_missing_only_if_a_second_look_finds_none(clock: list[float]) -> None:
    tasks = waiting(iter([{}, {"worker": {}}, {}, {}]))
    for _ in range(3):
        tasks._wait()
    with pytest.raises(WorkerFailed, match="no worker for 60 s"):
        tasks._wait()
    assert len(clock) == 5


def test_a_scheduler_that_stops_during_a_look_is_lost(clock: list[float]) -> None:
    lost, tasks = WorkerFailed("stopped"), waiting(iter(()))
    tasks.workers.cluster = SimpleNamespace(lost=lost)

    def sync(identity: object, n_workers: int) -> Any:
        tasks.client.status = "closed"
        raise OSError("closed")

    tasks.client.sync = sync
    tasks._wait()
    with pytest.raises(WorkerFailed, match="stopped"):
        tasks._wait()
    assert len(clock) == 3


def test_own_items_are_made_one_by_one_when_no_other_result_has_arrived() -> None:
    future = SimpleNamespace(key="a", status="finished")
    batches = iter([[], [(future, b"")], [], []])
    tasks = waiting(iter(()))
    tasks.waiting, tasks.stage = {"a": future}, SimpleNamespace(chunks="/nonexistent")
    tasks.completed = SimpleNamespace(next_batch=lambda block: next(batches))
    tasks.submit, tasks._result = (lambda: None), (lambda future, result: "theirs")
    assert [*tasks.results(iter(["own 1", []]))] == ["own 1", "theirs", []]
