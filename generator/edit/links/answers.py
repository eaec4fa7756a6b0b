"""The answers of addresses with their times, in the user's cache folder."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import orjson

from generator.edit.links.asking import Answer
from generator.reader.etags import CachedAnswer, Etags


class Answers:
    """Answers by address, each saved when it is put.  No method raises."""

    def __init__(self, folder: Path):
        self._files = Etags(folder)

    def get(self, url: str, seconds: float) -> Answer | None:
        """The answer of an address, if it was asked in the last `seconds`."""
        cached = self._files.get(url)
        with contextlib.suppress(ValueError, TypeError):  # of another version
            answer = Answer(**orjson.loads(cached.body)) if cached else None
            if answer and 0 <= time.time() - answer.asked_at < seconds:
                return answer
        return None

    def put(self, url: str, answer: Answer) -> None:
        if answer.code not in ("offline", "wait"):  # they say nothing about the address
            self._files.put(url, CachedAnswer("", orjson.dumps(answer._asdict())))
