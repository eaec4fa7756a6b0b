"""Asks addresses in batches, and keeps the answers in the user's cache folder."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import orjson

from generator.features.links.lychee import LinkAnswer, LycheeError, ask, find_lychee
from generator.model.checks.addresses import is_public_place
from generator.reader.etags import CachedAnswer, Etags, default_cache_folder

_SECONDS = 45 * 60.0  # for all addresses
_BATCH = 250  # addresses that are lost if lychee fails


class LinksAsked(NamedTuple):
    """The answers by address, without addresses not asked in time; `failure` is the first message
    about a batch for which lychee failed, whose addresses have no answers either.
    """

    answers: dict[str, LinkAnswer]
    failure: str


def ask_all(
    urls: Sequence[str], older: timedelta, progress: Callable[[str, int, int], None]
) -> LinksAsked:
    """The answers of different addresses: those in the cache that are not `older`, else new ones.
    Raises LycheeError if lychee is not there.
    """
    cache = Etags(Path(default_cache_folder() or os.devnull, "links"))
    found = {url: known for url in urls if (known := read_answer(cache, url, older))}
    now, detail = datetime.now(UTC).isoformat(timespec="seconds"), "leads into a private network"
    for url in urls:
        if not is_public_place(url.split("/", 3)[2]):
            found[url] = LinkAnswer("broken", "private", f"{detail}, which is not asked", now)
    left = [url for url in urls if url not in found]
    lychee = find_lychee() if left else ""
    failures, deadline = [], time.monotonic() + _SECONDS
    for batch in _batches(left):
        progress("links", len(found), len(urls))
        if (seconds := deadline - time.monotonic()) <= 0:
            break
        try:
            answers = ask(lychee, batch, seconds)
        except LycheeError as error:
            failures.append(str(error))
            continue
        found |= answers
        for url, answer in answers.items():
            if answer.code != "error":  # which may be an error of this machine
                cache.put(url, CachedAnswer("", orjson.dumps(answer._asdict())))
    return LinksAsked({url: found[url] for url in urls if url in found}, next(iter(failures), ""))


def _batches(urls: Iterable[str]) -> Iterator[list[str]]:
    """The addresses of each host in turn, so that few batches wait for a host with many."""
    turns: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for url in urls:
        host = url.split("/", 3)[2].lower()
        turns[url] = seen[host]
        seen[host] += 1
    ordered = sorted(turns, key=turns.__getitem__)
    for start in range(0, len(ordered), _BATCH):
        yield ordered[start : start + _BATCH]


def read_answer(cache: Etags, url: str, older: timedelta) -> LinkAnswer | None:
    """The answer of an address in the cache, if it is not `older`."""
    cached = cache.get(url)
    with contextlib.suppress(ValueError, TypeError):  # of another version
        answer = LinkAnswer(**orjson.loads(cached.body)) if cached else None
        if answer:
            age = datetime.now(UTC) - datetime.fromisoformat(answer.asked_at)
            return answer if timedelta(0) <= age < older else None
    return None
