"""A real browser, Debian's Chromium, on a build from a local server; it reports a page's errors,
foreign requests and policy violations.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
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
  tellViolation(`${event.violatedDirective}: ${event.blockedURI || event.sourceFile}`))"""


def executable() -> str | None:
    """The path of Chromium, or None; the environment variable CHROMIUM overrides it."""
    asked = os.environ.get("CHROMIUM")
    names = (asked,) if asked else ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@contextlib.contextmanager
def launched() -> Iterator[Browser]:
    """Headless Chromium.  Raises LookupError if Chromium is not installed."""
    program = executable()
    if program is None:
        raise LookupError(
            "There is no Chromium on this machine. As root, on Debian or Ubuntu: "
            "apt-get install chromium fonts-liberation"
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
        command, env=commands.environment(), stdout=subprocess.PIPE, text=True, stderr=sys.stderr
    )
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.terminate()
        server.communicate(timeout=60)


class Visit:
    """A browser window with one page; `faults` has a line for each fault."""

    def __init__(self, browser: Browser, origin: str, **options: Any):
        self.origin = origin
        self.faults: list[str] = []
        self.context: BrowserContext = browser.new_context(
            **{"base_url": origin, "reduced_motion": "reduce", **DESKTOP, **options}
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.expose_function("tellViolation", lambda what: self._fault("policy", what))
        self.context.add_init_script(_TELL)
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self._fault("error", str(error.error)))
        self.context.on("dialog", self._dialog)
        self.context.on("request", self._request)
        self.context.on("requestfailed", self._failed)
        self.page: Page = self.context.new_page()

    def go(self, path: str, until: Literal["networkidle", "load"] = "networkidle") -> Page:
        """Open a page of the site and wait until the network is idle, or until the page and the
        element named are there.
        """
        self.page.goto(self.origin + path, wait_until=until)
        return self.page

    def close(self) -> None:
        self.context.close()

    def _fault(self, kind: str, what: str) -> None:
        self.faults.append(f"{kind} at {self.page.url}: {what}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._fault(message.type, f"{message.text} ({message.location['url']})")

    def _dialog(self, dialog: Any) -> None:
        self._fault("dialog", dialog.message)
        dialog.dismiss()

    def _failed(self, asked: Any) -> None:
        # An aborted fetch of a script is not a fault.
        if asked.failure != "net::ERR_ABORTED":
            self._fault("failed", f"{asked.url}: {asked.failure}")

    def _request(self, asked: Any) -> None:
        if not asked.url.startswith((f"{self.origin}/", "data:", "blob:", "about:")):
            self._fault("asked another host", asked.url)


#: Opens a window on the site at an origin (the fixture `visit`).
Visiting = Callable[..., Visit]
