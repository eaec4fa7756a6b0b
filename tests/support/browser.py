"""A real browser, Debian's Chromium, on a build from a local server; it reports a page's errors,
foreign requests and policy violations.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

from support import commands

#: Switch off Chromium's own network requests; `--no-sandbox` because root has no sandbox.
_OPTIONS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

#: Milliseconds before a test fails, long enough for a busy machine.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

#: Viewport and input of a phone and of a desktop.
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}

_TELL = """document.addEventListener("securitypolicyviolation", event =>
  tellViolation(`${event.violatedDirective}: ${event.blockedURI || event.sourceFile}`))
{
  const idle = requestIdleCallback.bind(window)  // also where a test has a clock of its own
  window.untilIdle = () => new Promise(
    done => idle(() => idle(done, { timeout: 500 }), { timeout: 500 }))
}"""


def executable() -> str | None:
    """The path of Chromium, or None; the environment variable CHROMIUM overrides it.

    Debian's chromium-headless-shell is the same engine without windows, and takes less time.
    """
    asked = os.environ.get("CHROMIUM")
    known = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    names = (asked,) if asked else known
    return next(filter(None, map(shutil.which, names)), None)


@contextlib.contextmanager
def launched() -> Iterator[Browser]:
    """Headless Chromium.  Raises LookupError if Chromium is not installed."""
    program = executable()
    if program is None:
        raise LookupError(
            "There is no Chromium on this machine. As root, on Debian or Ubuntu: "
            "apt-get install chromium-headless-shell fonts-liberation"
        )
    root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=[*_OPTIONS, *root])
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def served(out: Path, *, plain: bool = False) -> Iterator[str]:
    """The origin that serves a build: like a host with a query tier, or `plain`."""
    command = [*commands.program("hosted"), str(out), *(["plain"] if plain else [])]
    server = subprocess.Popen(
        command, env=commands.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, stderr=sys.stderr,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.communicate(timeout=60)


def _answer_quietly(asked: Route) -> None:
    asked.fulfill(body="<!doctype html><link rel=icon href=data:,>", content_type="text/html")


#: Forgets what a site has stored, and tells whether the clock is the real one, not Playwright's.
_FORGET = "() => { localStorage.clear(); return !('__pwClock' in globalThis) }"


class Visit:
    """A browser window with one page; `faults` has a line for each fault."""

    def __init__(self, browser: Browser, origin: str, **options: Any):
        self.origin = origin
        self.faults: list[str] = []
        self._context: BrowserContext = browser.new_context(
            **{"base_url": origin, "reduced_motion": "reduce", **DESKTOP, **options}
        )
        self._changed = False
        self._context.set_default_timeout(PATIENCE)
        self._context.expose_function("tellViolation", lambda what: self._fault("policy", what))
        self._context.add_init_script(_TELL)
        self._context.on("console", self._console)
        self._context.on("weberror", lambda error: self._fault("error", str(error.error)))
        self._context.on("dialog", self._dialog)
        self._pending: set[Request] = set()
        self._scripts = options.get("java_script_enabled", True)
        self._context.on("request", self._request)
        self._context.on("requestfinished", lambda asked: self._pending.discard(asked))
        self._context.on("requestfailed", self._failed)
        self._quiet: Page | None = None
        self.page: Page = self._context.new_page()

    @property
    def context(self) -> BrowserContext:
        """The browser context, for tests that change it."""
        self._changed = True
        return self._context

    def leave(self) -> bool:
        """Close the page and forget what it stored; whether the window can be used again.

        A quiet page of the site stays open, which keeps the process of its pages: a new process
        for each test would take most of the time.
        """
        if self._changed:
            return False
        if self._quiet is None:
            self._quiet = self._context.new_page()
            self._quiet.route("**", _answer_quietly)
            self._quiet.goto(f"{self.origin}/", wait_until="commit")
        for page in self._context.pages:
            if page is not self._quiet:
                page.close()
        return bool(self._quiet.evaluate(_FORGET))

    def again(self) -> Visit:
        """The window for another test, with a new page."""
        self.faults.clear()
        self.page = self._context.new_page()
        return self

    def go(self, path: str, until: Literal["idle", "load"] = "idle") -> Page:
        """Open a page of the site and wait until it and its files are there, and until its scripts
        have nothing to do and wait for no answer.
        """
        self._pending.clear()
        self.page.goto(self.origin + path, wait_until="load")
        if until == "idle" and self._scripts:
            self._settle()
        return self.page

    def _settle(self) -> None:
        """Wait until the page is idle twice, without a request meanwhile."""
        end, quiet = time.monotonic() + PATIENCE / 1000, 0
        while quiet < 2 and time.monotonic() < end:
            with contextlib.suppress(Error):  # another page is there, to which a script led
                self.page.evaluate("untilIdle()")
            quiet = 0 if self._pending else quiet + 1

    def close(self) -> None:
        self._context.close()

    def _fault(self, kind: str, what: str) -> None:
        self.faults.append(f"{kind} at {self.page.url}: {what}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._fault(message.type, f"{message.text} ({message.location['url']})")

    def _dialog(self, dialog: Any) -> None:
        self._fault("dialog", dialog.message)
        dialog.dismiss()

    def _failed(self, asked: Any) -> None:
        self._pending.discard(asked)
        # An aborted fetch of a script is not a fault.
        if asked.failure != "net::ERR_ABORTED":
            self._fault("failed", f"{asked.url}: {asked.failure}")

    def _request(self, asked: Any) -> None:
        self._pending.add(asked)
        if not asked.url.startswith((f"{self.origin}/", "data:", "blob:", "about:")):
            self._fault("asked another host", asked.url)


class Windows:
    """The windows of a browser.  Tests that follow each other use the same ones."""

    #: Windows kept for another test.
    MOST = 4

    def __init__(self, browser: Browser):
        self.browser = browser
        self._left: dict[Visit, object] = {}  # the last one left is the last

    def visit(self, origin: str, **options: Any) -> tuple[Visit, object]:
        """A window and its kind: its origin and options."""
        kind = (origin, repr(sorted(options.items())))
        for window, of in reversed(self._left.items()):
            if of == kind:
                del self._left[window]
                return window.again(), kind
        return Visit(self.browser, origin, **options), kind

    def leave(self, window: Visit, kind: object) -> None:
        if not window.leave():
            window.close()
            return
        self._left[window] = kind
        if len(self._left) > self.MOST:
            oldest = next(iter(self._left))
            del self._left[oldest]
            oldest.close()


#: Opens a window on the site at an origin (the fixture `visit`).
Visiting = Callable[..., Visit]
