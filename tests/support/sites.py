"""Fixtures: registries of different shapes, built once and served to one Chromium, and windows that
record every fault of a page.  The conftest.py of a folder takes all of them.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from support import awkward, commands, german, logos, own_kinds, registries, shapes
from support import browser as browsers
from support.browser import Visit, Visiting, Windows
from support.lanes import sample
from support.once import once

_open = contextlib.ExitStack()


@functools.cache
def _windows() -> Windows:
    return Windows(_open.enter_context(browsers.launched()))


def _close() -> None:
    _windows.cache_clear()
    _open.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Close Chromium before tests of other folders: asyncio does not run beside it."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path.parent != item.path.parent:
            _close()


@pytest.fixture(scope="session")
def closed() -> Iterator[None]:
    """Close Chromium also if the tests are interrupted."""
    yield
    _close()


@pytest.fixture
def windows(closed: None) -> Windows:
    """The windows of one Chromium for all tests of this folder that follow each other."""
    try:
        return _windows()
    except LookupError as error:
        commands.lacking(str(error))


@pytest.fixture
def browser(windows: Windows) -> Browser:
    return windows.browser


# --- builds, which no test changes ---

#: Builds a registry with its site, once in a run, and returns the output.
Publish = Callable[..., Path]


@pytest.fixture(scope="session")
def publish(tmp_path_factory: pytest.TempPathFactory) -> Publish:
    def published(
        name: str,
        records: registries.Content,
        *,
        day: str = commands.TODAY,
        logo: bool = False,
        files: Mapping[str, bytes] = {},
    ) -> Path:
        def make(folder: Path) -> Path:
            content = registries.write(folder / "content", records)
            for path, data in files.items():
                (content / path).parent.mkdir(parents=True, exist_ok=True)
                (content / path).write_bytes(data)
            if logo:
                logos.add_logos(content)
            return commands.build(content, folder / "out", "--as-of", day, site=True)

        return once(tmp_path_factory, f"site-of-{name}", make)

    return published


def _built(name: str, records: Callable[[], registries.Content], **more: Any) -> Any:
    """A build that is made when a test needs it."""

    @pytest.fixture(scope="session")
    def built(publish: Publish) -> Path:
        return publish(name, records(), **more)

    return built


_BASE = {"base_url": "https://registry.example.org/registry"}
#: Country -> cities of the registry of Europe.
_CITIES = {"DE": ["Berlin", "Berlin", "Munich"], "DK": ["Copenhagen"], "MT": ["Valletta"]}


def _european() -> registries.Content:
    """Projects in Europe, and 30 without a place, with a word that only their descriptions have."""
    projects: dict[str, dict[str, object]] = {
        f"{code.lower()}-{number}": {
            "name": f"{city} {number}",
            "locations": [{"country": code, "city": city}],
        }
        for code, cities in _CITIES.items()
        for number, city in enumerate(cities)
    }
    projects |= {
        f"p-{n:02}": {"name": f"Project {n}", "description": f"Number {n}. Made of granite."}
        for n in range(30)
    }
    return {**registries.SMALL, "projects": projects}


#: Records with awkward slugs; the same below a path of their host.
built_awkward = _built("awkward", lambda: awkward.CONTENT)
built_prefix = _built("prefix", lambda: registries.content(awkward.CONTENT, registry=_BASE))
#: Dates with series and hosts, without a project.
conferences = _built("all-conferences", lambda: shapes.conferences(120))
#: Tools and members, without a program, a date or a place.
tools = _built("tools", lambda: shapes.tools(100), logo=True)
#: Own kinds: beside the first four, and without them.
built_investors = _built("investors-crawled", lambda: own_kinds.INVESTORS)
built_papers = _built(
    "papers-crawled",
    lambda: {
        **own_kinds.TOOLS,
        "registry": {
            **own_kinds.TOOLS["registry"],
            "landscape": {"of": "tools"},
            "compare": {"of": "papers"},
        },
    },
)
built_projects = _built("projects", lambda: shapes.alone(shapes.tools(30), "projects"))
built_events = _built("events", lambda: shapes.alone(shapes.conferences(60), "events"))
#: Projects and organizations in German, with logos, own fields and places.
built_german = _built("german", german.content, logo=True, files=german.LOGOS)
built_european = _built("european", _european)


# --- their origins ---


def _origin(build: str, *, plain: bool = False) -> Any:
    """The origin of a build on a host with a query tier, or of plain files."""

    @pytest.fixture(scope="session")
    def origin(request: pytest.FixtureRequest) -> Iterator[str]:
        with browsers.served(request.getfixturevalue(build), plain=plain) as origin:
            yield origin

    return origin


site = _origin("built_content")
plain_site = _origin("built_content", plain=True)
awkward_site = _origin("built_awkward")
projects_site = _origin("built_projects")
events_site = _origin("built_events")
german_site = _origin("built_german")
tools_site = _origin("tools")
investors_site = _origin("built_investors")
papers_site = _origin("built_papers")
conferences_site = _origin("conferences")
european_site = _origin("built_european")


@pytest.fixture(params=sample(["events_site", "german_site"], ["projects_site"]))
def shape(request: pytest.FixtureRequest) -> str:
    """The origin of each registry that is not like content/."""
    origin: str = request.getfixturevalue(request.param)
    return origin


Serving = Callable[..., str]


@pytest.fixture
def serve() -> Iterator[Serving]:
    """Serve a build until the windows of the test are left, and what they still load is there."""
    with contextlib.ExitStack() as servers:
        yield lambda out, **options: servers.enter_context(browsers.served(out, **options))


@pytest.fixture
def visit(windows: Windows, serve: Serving) -> Iterator[Visiting]:
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
    faults = [fault for window, _ in opened for fault in window.faults]
    assert not faults, "\n".join(faults)
