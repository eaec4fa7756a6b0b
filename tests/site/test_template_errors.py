"""Errors in a registry's own template name the file and the line."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.disk.output_state import OutputError
from generator.published.history.provenance import Moment
from support import registries

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)


@pytest.mark.parametrize(
    ("name", "source", "says"),
    [
        ("list.html.j2", "\n{% if %}", ":2: Expected an expression"),
        ("list.html.j2", "\n\n{{ nothing }}", ":3: 'nothing' is undefined"),
        ("list.html.j2", '{% extends "gone.html.j2" %}', ":1: there is no template gone.html.j2"),
        ("texts/en.json", '{\n"list":', ":2: this is not JSON: "),
        ("texts/en.json", '{"list": 3}', ": list has to be like {…}"),
        ("world.json", "{}", " is no map: width"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_as_the_user_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str, says: str
) -> None:
    registries.write(tmp_path / "r" / "content")
    file = tmp_path / "r" / "templates" / "site" / name
    file.parent.mkdir(parents=True)
    file.write_text(source, "utf-8")
    monkeypatch.chdir(tmp_path)
    place = re.escape(f"r/templates/site/{name}{says}")
    with pytest.raises(OutputError, match=f"^{place}.*\nCorrect the file, or remove it: "):
        build("r/content", tmp_path / "out", MOMENT, BuildOptions(jobs=1))
