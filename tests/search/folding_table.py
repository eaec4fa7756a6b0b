"""Makes generator/api/folding.json, the one table by which both engines fold: `python
tests/search/folding_table.py`.

It is of the Unicode that Node has (tests/search/unicode.mjs).  Another Unicode is another index:
the version is written into it, and engines refuse any but their own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from generator.api.folding import FILE

#: The oldest Unicode there is to compare with: what it decomposes, every platform decomposes alike.
_OLD = unicodedata.ucd_3_2_0
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def facts() -> dict[str, Any]:
    """What tests/search/unicode.mjs prints."""
    script = Path(__file__).with_name("unicode.mjs")
    found: dict[str, Any] = json.loads(
        subprocess.run(["node", str(script)], capture_output=True, check=True).stdout
    )
    return found


def table(found: dict[str, Any]) -> dict[str, str]:
    """The table, packed as generator.api.folding tells.

    What nobody asks is left open, so that ranges are long: whether a character decomposes that does
    not, and whether one is a letter that never stands in a folded text.
    """
    folds: dict[int, str] = {}
    composed = dict.fromkeys(range(sys.maxunicode + 1), False)
    letters: dict[int, bool] = dict.fromkeys(range(sys.maxunicode + 1), False)
    standing = set("".join(folded for _, _, folded, _ in found["characters"]))
    for code, decomposed, folded, is_letter in found["characters"]:
        character = chr(code)
        if decomposed != character and _OLD.normalize("NFKD", character) == decomposed:
            composed[code] = True
        else:
            del composed[code]
            if folded != character:
                folds[code] = folded
        if character in standing:
            letters[code] = is_letter
        else:
            del letters[code]
    return {
        "unicode": found["unicode"],
        "folds": _runs(folds),
        "composed": _bounds(composed),
        "letters": _bounds(letters),
    }


def _runs(folds: dict[int, str]) -> str:
    """`folds` of generator.api.folding."""
    runs, before, done = [], 0, set()
    for code, text in sorted(folds.items()):
        if code in done:
            continue
        by = ord(text) - code if len(text) == 1 else None
        count, step = max(
            ((_length(folds, code, step, text, by), step) for step in (1, 2)),
            key=lambda found: found[0],
        )
        done.update(range(code, code + count * step, step))
        to = f":{_short(by)}" if by is not None else "=" + "+".join(_short(ord(c)) for c in text)
        runs.append(
            _short(code - before)
            + (f".{_short(count)}" if count > 1 else "")
            + ("," if step == 2 else "")
            + to
        )
        before = code
    return ";".join(runs)


def _length(folds: dict[int, str], code: int, step: int, text: str, by: int | None) -> int:
    """How many characters from `code` on, each `step` behind the last, fold to this text, or by so
    much.
    """
    count = 1
    while (found := folds.get(here := code + count * step)) is not None:
        if found != (text if by is None else chr(here + by)):
            break
        count += 1
    return count


def _bounds(of: dict[int, bool]) -> str:
    """`composed` and `letters` of generator.api.folding."""
    found, inside, before = [], False, 0
    for code, now in of.items():
        if now != inside:
            found.append(_short(code - before))
            inside, before = now, code
    return " ".join(found)


def _short(number: int) -> str:
    """In base 36."""
    if number < 0:
        return "-" + _short(-number)
    return (_short(number // 36) if number > 35 else "") + _DIGITS[number % 36]


def encoded(lines: Iterable[tuple[str, str]]) -> str:
    return (
        "{" + ",\n".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in lines) + "}\n"
    )


if __name__ == "__main__":
    made = encoded(table(facts()).items())
    FILE.write_text(made, "ascii")
    print(f"{FILE.name}: {len(made):,} bytes")
