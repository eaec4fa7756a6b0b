"""Recorded sessions of the commands that change a registry, and of those that read tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import sessions
from support.commands import ROOT

FOLDERS = ("edit", "features/*")
SESSIONS = sorted(path for of in FOLDERS for path in ROOT.glob(f"tests/{of}/sessions/*.txt"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_session_is_as_it_is_recorded(session: Path, tmp_path: Path, regenerate: bool) -> None:
    sessions.check(session, tmp_path / "registry", regenerate)
