"""Programs that people subscribe with read the feed of a selection from the development server."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support import registries
from support.commands import lacking
from support.serving import serving

VDIRSYNCER = """
[general]
status_path = "{folder}/status"
[pair dates]
a = "ours"
b = "theirs"
collections = null
[storage ours]
type = "filesystem"
path = "{folder}/calendar"
fileext = ".ics"
[storage theirs]
type = "http"
url = "{url}"
"""
KHAL = """
[calendars]
[[dates]]
path = {folder}/calendar
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
local_timezone = UTC
[default]
default_calendar = dates
[sqlite]
path = {folder}/khal.db
"""


@pytest.mark.slow
def test_vdirsyncer_takes_a_selection_and_khal_shows_it(tmp_path: Path) -> None:
    if not (shutil.which("vdirsyncer") and shutil.which("khal")):
        lacking("vdirsyncer and khal are not on this machine: make test HOSTS=1 installs them")

    def at(name: str, day: str, topic: str) -> dict[str, object]:
        return {"name": name, "kind": "deadline", "due": f"{day} 12:00", "timezone": "UTC",
                "tags": {"topic": [topic]}}  # fmt: skip

    events = {
        "a": at("Ärger; über, alles", "2031-02-01", "climate"),
        "b": at("Of another topic", "2031-02-02", "space"),
        "c": at("Later", "2031-03-01", "climate"),
    }
    registries.write(tmp_path / "content", registries.content(events=events))
    (tmp_path / "calendar").mkdir()
    (tmp_path / "khal.conf").write_text(KHAL.format(folder=tmp_path), "utf-8")
    environment = os.environ | {"HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}

    def run(*command: str | Path) -> str:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    with serving(tmp_path) as address:
        url = f"{address}/api/calendar/selection.ics?tag_topic=climate&alarm=7d"
        settings = tmp_path / "vdirsyncer.conf"
        settings.write_text(VDIRSYNCER.format(folder=tmp_path, url=url), "utf-8")
        vdirsyncer = ("vdirsyncer", "--config", settings)
        subprocess.run(
            (*vdirsyncer, "discover"), env=environment, input="y\n", text=True, check=True,
            capture_output=True, timeout=60,
        )  # fmt: skip
        run(*vdirsyncer, "sync")
    listed = run("khal", "--config", tmp_path / "khal.conf", "list", "2031-02-01", "60d")
    assert "Ärger; über, alles" in listed and "Later" in listed
    assert "Of another topic" not in listed and "2031-02-01" in listed and "12:00" in listed
