"""Repositories of tests, without the settings of the user and the machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from support.commands import environment


def git(folder: Path, *words: str, stdin: bytes = b"", **env: str) -> str:
    """What a command of git prints; it fails with the command."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    alone = environment(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", **env)
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=alone, input=stdin, check=True, capture_output=True
    )
    return done.stdout.decode().strip()


def commit(folder: Path, message: str = "change", **env: str) -> str:
    """Commit everything in a folder, which may be no repository yet; the id of the commit."""
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", message)):
        git(folder, *words, **env)
    return git(folder, "rev-parse", "HEAD")
