"""`registry calendar --within` prints the dates of the next days that match all filters."""

from __future__ import annotations

import json
from pathlib import Path

from support import commands, registries, shapes


def test_the_dates_of_the_next_days(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", shapes.conferences(300))
    out = commands.build(content, tmp_path / "out", "--as-of", "2026-11-21")
    done = commands.run_forked(
        "calendar", "--within", "30d", "--filter", "tag_topic=vision", "--from", out
    )
    assert (done.status, done.err) == (0, "")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert found
    first, last = "2026-11-21T00:00:00Z", "2026-12-21T00:00:00Z"
    for event in found:
        times = [event["starts_at"], event["ends_at"]]
        assert any(first <= at <= last for at in times if at), event
    for wrong in (("--within", "3w"), ("--within", "30d", "--all"), ("--within", "30d", "--ics")):
        assert commands.run_forked("calendar", *wrong, "--from", out).status == 2
