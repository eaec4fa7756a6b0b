"""Which folders need not be listed: only those of which a later change would be seen."""

import os
import time
from pathlib import Path

import pytest

from generator.build import settled
from generator.build.inventory import RACY, packed
from generator.build.plain import LogDamaged
from generator.build.settled import STAMP, joined_settled, parted_settled, proved, settles

NOW = 1_800_000_000_123_456_789


@pytest.mark.parametrize(
    ("changed", "sure"),
    [
        (NOW - RACY - 1, True),
        (NOW - RACY, False),
        (NOW, False),
        (NOW + 10**12, False),  # the clock was set back since
        (NOW // 10**9 * 10**9 - 10**12, False),  # the file system keeps whole seconds
    ],
)
def test_a_folder_that_could_change_again_in_the_same_moment_is_not_settled(
    changed: int, sure: bool
) -> None:
    assert settles(packed((changed, 1, 1)), NOW) is sure


def test_what_is_no_folder_is_not_settled() -> None:
    assert not settles(b"", NOW)


def stamp(path: Path, device: int | None = None) -> bytes:
    stat = path.stat()
    return packed((stat.st_ctime_ns, stat.st_ino, device or stat.st_dev))


def test_only_a_file_system_that_tells_times_of_folders_is_relied_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = {"a": stamp(tmp_path), "elsewhere": stamp(tmp_path, 7)}, {"b": stamp(tmp_path)}
    time.sleep(0.05)
    kept = {"a": fresh[0]["a"]}, fresh[1]
    assert proved(tmp_path, ({}, {}), fresh) == kept
    assert not list(tmp_path.iterdir())
    # What was known before is not asked for again.
    assert proved(tmp_path / "none", fresh, kept) == kept
    assert proved(tmp_path / "none", ({}, {}), fresh) == ({}, {})
    # A folder whose time stays, and clocks that are apart.
    stays, clock = tmp_path.stat(), time.time_ns
    monkeypatch.setattr(os, "stat", lambda path: stays)
    assert proved(tmp_path, ({}, {}), fresh) == ({}, {})
    monkeypatch.undo()
    time.sleep(0.05)
    for apart in (-(10**9), 10**9):
        monkeypatch.setattr(settled.time, "time_ns", lambda ahead=apart: clock() + ahead)
        assert proved(tmp_path, ({}, {}), fresh) == ({}, {})
        monkeypatch.undo()


def test_stamps_are_kept() -> None:
    some = {"": bytes(STAMP), "a/\udcff": b"x" * STAMP}, {"ö": b"y" * STAMP}
    assert parted_settled(joined_settled(some)) == some
    assert parted_settled(joined_settled(({}, {}))) == ({}, {})


@pytest.mark.parametrize(
    "packed",
    [
        [],
        [b"", b"", b""],
        [b"", b"x", b"", b""],
        [b"a", b"", b"", b""],
        [b"", b"", b"a\0b", b"x" * 24],
    ],
)
def test_what_are_no_stamps_is_a_damaged_log(packed: list[bytes]) -> None:
    with pytest.raises(LogDamaged):
        parted_settled(packed)
