"""How well names are matched: python benchmarks/matching.py CONTENT [--seed N] [--show]

Builds CONTENT with half of its projects.  Asks for changed names of that half (typing errors, legal
forms, former names, abbreviations and others) and for the names of the other half, which are
absent.  A name that two projects have is asked for no half: only a website tells them apart.
"""

from __future__ import annotations

import argparse
import random
import shutil
import string
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from generator.features.matching.commands.match import NameQuestion, match_names
from generator.features.matching.names import USUAL
from generator.reader.client import Client
from generator.text.words import fold

_FORMS = (
    "Inc.",
    "Inc",
    "Ltd",
    "Pvt Ltd",
    "GmbH",
    "SAS",
    "LLC",
    "S.A.",
    "Co., Ltd.",
    "B.V.",
    "K.K.",
)
#: Abbreviations that people write; not the generator's own table.
_SHORT = {"Technologies": "Tech", "Technology": "Tech", "Laboratories": "Labs", "Systems": "Sys.",
          "International": "Intl", "Solutions": "Sol.", "University": "Univ.", "Robotics": "Robo",
          "Therapeutics": "Tx", "Biosciences": "Bio", "Institute": "Inst.", "Services": "Svcs",
          "Management": "Mgmt", "Software": "SW", "Engineering": "Eng."}  # fmt: skip


def typing_error(name: str, dice: random.Random) -> str | None:
    """One letter removed, doubled, replaced or swapped with the next."""
    at = [i for i, letter in enumerate(name) if letter.isalpha()]
    if len(at) < 4:
        return None
    i = dice.choice(at)
    letter = dice.choice(string.ascii_lowercase)
    return dice.choice(
        (
            name[:i] + name[i + 1 :],
            name[:i] + name[i] + name[i:],
            name[:i] + letter + name[i + 1 :],
            name[:i] + name[i : i + 2][::-1] + name[i + 2 :],
        )
    )


def two_errors(name: str, dice: random.Random) -> str | None:
    first = typing_error(name, dice) if len(name) > 8 else None
    return first and typing_error(first, dice)


def legal_form(name: str, dice: random.Random) -> str:
    return f"{name}{dice.choice((' ', ', '))}{dice.choice(_FORMS)}"


def spelling(name: str, dice: random.Random) -> str:
    """Other case, joined words, or hyphens for spaces."""
    return dice.choice((name.upper(), name.lower(), name.replace(" ", ""), name.replace(" ", "-")))


def abbreviation(name: str, dice: random.Random) -> str | None:
    """A usual abbreviation, or the first letters of a long word."""
    words = name.split()
    for i, word in enumerate(words):
        if word in _SHORT:
            return " ".join((*words[:i], _SHORT[word], *words[i + 1 :]))
    long = [i for i, word in enumerate(words) if len(word) > 7 and word.isalpha()]
    if len(words) < 2 or not long:
        return None
    i = dice.choice(long)
    return " ".join((*words[:i], words[i][:4] + ".", *words[i + 1 :]))


def more_words(name: str, dice: random.Random) -> str:
    return f"{name} {dice.choice(('Technologies', 'Labs', 'AI', 'Software', 'Health', 'Africa'))}"


def fewer_words(name: str, dice: random.Random) -> str | None:
    words = name.split()
    return " ".join(words[:-1]) if len(words) > 1 and len(words[0]) > 3 else None


def other_order(name: str, dice: random.Random) -> str | None:
    words = name.split()
    return " ".join((*words[1:], words[0])) if len(words) == 2 else None


_CHANGES: tuple[Callable[[str, random.Random], str | None], ...] = (
    typing_error, two_errors, legal_form, spelling, abbreviation, more_words, fewer_words,
    other_order,
)  # fmt: skip
#: Changes that leave less than the whole name, so that no program can be sure what is meant.
_VAGUE = ("more_words", "fewer_words", "other_order")


def changed(
    records: Sequence[Mapping[str, Any]], owners: Mapping[str, set[str]], dice: random.Random
) -> Iterator[tuple[str, str, str]]:
    """(kind of change, asked name, right slug); without names that another project has."""
    for record in records:
        slug, change = record["slug"], dice.choice(_CHANGES)
        asked = [("former_name", former) for former in record.get("former_names") or ()]
        asked.append((change.__name__, change(record["name"], dice) or ""))
        for kind, name in asked:
            if name and owners.get(fold(name), {slug}) == {slug}:
                yield kind, name, slug


