"""What readers notice of an upgrade: `registry diff` compares two builds of a registry's content.

The version that its requirements.txt installs makes one, the version that runs the other.

The older version is installed as the workflows install it, but in a temporary environment: a
`.venv` in the registry may have another version, or come from the author of a cloned repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from generator import PACKAGE
from generator.problems.extras import FILE

_SECONDS = 600  # for each step; a build of 100,000 records takes less


class NotCompared(Exception):
    """The versions cannot be compared; the message says why."""


def compare_versions(folder: str) -> str:
    """The output of `registry diff` for builds by both versions.  Raises NotCompared."""
    folder = os.path.abspath(folder)
    files = [name for name in ("requirements.txt", FILE) if os.path.isfile(f"{folder}/{name}")]
    if "requirements.txt" not in files:
        raise NotCompared("there is no requirements.txt")
    content = ["--content", os.path.join(folder, "content")]
    apart = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "PYTHONPATH")}
    path = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    running = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    registry = [sys.executable, "-m", "generator"]
    with tempfile.TemporaryDirectory(prefix="registry-upgrade-") as temporary:
        programs = os.path.join(temporary, "venv", "bin")
        pip = [os.path.join(programs, "python"), "-I", "-m", "pip", "--disable-pip-version-check"]
        venv = [sys.executable, "-I", "-m", "venv", "venv"]
        _run("the older version cannot be installed", venv, temporary, apart)
        for name in files:  # paths of wheels in them are relative to the registry
            install = [*pip, "install", "--quiet", "--no-input", "--requirement", name]
            _run("the older version cannot be installed", install, folder, apart)
        older = [os.path.join(programs, "registry"), "build", *content, "--out", "older"]
        _run("the older version does not build the content", older, temporary, apart)
        newer = [*registry, "build", *content, "--out", "newer"]
        _run("this version does not build the content", newer, temporary, running)
        diff = [*registry, "diff", "older", "newer", *content]
        return _run("`registry diff` failed", diff, temporary, running, (0, 1))


def _run(
    failure: str,
    command: list[str],
    folder: str,
    environment: dict[str, str],
    successes: tuple[int, ...] = (0,),
) -> str:
    """The standard output of a command.  Raises NotCompared with `failure` and its first error."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotCompared(f"{failure}: {error}") from error
    if done.returncode not in successes:
        lines = [line.strip() for line in f"{done.stderr}\n{done.stdout}".split("\n")]
        errors = [line for line in lines if "error" in line.lower()] or [*filter(None, lines)]
        raise NotCompared(f"{failure}: {errors[0] if errors else f'status {done.returncode}'}")
    return done.stdout
