"""The last line below problems: their numbers, and what `registry fix` does about them."""

import pytest

from generator.cli._report import show_problems
from generator.problems.diagnostic import Diagnostic, Fix


def test_a_build_counts_the_problems_that_have_a_fix(capsys: pytest.CaptureFixture[str]) -> None:
    fix = Fix("value", "https://a.example/", ("website",))
    problems = [
        Diagnostic("projects/a.yaml", 1, 1, "odd-url", "odd", severity="warning", fix=fix),
        Diagnostic("projects/a.yaml", 1, 1, "placeholder", "empty", severity="warning"),
    ]
    show_problems(problems, is_build=True)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "0 errors, 2 warnings; `registry fix` may fix 1"


def test_without_content_nothing_is_said_about_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    fix = Fix("value", "https://a.example/", ("website",))
    show_problems([Diagnostic("a.yaml", 1, 1, "odd-url", "odd", severity="warning", fix=fix)])
    assert capsys.readouterr().err.splitlines()[-1] == "0 errors, 1 warning"
