"""A slow or busy store, or dropped connections, delay a publish and do not end it."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from generator.contract.files import LEASE, POINTER
from generator.features.buckets import lease, store
from generator.features.buckets.lease import Lease
from generator.features.buckets.publish import publish
from generator.features.buckets.store import Store, StoreError
from support.stores import MOST, S3, Disturbance, disturbed, holds

pytestmark = pytest.mark.slow


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All times of the lease, reduced to a tenth."""
    monkeypatch.setattr(lease, "HELD", 1.2)
    monkeypatch.setattr(lease, "WATCHED", 6.0)


def published_through(
    s3: S3, build: Path, disturb: Disturbance, monkeypatch: pytest.MonkeyPatch
) -> None:
    with disturbed(s3.base, disturb) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        publish(build, Store(s3.url))
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3.base)
    after = Store(s3.url)
    assert holds(after, build) and after.read(LEASE, MOST) is None


def test_slow_requests_do_not_end_a_publish(
    s3: S3, builds: list[Path], short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    published_through(s3, builds[0], lambda method, path, seen: 0.25, monkeypatch)


@pytest.mark.parametrize("action", [500, 503, "drop", "lose"])
def test_temporarily_failing_requests_are_sent_again(
    s3: S3, builds: list[Path], short: None, monkeypatch: pytest.MonkeyPatch, action: int | str
) -> None:
    chance = random.Random(7)
    failed = Counter[str]()

    def disturb(method: str, path: str, seen: int) -> int | str | None:
        # The first requests, the lease and the pointer too, and four of ten other requests.
        if failed[path] < 2 and (
            chance.random() < 0.4 or path.endswith((LEASE, POINTER)) or seen < 4
        ):
            failed[path] += 1
            return action
        return None

    published_through(s3, builds[0], disturb, monkeypatch)
    assert failed.total() > 50


def test_a_busy_store_is_reported(
    s3: S3, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def disturb(method: str, path: str, seen: int) -> int | None:
        return 503 if method == "PUT" and path.endswith("/api/index.json") else None

    monkeypatch.setitem(store._BOTOCORE, "retries", {"total_max_attempts": 2})
    with disturbed(s3.base, disturb) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError, match=r"index\.json cannot be written.*Reduce your rate"):
            publish(builds[0], Store(s3.url))
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3.base)
    assert Store(s3.url).read(LEASE, MOST) is None


def test_a_request_without_an_answer_ends(
    s3: S3, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LONGEST", 2)
    with disturbed(s3.base, lambda method, path, seen: 5.0) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError, match=r"cannot be written: it took longer than 2 seconds"):
            Store(s3.url).put("/one", b"1")


def test_a_hopeless_request_is_not_sent_again(
    s3: S3, builds: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def disturb(method: str, path: str, number: int) -> int:
        seen.append(path)
        return 403

    with disturbed(s3.base, disturb) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError, match="cannot be written"):
            Store(s3.url).put("/one", b"1")
    assert len(seen) == 1


def test_an_expired_lease_is_renewed(memory: Store, short: None) -> None:
    with Lease(memory) as own_lease:
        before = memory.read(LEASE, MOST)
        time.sleep(1.3)
        own_lease.check()
        assert memory.read(LEASE, MOST) != before
    assert memory.read(LEASE, MOST) is None


def test_a_store_too_slow_for_the_lease_is_reported(
    memory: Store, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Store.replace

    def slow(self: Store, *arguments: object) -> bool:
        time.sleep(0.3)
        return real(self, *arguments)  # type: ignore[arg-type]

    with Lease(memory) as own_lease:
        monkeypatch.setattr(lease, "HELD", 0.2)
        monkeypatch.setattr(Store, "replace", slow)
        own_lease._until = 0
        with pytest.raises(StoreError, match="answers too slowly"):
            own_lease.check()
