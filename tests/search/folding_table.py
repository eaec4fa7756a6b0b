"""Write generator/text/folding.json, the table by which Python and JavaScript fold texts: `python
tests/search/folding_table.py`.

The table is for the Unicode version of Node (tests/search/unicode.mjs). Another version needs
another index: the version is written into the index, and the engine refuses one with another
version.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from generator.text.folding import TABLE_FILE

#: The oldest Unicode version to compare with: every platform decomposes its characters alike.
_OLD = unicodedata.ucd_3_2_0
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
#: Letters that NFKD leaves whole, in lower case.
SPELLED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
)
#: Arabic letters that are other forms of a letter: of Persian, at the end of a word.
SPELLED |= str.maketrans(
    {"\u06cc": "\u064a", "\u0649": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647"}
)
#: Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar: first and last code points of blocks. Only
#: letters that occur in folded texts count.
PAIRED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3041, 0x30FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0x20000, 0x3FFFF),
)  # fmt: skip


def facts() -> dict[str, Any]:
    """The output of tests/search/unicode.mjs."""
    script = Path(__file__).with_name("unicode.mjs")
    found: dict[str, Any] = json.loads(
        subprocess.run(["node", str(script)], capture_output=True, check=True).stdout
    )
    return found


def table(found: dict[str, Any]) -> dict[str, str]:
    """The table, packed as generator.text.folding describes.

    Two properties are never looked up, and are left open to get long ranges: whether a character
    without decomposition decomposes, and whether a character that cannot occur in a folded text is
    a letter.
    """
    folds: dict[int, str] = {}
    composed = dict.fromkeys(range(sys.maxunicode + 1), False)
    letters: dict[int, bool] = dict.fromkeys(range(sys.maxunicode + 1), False)
    signs: dict[int, bool] = {}
    standing = set("".join(folded for _, _, folded, _, _ in found["characters"]))
    for code, decomposed, folded, is_letter, is_sign in found["characters"]:
        character, folded = chr(code), folded.translate(SPELLED)
        if decomposed != character and _OLD.normalize("NFKD", character) == decomposed:
            composed[code] = True
        else:
            del composed[code]
            if folded != character:
                folds[code] = folded
        if character in standing:
            letters[code] = is_letter or is_sign
            if letters[code]:
                signs[code] = is_sign
        else:
            del letters[code]
    return {
        "unicode": found["unicode"],
        "folds": _runs(folds),
        "composed": _bounds(composed),
        "letters": _bounds(letters),
        "signs": _bounds(signs),
        "paired": _gaps(bound for first, last in PAIRED for bound in (first, last + 1)),
    }


def _runs(folds: dict[int, str]) -> str:
    """`folds` of generator.text.folding."""
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
    """The number of characters from `code` on, with distance `step`, that fold to the same text or
    by the same offset.
    """
    count = 1
    while (found := folds.get(next_code := code + count * step)) is not None:
        if found != (text if by is None else chr(next_code + by)):
            break
        count += 1
    return count


def _bounds(flags: dict[int, bool]) -> str:
    """`composed`, `letters` and `signs` of generator.text.folding."""
    bounds, inside = [], False
    for code, now in flags.items():
        if now != inside:
            bounds.append(code)
            inside = now
    return _gaps(bounds)


def _gaps(bounds: Iterable[int]) -> str:
    numbers = [0, *bounds]
    return " ".join(_short(bound - before) for before, bound in pairwise(numbers))


def _short(number: int) -> str:
    """The number in base 36."""
    if number < 0:
        return "-" + _short(-number)
    return (_short(number // 36) if number > 35 else "") + _DIGITS[number % 36]


def encoded(lines: Iterable[tuple[str, str]]) -> str:
    return (
        "{" + ",\n".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in lines) + "}\n"
    )


if __name__ == "__main__":
    made = encoded(table(facts()).items())
    TABLE_FILE.write_text(made, "ascii")
    print(f"{TABLE_FILE.name}: {len(made):,} bytes")
