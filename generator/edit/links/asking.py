"""Asks addresses politely: one request at a time to a host, with pauses, as robots.txt allows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from generator.edit.links import request, robots
from generator.edit.links.request import Failed, Response, ascii_url, is_public
from generator.reader.remote import status_text

_MAX_REDIRECTS = 8
_MAX_ROBOTS = 500 << 10  # bytes that are read (RFC 9309, section 2.5)
_MAX_WAIT = 30.0  # seconds; a host that asks for a longer pause is not asked again
_THREADS = 16  # hosts that are asked at once
_PERMANENT = (301, 308)
#: The only statuses that say that a page is gone; others may be meant for programs alone.
_GONE = (404, 410)
#: Failures that say nothing about the page; others say that people cannot read it either.
_NO_VERDICT = ("timeout", "cut", "offline", "robots", "wait", "redirects")


class Answer(NamedTuple):
    """What an address answered: `verdict` is ok, broken or unknown.

    `code` is for programs, `detail` for people: a predicate of the address.  `moved_to` is the new
    address after permanent redirects.  `asked_at` is in seconds since 1970.
    """

    verdict: str
    code: str
    detail: str
    asked_at: float
    status: int | None = None
    moved_to: str | None = None


class _Host:
    """The time of the next request to a host, and its rules by the URL of their robots.txt."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.free_at = 0.0
        self.rules: dict[str, robots.Rules | Failed] = {}


class Asker:
    """Asks addresses from several threads.  `delay` and `seconds` are those of one request."""

    def __init__(
        self,
        *,
        is_allowed: Callable[[str], bool] = is_public,
        delay: float = 1.0,
        seconds: float = 20.0,
    ):
        self._is_allowed, self._delay, self._seconds = is_allowed, delay, seconds
        self._hosts: dict[str | None, _Host] = {}
        self._lock = threading.Lock()
        self.stopped = threading.Event()

    def ask(self, url: str) -> Answer:
        """The answer of one address, after redirects."""
        try:
            status, moved_to = self._follow(url)
        except Failed as failed:
            verdict = "unknown" if failed.code in _NO_VERDICT else "broken"
            return Answer(verdict, failed.code, str(failed), time.time())
        if not 200 <= status < 300:
            verdict = "broken" if status in _GONE else "unknown"
            return Answer(verdict, "status", f"answers {status_text(status)}", time.time(), status)
        if moved_to:
            detail = f"has moved to {moved_to}"
            return Answer("ok", "moved", detail, time.time(), status, moved_to)
        return Answer("ok", "ok", "answers", time.time(), status)

    def _follow(self, url: str) -> tuple[int, str | None]:
        """The last status, and the address to which permanent redirects lead from the first.
        Raises Failed.
        """
        moved_to, is_permanent, seen = None, True, [ascii_url(url)]
        while len(seen) <= _MAX_REDIRECTS + 1:
            try:
                answer = self._visit(seen[-1])
            except Failed as failed:
                where = f"redirects to {seen[-1]}, which " if len(seen) > 1 else ""
                raise Failed(failed.code, f"{where}{failed}") from failed
            if not answer.location:
                return answer.status, moved_to
            target = _target(seen[-1], answer.location)
            if target in seen:
                raise Failed("redirects", "redirects in a circle, at least without cookies")
            seen.append(target)
            is_permanent = is_permanent and answer.status in _PERMANENT
            moved_to = target if is_permanent else moved_to
        raise Failed("redirects", f"redirects more than {_MAX_REDIRECTS} times")

    def _visit(self, url: str) -> Response:
        """The answer to HEAD, or to GET if the host refused or cut HEAD.  Raises Failed."""
        with self._lock:
            host = self._hosts.setdefault(urlsplit(url).hostname, _Host())
        with host.lock:
            rules = self._rules(host, urljoin(url, "/robots.txt"))
            if not robots.is_allowed(rules, request.path_and_query(url)):
                raise Failed("robots", "is not asked, because robots.txt forbids it")
            try:
                answer = self._send(host, "HEAD", url)
                if answer.status < 400 or answer.status == 429:
                    return answer
            except Failed as failed:
                if failed.code != "cut":
                    raise
            return self._send(host, "GET", url)

    def _rules(self, host: _Host, url: str) -> robots.Rules:
        """The rules of a robots.txt, asked once.  Raises Failed if they cannot be known."""
        if url not in host.rules:
            try:
                host.rules[url] = robots.parse(self._read_robots(host, url))
            except Failed as failed:
                host.rules[url] = failed
        rules = host.rules[url]
        if isinstance(rules, Failed):
            raise Failed(rules.code, str(rules))
        return rules

    def _read_robots(self, host: _Host, url: str) -> str:
        """The text of robots.txt, "" if the host has none."""
        answer = self._send(host, "GET", url, _MAX_ROBOTS)
        for _ in range(_MAX_REDIRECTS):
            if not answer.location:
                break
            try:
                url = _target(url, answer.location)
                answer = self._send(host, "GET", url, _MAX_ROBOTS)
            except Failed as failed:
                raise Failed("robots", f"has a robots.txt that {failed}") from failed
        if answer.status >= 500 or answer.status == 429:
            raise Failed("robots", f"has a robots.txt that answers {status_text(answer.status)}")
        return answer.body.decode("utf-8-sig", "replace") if answer.status == 200 else ""

    def _send(self, host: _Host, method: str, url: str, most: int = 0) -> Response:
        """The answer to one request; to a second one if the host asks for a short pause."""
        answer = self._send_once(host, method, url, most)
        if answer.pause is not None and answer.pause <= _MAX_WAIT:
            return self._send_once(host, method, url, most)
        return answer

    def _send_once(self, host: _Host, method: str, url: str, most: int) -> Response:
        """The answer to one request, after the pause of the host."""
        wait = max(0.0, host.free_at - time.monotonic())
        if wait > _MAX_WAIT:
            raise Failed("wait", "is not asked now: the host asks for a pause")
        if self.stopped.wait(wait):
            raise Failed("offline", "was not asked")
        try:
            answer = request.send(method, url, self._seconds, self._is_allowed, most)
        finally:
            host.free_at = time.monotonic() + self._delay
        host.free_at += answer.pause or 0.0
        return answer


