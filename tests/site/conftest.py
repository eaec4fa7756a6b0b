"""A browser, builds served to it, and windows that record every fault of a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support import awkward, commands, registries, shapes
from support import browser as browsers
from support.browser import Visit, Visiting
from support.once import once


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a file."""
    try:
        with browsers.launched() as running:
            yield running
    except LookupError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def built_awkward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of records with awkward slugs. Do not change it."""
    return once(tmp_path_factory, "built-awkward", lambda folder: awkward.build(folder, site=True))


def _site_of(factory: pytest.TempPathFactory, name: str, records: registries.Content) -> Path:
    def make(folder: Path) -> Path:
        content = registries.write(folder / "content", records)
        return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)

    return once(factory, f"site-of-{name}", make)


@pytest.fixture(scope="session")
def conferences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of dates without a project. Do not change it."""
    return _site_of(tmp_path_factory, "conferences", shapes.conferences(120))


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of tools and members without a program or a date. Do not change it."""
    return _site_of(tmp_path_factory, "tools", shapes.tools(100))


@pytest.fixture(scope="module")
def site(built_content: Path) -> Iterator[str]:
    """The origin of content/, served by a host with a query tier."""
    with browsers.served(built_content) as origin:
        yield origin


@pytest.fixture(scope="module")
def plain_site(built_content: Path) -> Iterator[str]:
    """The origin of content/, served by a plain file host."""
    with browsers.served(built_content, plain=True) as origin:
        yield origin


@pytest.fixture(scope="module")
def awkward_site(built_awkward: Path) -> Iterator[str]:
    with browsers.served(built_awkward) as origin:
        yield origin


def _german(folder: Path) -> Path:
    content = Path(shutil.copytree(commands.ROOT / "content", folder / "content"))
    with (content / "registry.yaml").open("a") as file:
        file.write("language: de\n")
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of content/ in German."""
    with browsers.served(once(tmp_path_factory, "german", _german)) as origin:
        yield origin


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visiting]:
    """Open a window on a site: `visit(origin, dark=…, phone=…, scripts=…, timezone=…, locale=…)`.

    At the end of the test every window is closed. It must have had no fault: no error or warning in
    the console, no failed request, no request to another host, no violation of the policy, no
    dialog.
    """
    opened: list[Visit] = []

    def visiting(
        origin: str,
        *,
        dark: bool = False,
        phone: bool = False,
        scripts: bool = True,
        timezone: str = "Europe/Berlin",
        locale: str = "en-GB",
        **options: object,
    ) -> Visit:
        window = Visit(
            browser,
            origin,
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            timezone_id=timezone,
            locale=locale,
            **{**(browsers.PHONE if phone else {}), **options},
        )
        opened.append(window)
        return window

    yield visiting
    for window in opened:
        window.close()
    assert [fault for window in opened for fault in window.faults] == []
