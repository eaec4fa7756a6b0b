"""generator/ARCHITECTURE.md: the files and tests that it names are there."""

from __future__ import annotations

import re

from support.commands import ROOT

TEXT = (ROOT / "generator" / "ARCHITECTURE.md").read_text("utf-8")


def test_every_file_that_the_document_names_is_there() -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md|mjs))`", TEXT)
    inside = [ROOT / part for part in ("", "generator", "generator/search", "generator/features")]
    known = {path.name + "/" * path.is_dir() for path in inside[1].rglob("*")}
    missing = [
        name
        for name in named
        if name not in known and not any((folder / name).exists() for folder in inside)
    ]
    assert missing == [] and len(named) > 100
