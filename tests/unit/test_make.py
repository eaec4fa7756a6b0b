"""The effects of `make test` on the machine: none, unless requested or in CI."""

from __future__ import annotations

import os
import shutil
import subprocess
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


#: What install.sh looks for.
PROGRAMS = {"nginx", "caddy", "apache2", "chromium-headless-shell", "khal", "vdirsyncer"}
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
    here = dict.fromkeys(PROGRAMS - set(missing), "exit 1")
    path = tools(folder / "tools", **answers, **here)
    given = {"PATH": path, "LOG": str(log), "WHO": "0", "KNOWN": "0", **environment}
    done = subprocess.run(
        [f"{path}/sh", str(script)], env=given, capture_output=True, text=True, check=False
    )
    return done, log.read_text().splitlines()


def test_by_default_it_lists_what_is_missing_and_installs_nothing(tmp_path: Path) -> None:
    done, calls = without(MISSING, tmp_path, HOSTS="false")
    assert (done.returncode, done.stderr, calls) == (0, "", [])
    assert "Not on this machine: nginx-light apache2\n" in done.stdout
    assert "Nothing is installed, and the tests that need them are skipped." in done.stdout
    assert "make test HOSTS=1" in done.stdout
    assert (
        "for the whole system: apt-get install --no-install-recommends nginx-light apache2\n"
        in done.stdout
    )
    assert not list((tmp_path / "sbin").iterdir())


def test_on_request_it_announces_and_installs_only_what_is_missing(tmp_path: Path) -> None:
    done, calls = without(MISSING, tmp_path, HOSTS="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "Installing them for the whole system, without starting their services: apt-get install"
        in done.stdout
    )
    install = "install -y -qq --no-install-recommends nginx-light apache2"
    assert calls == ["update -qq", install]
    assert not list((tmp_path / "sbin").iterdir())


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
