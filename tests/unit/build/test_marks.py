"""What checks across records look at, packed in the log."""

import random

import pytest

from generator.build.marks import _FEW, Noted
from generator.build.plain import LogDamaged
from generator.records.checks import Mark
from generator.records.checks.twins import groups, nearly

_LETTERS = "abü "


def _marks(chance: random.Random, number: int) -> dict[str, Mark]:
    def text(most: int) -> str:
        return "".join(chance.choices(_LETTERS, k=chance.randrange(most)))

    def mark() -> Mark:
        apart = chance.choice(["", "", "\nacme", "\n2026-01-01"])
        countries = chance.choice(["", "DE", "DE FR"])
        return text(9) + apart, chance.choice(["", "", text(4)]), countries, ""

    return {f"{chance.choice('ab')}-{i}": mark() for i in range(number)}


@pytest.mark.parametrize("seed", range(60))
def test_who_is_like_a_mark_is_found_without_reading_all(seed: int) -> None:
    chance = random.Random(seed)
    marks = _marks(chance, 90)
    noted = Noted.of(marks)
    assert noted.all() == marks
    asked = chance.sample(sorted(marks), chance.choice([1, 2, 5, 20]))
    held = [marks[slug] for slug in asked]
    like = noted.like(held)
    assert all(marks[slug] == mark for slug, mark in like.items())
    for _, slugs in groups(marks):
        assert like.keys() >= set(slugs) or like.keys().isdisjoint(set(slugs) & {*asked})
    for pair in nearly(marks, asked):
        assert like.keys() >= set(pair)


def test_only_those_that_are_like_it_are_read() -> None:
    marks = {f"a-{i}": (f"name {i}" * 3, f"{i}.example", "DE", "") for i in range(1000)}
    assert Noted.of(marks).like([("nobody has this", "7.example", "DE", "")]) == {
        "a-7": marks["a-7"]
    }


@pytest.mark.parametrize("number", [1, 7, _FEW + 1])
def test_marks_are_put_in_the_place_of_others(number: int) -> None:
    chance = random.Random(number)
    marks = _marks(chance, 90)
    slugs = chance.sample(sorted(marks), 2 * number)
    gone, other = set(slugs[:number]), dict.fromkeys(slugs[number:], ("n", "w", "c", "2026"))
    other["new"] = ("x", "", "", "")
    after = Noted.of(marks).patched(other, gone)
    expected = {slug: mark for slug, mark in marks.items() if slug not in gone} | other
    assert after.all() == expected
    assert after.some({"new", "none", *gone}) == {"new": other["new"]}
    assert set(after.days()) == {"2026"}
    nothing = after.patched({}, set(expected))
    assert nothing.all() == {} and nothing.raw == Noted.of({}).raw == b"\0"


@pytest.mark.parametrize("raw", [b"", b"\0a", b"a\1\2\3\4\0", b"\0\0", b"\0a\1b\2c\0", b"\0\xff\0"])
def test_what_is_no_mark_is_a_damaged_log(raw: bytes) -> None:
    with pytest.raises(LogDamaged):
        Noted(raw).all()
