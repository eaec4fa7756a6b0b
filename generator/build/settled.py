"""Which folders need not be listed: those that are the very ones they were when they were last
listed, with the same time of their last change.

Whatever is added to a folder, removed from it or renamed in it gives the folder another time of
change, and nobody can set that back.  What is written into a file does not, so files are always
looked at.  Imports nothing heavy: a build that finds nothing to do has imported little more.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from generator.build.inventory import RACY, packed, unpacked
from generator.build.plain import LogDamaged

#: Of the folders of the content, and of those of the output: path -> stamp.
Settled = tuple[dict[str, bytes], dict[str, bytes]]
#: Bytes of a stamp: time of change in ns, inode and device, 64 bits each.
STAMP, _DEVICE = 24, 16


def settles(stamp: bytes, began: int) -> bool:
    """Whether a folder that was stamped by a look, which began at `began` (ns), cannot change again
    in the same moment; it is not sure where moments are seconds.
    """
    changed = unpacked(stamp)[0] if stamp else began
    return changed < began - RACY and changed % 1_000_000_000 != 0


def proved(log: Path, known: Settled, fresh: Settled) -> Settled:
    """The fresh stamps that the next look may rely on: where any is new, those of the file system
    of the log's folder, if that is seen to tell the time of a change by this machine's clock.
    """
    if all(now.items() <= was.items() for was, now in zip(known, fresh, strict=True)):
        return fresh
    device = _telling_time(log)
    inputs, outputs = (
        {folder: stamp for folder, stamp in of.items() if stamp[_DEVICE:] == device} for of in fresh
    )
    return inputs, outputs


def _telling_time(folder: Path) -> bytes | None:
    """The device of a folder, as a stamp has it, if a new file gives the folder the time of now."""
    began, probe = time.time_ns(), folder / f"probe.{os.getpid()}"
    try:
        before = os.stat(folder)
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
        after = os.stat(folder)
        os.unlink(probe)
    except OSError:
        return None
    now = after.st_ctime_ns
    right = now != before.st_ctime_ns and began - RACY <= now <= time.time_ns() + RACY
    return packed((after.st_dev,)) if right else None


def joined_settled(settled: Settled) -> list[bytes]:
    """As byte strings of a log's part."""
    return [
        joined
        for of in settled
        for joined in ("\0".join(of).encode("utf-8", "surrogateescape"), b"".join(of.values()))
    ]


def parted_settled(packed: list[bytes]) -> Settled:
    """What `joined_settled` joined.  Raises LogDamaged."""
    if len(packed) != 4:
        raise LogDamaged
    inputs, outputs = (_parted(*packed[i : i + 2]) for i in (0, 2))
    return inputs, outputs


def _parted(paths: bytes, stamps: bytes) -> dict[str, bytes]:
    folders = paths.decode("utf-8", "surrogateescape").split("\0") if stamps else []
    if len(stamps) != STAMP * len(folders) or (paths and not stamps):
        raise LogDamaged
    return {folder: stamps[i * STAMP : (i + 1) * STAMP] for i, folder in enumerate(folders)}
