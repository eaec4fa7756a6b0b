"""A base URL with a pointer works like any other, and a base URL without a pointer costs no second
request.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.contract.pointer import POINTER, Pointer, parse_pointer
from generator.grammar.paths import INDEX, MANIFEST_ROOT
from generator.reader import location
from generator.reader.answers import ClientError
from generator.reader.location import PointerReader

ONE, TWO = (Pointer(f"{n}-0123abcd", (), n, "0" * 64) for n in (1, 2))


class Host:
    """Files by path, the requested paths, and paths to refuse."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.refused: set[str] = set()

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.asked += paths
        if self.refused & set(paths):
            raise ClientError("403")
        return [self.files.get(path) for path in paths]


@pytest.fixture
def host() -> Host:
    host = Host()
    host.files = {
        POINTER: ONE.encoded(),
        f"{ONE.tree_path}{INDEX}": b"one",
        f"{ONE.tree_path}{MANIFEST_ROOT}": b"root of one",
        f"{TWO.tree_path}{INDEX}": b"two",
        f"{TWO.tree_path}{MANIFEST_ROOT}": b"root of two",
    }
    return host


def test_an_api_without_a_pointer_causes_no_request_for_it(host: Host) -> None:
    host.files[INDEX] = b"itself"
    read = PointerReader(host)
    assert read([INDEX, "/none"]) == [b"itself", None] and read(["/none"]) == [None]
    assert host.asked == [INDEX, "/none", "/none"]


def test_a_pointer_is_requested_once(host: Host) -> None:
    read = PointerReader(host)
    assert read([INDEX]) == [b"one"] and read([INDEX, "/none"]) == [b"one", None]
    assert host.asked.count(POINTER) == 1 and host.asked.count(INDEX) == 1


def test_an_empty_host_gets_one_request_for_a_pointer(host: Host) -> None:
    host.files.clear()
    read = PointerReader(host)
    assert read([INDEX]) == [None] and read([INDEX]) == [None]
    assert host.asked.count(POINTER) == 1


def test_a_bucket_that_sends_403_for_missing_files_is_read(host: Host) -> None:
    host.refused = {INDEX}
    assert PointerReader(host)([INDEX]) == [b"one"]
    host.refused = {INDEX, POINTER}
    with pytest.raises(ClientError, match="403"):
        PointerReader(host)([INDEX])


def test_a_new_version_is_seen_after_a_while_with_a_root_and_when_the_old_one_is_gone(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = {name: PointerReader(host, stay=name == "stays") for name in ("late", "stays", "gone")}
    for read in reads.values():
        assert read([INDEX]) == [b"one"]
    host.files[POINTER] = TWO.encoded()
    for read in reads.values():
        assert read([INDEX]) == [b"one"]
    now = location.time.monotonic()
    monkeypatch.setattr(location.time, "monotonic", lambda: now + 61)
    assert reads["late"]([INDEX]) == [b"two"] and reads["stays"]([INDEX]) == [b"one"]
    assert reads["stays"]([MANIFEST_ROOT, INDEX]) == [b"root of two", b"two"]
    monkeypatch.setattr(location.time, "monotonic", lambda: now)
    del host.files[f"{ONE.tree_path}{INDEX}"]
    assert reads["gone"]([INDEX]) == [b"two"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"\xff",
        b" " * 70_000 + ONE.encoded(),
        ONE.encoded().replace(b"1-0123abcd", b"../../etc"),
        ONE.encoded().replace(b"1-0123abcd", b"1-0123abcd/../.."),
        ONE.encoded().replace(b"1-0123abcd", b"1-0123abcd\\n"),
        ONE.encoded().replace(b"1-0123abcd", b"0-0123abcd"),
        ONE.encoded().replace(b'"former":[]', b'"former":["x"]'),
        ONE.encoded().replace(
            b'"former":[]', b'"former":[' + b'"1-0123abcd",' * 200 + b'"1-0123abcd"]'
        ),
        ONE.encoded().replace(b'"version":1', b'"version":true'),
        ONE.encoded().replace(b'"version":1', b'"version":-1'),
        ONE.encoded().replace(b"00000000", b"zzzzzzzz"),
        ONE.encoded().replace(b'"kind":"pointer"', b'"kind":"index"'),
    ],
    ids=range(14),
)
def test_an_invalid_pointer_is_ignored(host: Host, raw: bytes) -> None:
    assert parse_pointer(ONE.encoded()) == ONE and parse_pointer(raw) is None
    host.files[POINTER] = raw
    assert PointerReader(host)([INDEX]) == [None]
    assert all(path in (INDEX, POINTER) for path in host.asked)
