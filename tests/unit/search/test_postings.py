"""The search index as bytes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.search.format import (
    GROUP_WEIGHT,
    Layout,
    body_of,
    count,
    entries,
    filter_key,
    moved,
    pack,
    shards_for,
    unpack,
    weight,
)
from generator.search.index import divide, together

POSITIONS = st.sets(
    st.integers(0, 300) | st.integers(0, 70_000) | st.integers(0, 5_000_000), max_size=40
).map(sorted)
# Drawn at once: element by element, hypothesis takes most of a minute to find such sets.
DENSE = st.builds(
    lambda seed, size: sorted(Random(seed).sample(range(901), size)),
    st.integers(0, 2**32),
    st.integers(200, 600),
)
LISTS = st.lists(POSITIONS | DENSE, min_size=3, max_size=3)
WORDS = st.text(st.sampled_from("abcé東0"), min_size=1, max_size=6)


@given(st.dictionaries(st.text(min_size=1), LISTS))
def test_a_shard_gives_back_its_entries(shard: dict[str, list[list[int]]]) -> None:
    ordered = sorted(shard.items())
    data = b"".join(pack(key, lists) for key, lists in ordered)
    assert [(key.decode(), unpack(body)) for key, body in entries(data)] == ordered


@given(LISTS)
def test_postings_are_counted_without_being_read(lists: list[list[int]]) -> None:
    assert count(body_of(lists)) == sum(map(len, lists))


@given(
    st.dictionaries(st.integers(0, 900) | st.integers(0, 90_000), st.integers(0, 2), max_size=30),
    st.sets(st.integers(0, 900), max_size=600),
    st.dictionaries(
        st.integers(0, 905) | st.integers(0, 90_000), st.none() | st.integers(0, 2), max_size=8
    ),
)
def test_records_moved_in_an_entry_give_that_of_the_lists_as_they_are_then(
    some: dict[int, int], dense: set[int], changes: dict[int, int | None]
) -> None:
    had = dict.fromkeys(dense, 2) | some
    now = {position: which for position, which in (had | changes).items() if which is not None}

    def body(of: dict[int, int]) -> bytes:
        return body_of(
            [sorted(position for position, which in of.items() if which == c) for c in range(3)]
        )

    moves = [(p, had.get(p), which) for p, which in changes.items() if had.get(p) != which]
    assert moved(body(had), moves) == body(now)


@pytest.mark.parametrize(
    ("positions", "body"),
    [
        ([], ""),
        ([5], "04 01 05"),  # class 0, width 1: one gap
        ([0, 300], "08 02 0000 2c01"),  # width 2
        ([70000], "10 01 70110100"),  # width 4
        (list(range(16)), "00 02 ffff"),  # a bitmap
        ([200, 455], "04 02 c8 ff"),
    ],
)
def test_a_list_has_the_narrowest_form(positions: list[int], body: str) -> None:
    assert body_of([positions, [], []]) == bytes.fromhex(body)
    if positions:
        assert body_of([[], [], positions]) == bytes([int(body[:2], 16) | 2]) + bytes.fromhex(
            body[2:]
        )


@given(
    st.sets(WORDS, min_size=1),
    st.sets(st.text(st.sampled_from("abcé東"), min_size=3, max_size=4)),
    st.integers(0, 6),
)
def test_a_word_is_found_in_one_shard_with_all_that_begin_with_it(
    vocabulary: set[str], heads: set[str], power: int
) -> None:
    # A group is only divided where the one it is part of is.
    split = {head[:end] for head in heads for end in range(3, len(head) + 1)}
    layout = Layout(1 << power, frozenset(split))
    keys = vocabulary | {f"*{prefix}" for prefix in split}
    held: dict[int, set[str]] = {}
    for key in keys:
        held.setdefault(layout.shard(layout.group(key)), set()).add(key)
    for word in vocabulary:
        for asked in {word[:end] for end in range(1, len(word) + 1)}:
            shard, key, more = layout.find(asked)
            if key.startswith("*"):
                assert key == f"*{asked}" and key in held[shard]
            elif more:
                assert {w for w in vocabulary if w.startswith(asked)} <= held.get(shard, set())
            else:
                assert len(asked) < 3 and (asked not in vocabulary or asked in held[shard])


def test_a_group_is_divided_until_one_word_is_its_weight() -> None:
    many = GROUP_WEIGHT // 2
    counts = {"contract": many, "contrast": many, "content": 9, "com": 4 * many, "command": 1}
    found = divide(counts)
    assert set(found) == {"con", "cont", "contr", "contra"}
    assert found["contra"] == weight("contrast", many)
    assert divide({"com": 4 * many, "command": 1}) == {}


def test_shards_are_a_power_of_two() -> None:
    assert [shards_for(total) for total in (0, 16384, 16385, 100_000, 1_000_000)] == [
        1,
        1,
        2,
        8,
        64,
    ]


def test_a_record_is_in_the_first_class_of_several_words() -> None:
    assert together([[[1], [2], [3]], [[2], [3, 4], [1, 5]]]) == [[1, 2], [3, 4], [5]]


def test_filters_and_prefixes_are_no_words() -> None:
    layout = Layout(64, frozenset())
    assert layout.group(filter_key("year", "2024")) == "/year/2024"
    assert layout.group("*con") == "con" == layout.group("content")
