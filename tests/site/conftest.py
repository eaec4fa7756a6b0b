"""A browser, builds served to it, and windows that record every fault of a page."""

from __future__ import annotations

import contextlib
import functools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support import awkward, commands, logos, registries, shapes
from support import browser as browsers
from support.browser import Visit, Visiting, Windows
from support.once import once

HERE = Path(__file__).parent


_open = contextlib.ExitStack()


@functools.cache
def _windows() -> Windows:
    return Windows(_open.enter_context(browsers.launched()))


def _close() -> None:
    _windows.cache_clear()
    _open.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close Chromium before tests of other folders: asyncio does not run beside it."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path.parent != HERE:
            _close()


@pytest.fixture(scope="session")
def _closed() -> Iterator[None]:
    """Close Chromium also if the tests are interrupted."""
    yield
    _close()


@pytest.fixture
def windows(_closed: None) -> Windows:
    """The windows of one Chromium for all tests of this folder that follow each other."""
    try:
        return _windows()
    except LookupError as error:
        commands.lacking(str(error))


@pytest.fixture
def browser(windows: Windows) -> Browser:
    return windows.browser


@pytest.fixture(scope="session")
def built_awkward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of records with awkward slugs. Do not change it."""
    return once(tmp_path_factory, "built-awkward", lambda folder: awkward.build(folder, site=True))


def _site_of(
    factory: pytest.TempPathFactory, name: str, records: registries.Content, *, logo: bool = False
) -> Path:
    def make(folder: Path) -> Path:
        content = registries.write(folder / "content", records)
        if logo:
            logos.add_logos(content)
        return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)

    return once(factory, f"site-of-{name}", make)


@pytest.fixture(scope="session")
def conferences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of dates without a project. Do not change it."""
    return _site_of(tmp_path_factory, "conferences", shapes.conferences(120))


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of tools and members, some with logos, without a program or a date. Do not change
    it.
    """
    return _site_of(tmp_path_factory, "tools", shapes.tools(100), logo=True)


@pytest.fixture(scope="session")
def tools_site(tools: Path) -> Iterator[str]:
    with browsers.served(tools) as origin:
        yield origin


@pytest.fixture(scope="session")
def projects_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of a registry of projects alone."""
    records = shapes.alone(shapes.tools(30), "projects")
    with browsers.served(_site_of(tmp_path_factory, "projects", records)) as origin:
        yield origin


@pytest.fixture(scope="session")
def events_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of a registry of events alone."""
    records = shapes.alone(shapes.conferences(60), "events")
    with browsers.served(_site_of(tmp_path_factory, "events", records)) as origin:
        yield origin


@pytest.fixture(params=["projects_site", "events_site", "tools_site", "site"])
def shape(request: pytest.FixtureRequest) -> str:
    """The origin of a registry of each shape: projects, events, organizations and projects with
    logos, all collections.
    """
    origin: str = request.getfixturevalue(request.param)
    return origin


@pytest.fixture(scope="session")
def site(built_content: Path) -> Iterator[str]:
    """The origin of content/, served by a host with a query tier."""
    with browsers.served(built_content) as origin:
        yield origin


@pytest.fixture(scope="session")
def plain_site(built_content: Path) -> Iterator[str]:
    """The origin of content/, served by a plain file host."""
    with browsers.served(built_content, plain=True) as origin:
        yield origin


@pytest.fixture(scope="session")
def awkward_site(built_awkward: Path) -> Iterator[str]:
    with browsers.served(built_awkward) as origin:
        yield origin


def _german(folder: Path) -> Path:
    content = Path(shutil.copytree(commands.ROOT / "content", folder / "content"))
    with (content / "registry.yaml").open("a") as file:
        file.write("language: de\n")
    return commands.build(content, folder / "out", "--as-of", commands.TODAY, site=True)


@pytest.fixture(scope="session")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of content/ in German."""
    with browsers.served(once(tmp_path_factory, "german", _german)) as origin:
        yield origin


@pytest.fixture
def visit(windows: Windows) -> Iterator[Visiting]:
    """Open a window on a site: `visit(origin, dark=…, phone=…, scripts=…, timezone=…, locale=…)`.

    At the end of the test every window is left. It must have had no fault: no error or warning in
    the console, no failed request, no request to another host, no violation of the policy, no
    dialog.
    """
    opened: list[tuple[Visit, object]] = []

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
        window, kind = windows.visit(
            origin,
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            timezone_id=timezone,
            locale=locale,
            **{**(browsers.PHONE if phone else {}), **options},
        )
        opened.append((window, kind))
        return window

    yield visiting
    for window, kind in opened:
        windows.leave(window, kind)
    assert [fault for window, _ in opened for fault in window.faults] == []
