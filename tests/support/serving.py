"""`registry serve` in its own process, for tests of its answers."""

from __future__ import annotations

import contextlib
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from support import commands

SECONDS = 60


@contextlib.contextmanager
def serving(folder: Path, *options: str, reload: bool = False) -> Iterator[str]:
    """The address that serves the build of `folder/content`; the output is in `folder/out`."""
    where = ("--content", folder / "content", "--out", folder / "out", "--port", "0")
    with open(folder / "said", "wb") as said:
        still = () if reload else ("--no-reload",)
        process = commands.start("serve", *where, *still, *options, stdout=said)
    try:
        end = time.monotonic() + SECONDS
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", (folder / "said").read_text())):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(SECONDS)
