"""Shared fixtures: the command line, and builds of real content."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from support import commands, own_kinds, registries, templates
from support.once import once

#: A folder beside the checkout with a large real registry (data/yc) and an independent check
#: (check/oracle.py).
SHARED = Path(os.environ.get("REGISTRY_SHARED") or commands.ROOT.parent / "shared")
#: Where pytest's cache has the tests that passed in the last run.
_PASSED = "registry/passed"


def pytest_configure(config: pytest.Config) -> None:
    """Put temporary folders in memory if there is room: tests write some hundred thousand small
    files.

    A shell starts background processes with Ctrl-C ignored, and so would be the commands that tests
    interrupt. Node is the version from PyPI if the machine has none. Drawn examples have no
    deadline, because a busy machine is not an error; the fast tests draw few.
    """
    templates.remember()
    own_node = Path(sys.prefix) / "node" / "bin"  # tests/hosts/node.sh
    if own_node.is_dir():
        os.environ["PATH"] = f"{own_node}{os.pathsep}{os.environ['PATH']}"
    drawn = 20 if config.option.markexpr == "not slow" else 100
    hypothesis.settings.register_profile(
        "unhurried",
        deadline=None,
        max_examples=drawn,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("unhurried")
    gc.set_threshold(500_000, 20, 100)  # as in the command
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    memory = "/dev/shm"
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**31:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)
    # Builds of tests do not write to the user's cache.
    caches = tempfile.mkdtemp(
        prefix="registry-caches-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")
    )
    os.environ["REGISTRY_CACHE"] = caches
    atexit.register(shutil.rmtree, caches, ignore_errors=True)


def pytest_collection_finish() -> None:
    """Keep the collected tests out of garbage collection."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="write expected files anew instead of comparing with them",
    )
    parser.addoption(
        "--rest",
        action="store_true",
        help="leave out what passed in the last run without this option; nothing may have changed",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --rest, keep tests that were skipped, failed or not selected before, and those that draw
    examples: with slow tests they draw more.
    """
    if not config.getoption("--rest"):
        return
    passed = (
        frozenset(config.cache.get(_PASSED, ())) if getattr(config, "cache", None) else frozenset()
    )
    done = [
        item
        for item in items
        if item.nodeid in passed
        and not getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    ]
    config.hook.pytest_deselected(items=done)
    left_out = set(done)
    items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """List the reasons of skipped tests, each once, and keep which passed, for --rest."""
    if getattr(config, "cache", None) and not config.getoption("--rest"):
        passed = [report.nodeid for report in terminalreporter.stats.get("passed", ())]
        config.cache.set(_PASSED, passed)
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        terminalreporter.section("skipped, and why", "-")
    for reason, count in sorted(reasons.items()):
        terminalreporter.line(f"{count:5}  {reason}")


@pytest.fixture(scope="session")
def regenerate(pytestconfig: pytest.Config) -> bool:
    """Whether to rewrite expected files."""
    return bool(pytestconfig.getoption("--regenerate"))


@pytest.fixture(scope="session")
def run() -> Callable[..., commands.Done]:
    """Run `registry` with arguments in its own process."""
    return commands.run


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not there; REGISTRY_SHARED names another folder")
    return SHARED


@pytest.fixture(scope="session")
def oracle(shared: Path) -> Path:
    """The program of support/independent.py."""
    found = shared / "check" / "oracle.py"
    if not found.is_file():
        pytest.skip(f"there is no {found}")
    return found


@pytest.fixture(scope="session")
def real_content() -> Path:
    """The content of a large real registry."""
    folder = Path(os.environ.get("REGISTRY_REAL_CONTENT") or SHARED / "data" / "yc")
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there; REGISTRY_REAL_CONTENT names another registry")
    return folder


@pytest.fixture(scope="session")
def built_content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of content/, with the site.  Tests must not change it."""
    content, day = commands.ROOT / "content", ("--as-of", commands.TODAY)
    return once(
        tmp_path_factory,
        "built-content",
        lambda folder: commands.build(content, folder / "out", *day, site=True),
    )


@pytest.fixture(scope="session")
def built_real(real_content: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of a large real registry.  Tests must not change it."""
    day = ("--as-of", commands.TODAY)
    return once(
        tmp_path_factory,
        "built-real",
        lambda folder: commands.build(real_content, folder / "out", *day),
    )


@pytest.fixture(scope="session")
def built_own_kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A build of each registry of support.own_kinds, with the site, beside its content.  Tests must
    not change them.
    """

    def make(name: str, content: registries.Content) -> Path:
        def build(folder: Path) -> Path:
            written = registries.write(folder / "content", content)
            return commands.build(written, folder / "build", *day, site=True)

        return once(tmp_path_factory, f"built-{name}", build)

    day = ("--as-of", commands.TODAY)
    every = {"investors": own_kinds.INVESTORS, "tools": own_kinds.TOOLS}
    return {name: make(name, content) for name, content in every.items()}
