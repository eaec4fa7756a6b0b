"""The search index as bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.search.format import (
    GROUP_WEIGHT,
    Layout,
    body_of,
    filter_key,
    pages_key,
    shards_for,
    weight,
)
from generator.search.vocabulary import groups_to_divide
from support import index_files

WORDS = st.text(st.sampled_from("abcé東0"), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("ids", "body"),
    [
        ([5], "01 01 05"),  # level 0, width 1: one gap
        ([0, 254], "01 02 00 fe"),
        ([0, 300], "01 03 00 ff 2d"),  # 255 and 45 more
        ([0, 3000], "02 02 0000 b80b"),  # width 2
        ([0, 3000, 69000], "02 04 0000 b80b ffff d101"),
        ([70000], "02 02 ffff 7111"),
        ([300000], "04 01 e0930400"),  # width 4
        (list(range(16)), "00 02 ffff"),  # a bitmap
        ([200, 455], "01 03 c8 ff 00"),
    ],
)
def test_a_list_has_the_shortest_form(ids: list[int], body: str) -> None:
    assert body_of({0: ids}) == bytes.fromhex(body)
    assert index_files.lists(bytes.fromhex(body)) == {0: ids}
    assert body_of({23: ids}) == bytes([int(body[:2], 16) | 23 << 3]) + bytes.fromhex(body[2:])


@given(
    st.sets(WORDS, min_size=1),
    st.sets(st.text(st.sampled_from("abcé東"), min_size=3, max_size=4)),
    st.integers(0, 6),
)
def test_a_word_is_found_in_one_shard_with_all_that_begin_with_it(
    vocabulary: set[str], heads: set[str], power: int
) -> None:
    # A group is only divided if its parent group is.
    split = {head[:end] for head in heads for end in range(3, len(head) + 1)}
    layout = Layout(1 << power, frozenset(split))
    keys = vocabulary | {f"*{prefix}" for prefix in split}
    shards: dict[int, set[str]] = {}
    for key in keys:
        shards.setdefault(layout.shard_of_group(layout.group(key)), set()).add(key)
    for word in vocabulary:
        for beginning in {word[:end] for end in range(1, len(word) + 1)}:
            shard, key, more = layout.find(beginning)
            assert layout.shard_of_key(beginning) == layout.shard_of_group(layout.group(beginning))
            if key.startswith("*"):
                assert key == f"*{beginning}" and key in shards[shard]
            elif more:
                assert {w for w in vocabulary if w.startswith(beginning)} <= shards.get(
                    shard, set()
                )
            else:
                assert len(beginning) < 3 and (
                    beginning not in vocabulary or beginning in shards[shard]
                )


def test_a_group_is_divided_until_one_word_is_its_weight() -> None:
    many = GROUP_WEIGHT // 2
    counts = {"contract": many, "contrast": many, "content": 9, "com": 4 * many, "command": 1}
    found = groups_to_divide({key: weight(key, number) for key, number in counts.items()})
    assert set(found) == {"con", "cont", "contr", "contra"}
    assert found["contra"] == weight("contrast", many)
    assert groups_to_divide({"com": 4 * many, "command": 1}) == {}


def test_shards_are_a_power_of_two() -> None:
    totals = (0, 8192, 8193, 100_000, 1_000_000)
    assert [shards_for(total) for total in totals] == [1, 1, 2, 16, 128]


def test_a_filter_is_divided_into_its_values() -> None:
    many = GROUP_WEIGHT // 2
    weights = {f"/year/{year}": weight("/year/2020", many) for year in (2020, 2021)}
    assert set(groups_to_divide(weights | {"/status/active": 9 * many, "=-year": 9 * many})) == {
        "/year"
    }


def test_values_of_a_filter_are_in_one_shard_until_they_are_divided() -> None:
    key = filter_key("year", "2024")
    layout = Layout(64, frozenset())
    assert layout.group(key) == "/year" == layout.group(pages_key(key))
    divided = Layout(64, frozenset({"/year"}))
    assert divided.group(key) == key == divided.group(pages_key(key))
    assert layout.group(pages_key("-year")) == "=-year"
    assert layout.group("*con") == "con" == layout.group("content")