def half_built(content: Path, dice: random.Random, folder: Path) -> tuple[list[Any], list[Any]]:
    """Build half of the projects in a folder; the records of both halves."""
    halves: tuple[list[Any], list[Any]] = [], []
    half = folder / "content"
    shutil.copytree(content, half, ignore=shutil.ignore_patterns("projects"))
    for file in sorted((content / "projects").rglob("*.y*ml")):
        record = {"slug": file.stem, **yaml.load(file.read_bytes(), yaml.CSafeLoader)}
        number = dice.randrange(2)
        halves[number].append(record)
        if not number:
            target = half / file.relative_to(content)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    return halves


def ask(
    client: Client, names: Sequence[str], limit: int | None = USUAL
) -> Iterator[list[dict[str, Any]]]:
    """The candidates of each name, asked for ten at a time; without a limit only likely ones."""
    questions = [NameQuestion(name, limit=limit) for name in names]
    return match_names(client, client.collections["projects"], questions)


def measure(content: Path, seed: int, show: bool) -> None:
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as temporary:
        present, absent = half_built(content, dice, Path(temporary))
        out = Path(temporary, "build")
        command = [sys.executable, "-m", "generator", "build", "--content", f"{temporary}/content"]
        subprocess.run([*command, "--out", str(out), "--no-site"], check=True, capture_output=True)
        client = Client.open(str(out))
        owners: dict[str, set[str]] = {}
        for record in (*present, *absent):
            for name in (record["name"], *(record.get("former_names") or ())):
                owners.setdefault(fold(name), set()).add(record["slug"])

        def alone(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
            return [(r["name"], r["slug"]) for r in records if len(owners[fold(r["name"])]) == 1]

        absent_names = [name for name, _ in alone(absent)]
        report(client, [*changed(present, owners, dice)], absent_names, show)
        names = alone(present)
        answers = [*ask(client, [name for name, _ in names])]
        pairs = zip(answers, names, strict=True)
        right = sum(bool(a) and a[0]["match"] and a[0]["id"] == slug for a, (_, slug) in pairs)
        share = right / len(names)
        print(f"unchanged names matched: {right:,} of {len(names):,} ({share:.2%})")


def report(
    client: Client, asked: Sequence[tuple[str, str, str]], absent: Sequence[str], show: bool
) -> None:
    firsts, matches = defaultdict[str, list[bool]](list), list[bool]()
    sure_of = defaultdict[str, int](int)
    for (kind, name, slug), found in zip(asked, ask(client, [a[1] for a in asked]), strict=True):
        firsts[kind].append(bool(found) and found[0]["id"] == slug)
        matches += [each["id"] == slug for each in found if each["match"]]
        sure_of[kind] += any(each["id"] == slug and each["match"] for each in found)
        if show and not firsts[kind][-1]:
            print(
                f"  {kind}: {name!r} is {slug}, found", [(c["id"], c["score"]) for c in found[:3]]
            )
    wrong = 0
    for name, found in zip(absent, ask(client, absent), strict=True):
        matched = [each["id"] for each in found if each["match"]]
        wrong += bool(matched)
        if show and matched:
            print(f"  absent: {name!r} matched {matched}")
    every = [first for some in firsts.values() for first in some]
    sure = [f for kind, some in firsts.items() if kind not in _VAGUE for f in some]
    for kind, some in (*sorted(firsts.items()), ("all but vague ones", sure), ("all", every)):
        print(f"{kind:20} {len(some):6,} asked, the right one first: {sum(some) / len(some):.2%}")
    for kind in sorted(firsts):
        share = sure_of[kind] / len(firsts[kind])
        print(f"{kind:20} {sure_of[kind]:6,} matched ({share:.2%})")
    print(f"precision of `match` on changed names: {sum(matches)} of {len(matches)}")
    none = sum(not found for found in ask(client, absent, None)) / len(absent)
    print(f"absent names without a candidate, if no limit is given: {none:.2%}")
    print(f"absent names without a match: {1 - wrong / len(absent):.2%} of {len(absent):,}")
    precision = sum(matches) / (len(matches) + wrong)
    print(f"precision of `match` with absent names: {precision:.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("content", type=Path)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print each error")
    arguments = parser.parse_args()
    measure(arguments.content, arguments.seed, arguments.show)


if __name__ == "__main__":
    main()
