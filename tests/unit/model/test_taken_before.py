"""Content that the last release took is taken by this one: a new check is a warning.

tests/content/released.toml has what the last release did with the cases of tests/content/bad: the
codes of its errors, and the cases that it took.  A release writes it again:
`PYTHONPATH=tests .venv/bin/python tests/unit/model/test_taken_before.py`.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from generator import __version__
from generator.dialect.values import flow
from generator.kinds.declare import Declared, Field
from generator.model.validate import read_model
from generator.problems.codes import codes
from support.commands import ROOT
from support.kinds import KINDS

CONTENT = ROOT / "tests/content"
RELEASED = tomllib.loads((CONTENT / "released.toml").read_text("utf-8"))
#: Values of fields whose declaration has no example.
VALUES = {"name": "Acme Inc", "type": "accelerator", "category": "investor"}
SPACES = (" ", "  ", "\xa0", " \u2009", "\u200b")


#: New errors about keys of registry.yaml that the last release refused, so it took no such content.
OF_KINDS = ("breaks-readers", "reserved-word", "unknown-kind")


def _declares(case: str) -> bool:
    """Whether the content of a case declares kinds or relations, or leaves kinds out."""
    whole = CONTENT / f"bad/{case}/registry.yaml"
    file = whole if whole.is_file() else CONTENT / f"bad/{case}.yaml"
    return re.search(r"kinds:|type: record", file.read_text("utf-8")) is not None


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _errors(case: str) -> set[str]:
    return set(re.findall(r" error\[(.+)\]\n", (CONTENT / f"bad/{case}.txt").read_text("utf-8")))


@pytest.mark.parametrize("case", RELEASED["taken"])
def test_content_that_the_last_release_took_has_no_error(case: str) -> None:
    assert not _errors(case)


def test_a_new_check_warns_for_a_minor_version_before_it_is_an_error() -> None:
    cases = [path.stem for path in (CONTENT / "bad").glob("*.txt")]
    for code in sorted(set[str]().union(*map(_errors, cases)) - set(RELEASED["errors"])):
        if code in OF_KINDS:
            having = [case for case in cases if code in _errors(case)]
            assert having and all(map(_declares, having))
            continue
        begins = codes()[code].error_from
        assert begins, f"{code} is a new error: warn first, with error_from in its entry"
        assert _version(RELEASED["version"])[:2] < _version(begins)[:2] <= _version(__version__)[:2]


def test_a_warning_that_will_be_an_error_says_so() -> None:
    coming = {name: code.error_from for name, code in codes().items() if code.error_from}
    said = "".join(path.read_text("utf-8") for path in (CONTENT / "bad").glob("*.txt"))
    assert coming
    for name, version in coming.items():
        assert _version(version)[:2] > _version(RELEASED["version"])[:2]
        problems = re.split(r"^(?=content/)", said, flags=re.M)
        warnings = [problem for problem in problems if f" warning[{name}]\n" in problem]
        assert warnings
        assert all(f"an error from {version} on" in problem for problem in warnings)


def _texts() -> list[tuple[Declared, Field, str]]:
    """The fields of all kinds that take one text, or texts in a list, with an example."""
    found = []
    for kind in KINDS.values():
        for field in kind.fields.values():
            example = VALUES.get(field.name, field.words.example)
            if field.name == "kind":
                example = [*field.values]
            text = example[0] if isinstance(example, list) else example
            if isinstance(text, str) and not field.computed:
                found.append((kind, field, text))
    return found


def _faults(kind: Declared, field: Field, text: str) -> tuple[Any, list[tuple[str, str]]]:
    value = f'["{text}"]' if field.many else f'"{text}"'
    record, faults, _ = read_model(f"{field.name}: {value}\n".encode(), kind.model)
    others = [f for f in faults if f.code != "missing-field"]
    return getattr(record, field.name, None), [(f.severity, f.code) for f in others]


@pytest.mark.parametrize(
    ("kind", "field", "text"), _texts(), ids=lambda value: getattr(value, "name", value)
)
def test_spaces_at_the_ends_of_a_text_are_left_out_with_a_warning(
    kind: Declared, field: Field, text: str
) -> None:
    plain = _faults(kind, field, text)
    assert not [fault for fault in plain[1] if fault[0] == "error"], flow(text)
    for space in SPACES:
        for padded, count in ((text + space, 1), (space + text, 1), (space + text + space, 2)):
            assert _faults(kind, field, padded) == (plain[0], [("warning", "odd-space")] * count)
    if field.type in ("text", "prose") and field.name != "category":
        double = _faults(kind, field, text.replace(" ", "  "))
        assert double[1] == plain[1]


def write() -> None:
    """Write released.toml for this version."""
    errors = {path.stem: _errors(path.stem) for path in sorted((CONTENT / "bad").glob("*.txt"))}
    found = {
        "errors": sorted(set().union(*errors.values())),
        "taken": [case for case, codes in errors.items() if not codes],
    }
    lines = [f'version = "{__version__}"']
    for key, names in found.items():
        lines += [f"{key} = [", *(f'    "{name}",' for name in names), "]"]
    (CONTENT / "released.toml").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    write()
