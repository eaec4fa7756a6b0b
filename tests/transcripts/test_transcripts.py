"""What commands print and return, and that they leave alone what they should: recorded sessions.

Each .txt file beside this module is a session; support/replayed.py describes its form.  After a
change of messages: `pytest tests/transcripts --regenerate`, and read the diff.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from support.lanes import fast_first
from support.replayed import replay

#: Sessions with many builds; the tests beside the code that they run have a few of them.
SLOW = ("copies", "explain", "publishes", "release")
SESSIONS = sorted(
    (path.stem for path in Path(__file__).parent.glob("*.txt")),
    key=lambda name: (name in SLOW, name),
)


@pytest.mark.parametrize("name", fast_first(len(SESSIONS) - len(SLOW), SESSIONS))
def test_commands_print_what_was_recorded(name: str, regenerate: bool, tmp_path: Path) -> None:
    file = Path(__file__).parent / f"{name}.txt"
    recorded = file.read_text("utf-8")
    found = replay(recorded, tmp_path)
    if regenerate:
        file.write_text(found, "utf-8")
        return
    lines = difflib.unified_diff(
        recorded.splitlines(), found.splitlines(), "recorded", "found", lineterm="", n=3
    )
    assert found == recorded, "\n".join(lines)
