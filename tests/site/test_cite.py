"""The page that says how to cite the latest release."""

from __future__ import annotations

from html import unescape
from pathlib import Path

from support import commands, registries


def test_a_title_is_plain_text_in_bibtex(tmp_path: Path) -> None:
    release = {"version": "2026.1", "date": "2026-11-20"}
    settings = {"name": r"R&D {100 %} a_b ~ \input", "release": release}
    content = registries.write(tmp_path / "content", registries.content(registry=settings))
    out = commands.build(content, tmp_path / "out", "--as-of", commands.TODAY, site=True)
    page = unescape((out / "docs/cite/index.html").read_text("utf-8"))
    assert r"title = {R\&D 100 \% a\_b \textasciitilde{} input}" in page
    assert "version 2026.1 of 20 November 2026." in page
    assert r"R&D {100 %} a_b ~ \input, version 2026.1 (2026-11-20)." in page
