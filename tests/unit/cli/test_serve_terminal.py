"""What `registry serve` prints after a save."""

import pytest

from generator.cli.publishing.serve import _Terminal
from generator.kinds import built_in
from generator.problems.diagnostic import Diagnostic
from generator.serve.live import Update

OLD = Diagnostic("content/projects/a.yaml", 1, 1, "missing-field", "name is required")
WARNING = Diagnostic("content/projects/a.yaml", 2, 1, "odd-url", "no host", severity="warning")
ERROR = Diagnostic("content/projects/b.yaml", 3, 1, "wrong-type", "year must be a number")


def update(*problems: Diagnostic) -> Update:
    return Update(list(problems), built_in(), {"projects": 2}, None, None, [], False, True, 0.1)


def test_a_save_shows_what_is_new_with_errors_last(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = _Terminal("content", reload=True)
    terminal.updated(update(OLD))
    assert "name is required" in capsys.readouterr().err
    moved = Diagnostic(OLD.path, 7, 1, OLD.code, OLD.message)
    terminal.updated(update(ERROR, moved, WARNING))
    shown = capsys.readouterr().err
    assert "name is required" not in shown
    assert shown.index("no host") < shown.index("year must be a number")
    assert "1 problem as before: registry check" in shown
    terminal.updated(update(OLD))
    assert "name is required" not in capsys.readouterr().err
