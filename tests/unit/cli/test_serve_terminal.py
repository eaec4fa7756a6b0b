"""What `registry serve` prints after a save."""

import pytest

from generator.cli.publishing.serve import _Terminal
from generator.kinds import built_in
from generator.problems.diagnostic import Diagnostic
from generator.serve.live import Update
from generator.serve.watch import EVERYTHING, Saves

OLD = Diagnostic("content/projects/a.yaml", 1, 1, "missing-field", "name is required")
WARNING = Diagnostic("content/projects/a.yaml", 2, 1, "odd-url", "no host", severity="warning")
ERROR = Diagnostic("content/projects/b.yaml", 3, 1, "wrong-type", "year must be a number")


def update(*problems: Diagnostic, saves: Saves | None = EVERYTHING) -> Update:
    return Update(
        problems=list(problems),
        kinds=built_in(),
        records={"projects": 2},
        records_before=None,
        saves=saves,
        changed=[],
        all_again=False,
        missing=0,
        is_stale=False,
        is_shown=True,
        seconds=0.1,
    )


def test_a_save_shows_what_is_new_with_errors_first(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = _Terminal("content", reload=True)
    terminal.updated(update(OLD, saves=None))
    assert capsys.readouterr().err == ""  # after the addresses
    terminal.report_start()
    assert "name is required" in capsys.readouterr().err
    moved = Diagnostic(OLD.path, 7, 1, OLD.code, OLD.message)
    terminal.updated(update(ERROR, moved, WARNING))
    shown = capsys.readouterr().err
    assert "name is required" not in shown
    assert shown.index("year must be a number") < shown.index("no host")
    assert "Problems: 1 error, 1 warning new; 1 as before." in shown
    terminal.updated(update(OLD))
    shown = capsys.readouterr().err
    assert "name is required" not in shown
    assert "Problems: 2 fixed; 1 as before." in shown
