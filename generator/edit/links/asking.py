"""Asks addresses politely: one request at a time to a host, with pauses, as robots.txt allows.

Addresses are grouped by host.  A thread asks the addresses of a host one after the other: each is
followed through its redirects to an `Answer`, which the user's cache folder keeps.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import orjson

from generator.edit.links.request import Failed, Response, ascii_url, redirect_target, send
from generator.reader.etags import CachedAnswer, Etags, default_cache_folder
from generator.reader.remote import status_text

#: The product token that robots.txt may name.
_AGENT = "registry-generator"
_DELAY = 1.0  # seconds between two requests to a host
_SECONDS = 45 * 60.0  # for all addresses
_MAX_REDIRECTS = 8
_MAX_ROBOTS = 500 << 10  # bytes that are read (RFC 9309, section 2.5)
_THREADS = 16  # hosts that are asked at once
_PERMANENT = (301, 308)
#: The only statuses that say that a page is gone; others may be meant for programs alone.
_GONE = (404, 410)
#: Failures that say nothing about the page; others say that people cannot read it either.
_NO_VERDICT = ("timeout", "cut", "offline", "robots", "wait", "redirects")


class Answer(NamedTuple):
    """What an address answered: `verdict` is ok, broken or unknown.

    `code` is for programs, `detail` for people: a predicate of the address.  `moved_to` is the new
    address after permanent redirects.  `asked_at` is a time in UTC, like 2026-11-23T12:00:00+00:00.
    """

    verdict: str
    code: str
    detail: str
    asked_at: str
    status: int | None = None
    moved_to: str | None = None


class _Host:
    """Sends the requests to a host.  `rules` has the rules by the URL of their robots.txt."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.free_at = 0.0
        self.is_busy = False
        self.rules: dict[str, RobotFileParser | Failed] = {}

    def visit(self, url: str) -> Response:
        """The answer to HEAD, or to GET if the host refused or cut HEAD.  Raises Failed."""
        with self.lock:
            robots = urljoin(url, "/robots.txt")
            if robots not in self.rules:
                self.rules[robots] = self._read_rules(robots)
            rules = self.rules[robots]
            if isinstance(rules, Failed):
                raise rules
            if not rules.can_fetch(_AGENT, url):
                raise Failed("robots", "is not asked, because robots.txt forbids it")
            try:
                answer = self._send("HEAD", url)
                if answer.status < 400 or answer.status == 429:
                    return answer
            except Failed as failed:
                if failed.code != "cut":
                    raise
            return self._send("GET", url)

    def _read_rules(self, url: str) -> RobotFileParser | Failed:
        """The rules of a robots.txt; Failed if they cannot be known."""
        rules = RobotFileParser()
        try:
            answer = self._send("GET", url, _MAX_ROBOTS)
        except Failed as failed:
            return failed
        try:
            for _ in range(_MAX_REDIRECTS):
                if answer.location:
                    url = redirect_target(url, answer.location)
                    answer = self._send("GET", url, _MAX_ROBOTS)
            if answer.status >= 500 or answer.status == 429:
                raise Failed("robots", f"answers {status_text(answer.status)}")
            text = answer.body.decode("utf-8-sig", "replace") if answer.status == 200 else ""
            rules.parse(text.splitlines())
            return rules
        except Failed as failed:
            return Failed("robots", f"has a robots.txt that {failed}")
        except ValueError:
            return Failed("robots", "has a robots.txt that is not valid")

    def _send(self, method: str, url: str, most: int = 0) -> Response:
        """The answer to one request, after a pause.  Raises Failed."""
        if self.is_busy:
            raise Failed("wait", "is not asked now: the host asks for a pause")
        time.sleep(max(0.0, self.free_at - time.monotonic()))
        try:
            answer = send(method, url, most)
        finally:
            self.free_at = time.monotonic() + _DELAY
        self.is_busy = answer.status == 429
        return answer


def ask(url: str, hosts: dict[str | None, _Host]) -> Answer:
    """The answer of one address, after redirects; `hosts` keeps what is known of hosts by name."""
    status = moved_to = None
    try:
        status, moved_to = _follow(url, hosts)
        verdict = "ok" if 200 <= status < 300 else "broken" if status in _GONE else "unknown"
        code, detail = "status", f"answers {status_text(status)}"
    except Failed as failed:
        verdict = "unknown" if failed.code in _NO_VERDICT else "broken"
        code, detail = failed.code, str(failed)
    if verdict != "ok":
        moved_to = None
    else:
        code, detail = ("moved", f"has moved to {moved_to}") if moved_to else ("ok", "answers")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Answer(verdict, code, detail, now, status, moved_to)


def _follow(url: str, hosts: dict[str | None, _Host]) -> tuple[int, str | None]:
    """The last status, and the address to which permanent redirects lead from the first.
    Raises Failed.
    """
    moved_to, seen = None, [ascii_url(url)]
    while len(seen) <= _MAX_REDIRECTS + 1:
        host = hosts.setdefault(urlsplit(seen[-1]).hostname, _Host())
        try:
            answer = host.visit(seen[-1])
        except Failed as failed:
            where = f"redirects to {seen[-1]}, which " if len(seen) > 1 else ""
            raise Failed(failed.code, f"{where}{failed}") from failed
        if not answer.location:
            return answer.status, moved_to
        target = redirect_target(seen[-1], answer.location)
        if target in seen:
            raise Failed("redirects", "redirects in a circle, at least without cookies")
        if answer.status in _PERMANENT and seen[-1] in (seen[0], moved_to):
            moved_to = target
        seen.append(target)
    raise Failed("redirects", f"redirects more than {_MAX_REDIRECTS} times")


def ask_all(
    urls: Sequence[str], older: timedelta, progress: Callable[[str, int, int], None]
) -> dict[str, Answer]:
    """The answers of different addresses: those in the cache that are not `older`, else new ones.
    Addresses not asked in time are missing.

    Threads are abandoned at the end, so a host that does not answer holds nothing up.
    """
    cache = Etags(Path(default_cache_folder() or os.devnull, "links"))
    found = {url: known for url in urls if (known := read_answer(cache, url, older))}
    groups: dict[str, list[str]] = {}
    for url in urls:
        if url not in found:
            groups.setdefault(url.split("/")[2].lower(), []).append(url)
    hosts: dict[str | None, _Host] = {}

    def ask_group(group: list[str]) -> None:
        for url in group:
            answer = found[url] = ask(url, hosts)
            if answer.code not in ("offline", "wait"):  # they say nothing about the address
                cache.put(url, CachedAnswer("", orjson.dumps(answer._asdict())))

    deadline = time.monotonic() + _SECONDS
    with ThreadPool(_THREADS) as pool:
        asked = pool.map_async(ask_group, sorted(groups.values(), key=len, reverse=True), 1)
        while not asked.ready() and time.monotonic() < deadline:
            asked.wait(0.1)
            progress("links", len(found), len(urls))
        if asked.ready():
            asked.get()  # raises what a thread raised
    return {url: found[url] for url in urls if url in found}


def read_answer(cache: Etags, url: str, older: timedelta) -> Answer | None:
    """The answer of an address in the cache, if it is not `older`."""
    cached = cache.get(url)
    with contextlib.suppress(ValueError, TypeError):  # of another version
        answer = Answer(**orjson.loads(cached.body)) if cached else None
        if answer:
            age = datetime.now(UTC) - datetime.fromisoformat(answer.asked_at)
            return answer if timedelta(0) <= age < older else None
    return None
