"""Calendar pages after events are added, removed or changed equal those of a full build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import registries
from support.commands import build, differing, files

pytestmark = pytest.mark.slow

DEADLINE = "name: {name}\nkind: deadline\ndue: {due}\n"


def test_calendar_pages_are_those_of_a_full_build(tmp_path: Path) -> None:
    content, out = registries.write(tmp_path / "content"), tmp_path / "out"
    setting = content / "registry.yaml"
    setting.write_text(setting.read_text().replace("{", '{"page_size": 10,', 1))
    events = content / "events"

    def write(slug: str, due: str, name: str = "Name") -> None:
        (events / f"{slug}.yaml").write_text(DEADLINE.format(name=name, due=due))

    def links(page: str) -> str:
        return (out / "calendar" / page / "index.html").read_text()

    def built() -> None:
        build(content, out, "--as-of", "2031-01-01", "--allow-loss", site=True)
        whole = build(
            content, tmp_path / "whole", "--as-of", "2031-01-01", "--allow-loss", site=True
        )
        assert differing(files(out / "calendar"), files(whole / "calendar")) == []
        shutil.rmtree(whole)
        shutil.rmtree(tmp_path / ".registry" / "whole")

    write("first", "2031-03-31")
    write("last", "2032-02-02")
    built()
    assert "/calendar/month/2032-02/" in links("month/2031-03")
    # First a month between the two, then a month with more events than fit on a page.
    write("between", "2031-11-30 12:00\ntimezone: Europe/Zurich")
    built()
    assert "/calendar/month/2031-11/" in links("month/2031-03")
    assert "/calendar/month/2031-11/" in links("month/2032-02")
    assert "/calendar/month/2031-11/" in links("year/2031")
    for number in range(12):
        write(f"many-{number}", f"2031-11-{number + 1:02d}")
    built()
    assert not (out / "calendar/month/2031-11/page").exists()
    write("many-11", "2031-11-12", "Another name")
    built()
    # The program of an event gets another name; no list of events contains that name.
    program = content / "programs" / "launch.yaml"
    (events / "first.yaml").write_text(
        DEADLINE.format(name="Name", due="2031-03-31") + "program: launch\n"
    )
    built()
    program.write_text(program.read_text().replace('"name": "Launch"', '"name": "Lift-off"'))
    built()
    assert "Lift-off" in links("month/2031-03") and "Lift-off" in links("program/launch")
    assert "Another name" in links("month/2031-11")
    (events / "many-3.yaml").unlink()
    built()
    for path in events.glob("many-*"):
        path.unlink()
    (events / "between.yaml").unlink()
    built()
    assert not (out / "calendar/month/2031-11").exists()
    assert "/calendar/month/2032-02/" in links("month/2031-03")
    assert "2031-11" not in links("year/2031")
