"""The answers of addresses with their times, in the user's cache folder."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from pathlib import Path

from generator.edit.links.asking import Answer

_KEPT = 400 * 86_400  # seconds


class Answers:
    """Answers by address, each saved when it is put.  Without a usable file they are in memory."""

    def __init__(self, path: Path | None):
        for place in [path, path, None] if path else [None]:
            with contextlib.suppress(OSError, sqlite3.Error):
                if place is not None:
                    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._base = sqlite3.connect(place or ":memory:", timeout=10, isolation_level=None)
                self._base.execute("create table if not exists answers (url primary key, at, data)")
                self._base.execute("delete from answers where at < ?", (time.time() - _KEPT,))
                return
            with contextlib.suppress(OSError):
                os.unlink(place or "")  # damaged

    def get(self, url: str, seconds: float) -> Answer | None:
        """The answer of an address, if it was asked in the last `seconds`."""
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
            row = self._base.execute("select data from answers where url = ?", (url,)).fetchone()
            answer = Answer(*json.loads(row[0]))
            types = [type(value) for value in answer[:4]]
            if types == [str, str, str, float] and 0 <= time.time() - answer.asked_at < seconds:
                return answer
        return None

    def put(self, url: str, answer: Answer) -> None:
        if answer.code not in ("offline", "wait"):  # they say nothing about the address
            row = (url, answer.asked_at, json.dumps(answer))
            with contextlib.suppress(sqlite3.Error):
                self._base.execute("insert or replace into answers values (?, ?, ?)", row)