def ask_all(urls: Iterable[str], asker: Asker, seconds: float) -> Iterator[tuple[str, Answer]]:
    """The answers of different addresses as they come, for at most `seconds`.

    Hosts are asked at once, the addresses of a host one after the other.  Threads are abandoned at
    the end, so a host that does not answer holds nothing up.
    """
    hosts: dict[str, list[str]] = {}
    for url in urls:
        hosts.setdefault(url.split("/")[2].lower(), []).append(url)
    waiting: SimpleQueue[list[str]] = SimpleQueue()
    answers: SimpleQueue[tuple[str, Answer] | Exception] = SimpleQueue()
    for group in sorted(hosts.values(), key=len, reverse=True):
        waiting.put(group)

    def work() -> None:
        try:
            while not asker.stopped.is_set():
                for url in waiting.get_nowait():
                    answers.put((url, asker.ask(url)))
        except Empty:
            pass
        except Exception as error:
            answers.put(error)

    for _ in range(min(_THREADS, len(hosts))):
        threading.Thread(target=work, daemon=True).start()
    deadline = time.monotonic() + seconds
    try:
        for _ in range(sum(map(len, hosts.values()))):
            found = answers.get(timeout=max(0.0, deadline - time.monotonic()))
            if isinstance(found, Exception):
                raise found
            yield found
    except Empty:
        pass
    finally:
        asker.stopped.set()


def _target(url: str, location: str) -> str:
    """The target of a redirect.  Raises Failed."""
    try:
        return ascii_url(urljoin(url, location))
    except (Failed, ValueError) as error:
        raise Failed("address", "redirects to what is not an http or https address") from error
