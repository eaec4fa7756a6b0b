"""Counts agree with the lists that they summarize, and with each other."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from support import cases, commands, own_fields, registries
from support.answers import differing, javascript, python
from support.brute import ROOTS, Brute, Collection, brute_of

EVERYWHERE = dict.fromkeys(ROOTS, 1)
#: Filters with at most one value per record.
ONE = {"status", "year", "kind", "type", "category", "month", "team_size", "field_funding",
       "field_growth", "field_founded_on", "field_hiring", "field_stage", "field_seats",
       "field_online", "field_size", "field_fee", "field_remote"}  # fmt: skip


@pytest.fixture(scope="module")
def brute(built_own: Path) -> Brute:
    return brute_of(built_own)


def answers_of(out: Path, targets: list[str]) -> list[dict[str, Any]]:
    """The documents of both engines, after asserting that they are equal."""
    answers = python(out, *targets)
    found = [(a.status, a.body) for a in javascript(out, *targets)]
    assert differing(targets, found, answers) == []
    assert [
        (t, body) for t, (status, body) in zip(targets, answers, strict=True) if status != 200
    ] == []
    return [json.loads(body) for _, body in answers]


def totals(out: Path, targets: list[str]) -> list[int]:
    """The number of records of each list or count."""
    return [d["total_items"] if "counts" in d else d["page"]["total_items"]
            for d in answers_of(out, targets)]  # fmt: skip


def url(part: Collection, mode: str, pairs: dict[str, str]) -> str:
    return f"{part.root}?mode={mode}" + "".join(
        f"&{name}={quote(text, ',:')}" for name, text in pairs.items()
    )


def drawn(brute: Brute, number: int, seed: int) -> Iterator[tuple[Collection, dict[str, str]]]:
    """Random lists with their filters and search words."""
    for target in cases.drawn(brute, number, seed, EVERYWHERE):
        part, every, filters = brute.asked(target)
        yield part, filters | ({"q": every["q"]} if "q" in every else {})


def test_a_count_is_the_length_of_its_list(built_own: Path, brute: Brute) -> None:
    chance, counts = random.Random(1), []
    for part, pairs in drawn(brute, 150, 11):
        by = chance.sample([name for name in part.filters if name != "upcoming"], 2)
        counts.append((part, pairs, url(part, "count", pairs | {"by": ",".join(by)})))
    lists, wanted = [], []
    for (part, pairs, _), document in zip(
        counts, answers_of(built_own, [target for *_, target in counts]), strict=True
    ):
        lists.append(document["links"]["list"])
        wanted.append(document["total_items"])
        for name, found in document["counts"].items():
            for row in chance.sample(found["values"], min(4, len(found["values"]))):
                lists.append(url(part, "page", pairs | {name: row["value"]}))
                wanted.append(row["count"])
    queries = [
        (target, total) for target, total in zip(lists, wanted, strict=True) if "?" in target
    ]
    assert totals(built_own, [target for target, _ in queries]) == [total for _, total in queries]
    for target, total in zip(lists, wanted, strict=True):
        if "?" not in target:
            page = json.loads((built_own / target[1:]).read_bytes())["page"]
            assert page["total_items"] == total, target
    assert len(queries) > 300 and sum(wanted) > 0


def test_counts_of_single_values_add_up_to_the_total(built_own: Path, brute: Brute) -> None:
    """The total is the number of records with any of the values."""
    chance, counts = random.Random(2), []
    for part, pairs in drawn(brute, 150, 12):
        name = chance.choice([name for name in part.filters if name in ONE] or ["category"])
        counts.append((part, pairs, name, url(part, "count", pairs | {"by": name})))
    targets, wanted = [], []
    for (part, pairs, name, _), document in zip(
        counts, answers_of(built_own, [target for *_, target in counts]), strict=True
    ):
        rows = document["counts"][name]["values"]
        assert len(rows) == min(50, document["counts"][name]["total_values"])
        for at in range(0, len(rows), 10):
            chunk = rows[at : at + 10]
            constraint = ",".join(row["value"] for row in chunk)
            targets.append(url(part, "count", pairs | {name: constraint}))
            wanted.append(sum(row["count"] for row in chunk))
    assert totals(built_own, targets) == wanted
    assert len(targets) > 100


def test_any_all_not_and_none_are_the_sets_of_their_values(built_own: Path, brute: Brute) -> None:
    """`any` plus `all` of two values equals the sum of both counts; `none` plus `any` is every
    record."""
    chance, targets = random.Random(3), []
    for part, pairs in drawn(brute, 120, 13):
        name = chance.choice([n for n in part.filters if len(part.known(n)) > 1])
        first, second = sorted(chance.sample(part.known(name), 2))
        rest = {k: text for k, text in pairs.items() if k != name}
        targets += [
            url(part, "count", rest | ({name: text} if text else {}))
            for text in ("", first, second, f"{first},{second}", f"all:{first},{second}",
                         f"not:{first},{second}")
        ]  # fmt: skip
    found = totals(built_own, targets)
    for at in range(0, len(found), 6):
        every, one_, other_, either, both, neither = found[at : at + 6]
        assert either + both == one_ + other_, targets[at : at + 6]
        assert either + neither == every, targets[at : at + 6]
    assert any(found[4::6])


def test_a_field_without_values_is_in_no_range(built_own: Path) -> None:
    pairs = {
        "field_announced": ("2020-01-01..", "..2020-01-01", "2020-01-01", "not:2020-01-01"),
        "field_seats": ("0..", "..-1", "7", "not:7"),
    }
    targets = [
        f"/api/calendar/events?mode=page&{name}={text}"
        for name, texts in pairs.items()
        for text in texts
    ]
    assert totals(built_own, targets) == 2 * [0, 0, 0, 90]
    (document,) = answers_of(
        built_own, ["/api/calendar/events?mode=count&by=field_announced&field_seats=not:7"]
    )
    assert document["total_items"] == 90
    assert document["counts"]["field_announced"]["values"] == []


def test_a_collection_without_records_is_searched_and_counted(tmp_path: Path) -> None:
    records = registries.content({"registry": own_fields.content()["registry"]})
    out = commands.build(registries.write(tmp_path / "content", records), tmp_path / "out")
    targets = [
        f"/api/{name}?{raw}"
        for name in ("projects", "calendar/events")
        for raw in ("mode=page&q=solar", "mode=page&q=solar+wind", "mode=count&q=solar&by=year")
    ]
    assert totals(out, targets) == [0] * 6


def selected(out: Path, target: str) -> dict[str, list[tuple[str, str, int]]]:
    """filter -> the selected values of a count, with labels and counts."""
    (document,) = answers_of(out, [target])
    return {
        name: [(one["value"], one["label"], one["count"]) for one in counts["selected"]]
        for name, counts in document["counts"].items()
    }


def test_selected_values_are_counted_like_the_others(built_own: Path, brute: Brute) -> None:
    """For each value that is asked for, as many as a count with that value alone."""
    chance, counts, targets, wanted = random.Random(5), [], list[str](), []
    for part, pairs in drawn(brute, 200, 15):
        names = [n for n in pairs if n in part.filters and n != "upcoming"]
        if names:
            by = ",".join(chance.sample(names, min(len(names), 3)))
            counts.append((part, pairs, url(part, "count", pairs | {"by": by})))
    for (part, pairs, _), document in zip(
        counts, answers_of(built_own, [target for *_, target in counts]), strict=True
    ):
        for name, found in document["counts"].items():
            how, _, text = document["query"]["filters"][name].rpartition(":")
            asked = [] if how == "not" or ".." in text else text.split(",")
            assert [row["value"] for row in found["selected"]] == asked
            known = {row["value"]: row for row in found["values"]}
            for row in found["selected"]:
                assert known.get(row["value"], row) == row
                targets.append(url(part, "count", pairs | {name: row["value"]}))
                wanted.append(row["count"])
    assert totals(built_own, targets) == wanted
    assert len(targets) > 80 and 0 in wanted


def test_selected_values_ignore_like_and_the_limit_of_fifty(built_content: Path) -> None:
    root = "/api/projects?mode=count"
    target = f"{root}&location=us,de-berlin,ke&by=location&like=united"
    found = selected(built_content, target)["location"]
    (document,) = answers_of(built_content, [f"{root}&by=location"])
    shown = {row["value"]: row["count"] for row in document["counts"]["location"]["values"]}
    assert [value for value, *_ in found] == ["de-berlin", "ke", "us"]
    assert found[2] == ("us", "United States", shown["us"])
    assert found[1][1] == "Kenya" and "ke" not in shown and found[1][2] > 0


def test_declared_values_without_records_are_selected_with_their_labels(tmp_path: Path) -> None:
    records = registries.content(
        programs={
            **registries.SMALL["programs"],
            "quiet": {**registries.SMALL["programs"]["launch"], "name": "The Quiet Program"},
        }
    )
    out = commands.build(registries.write(tmp_path / "content", records), tmp_path / "out")
    root = "/api/projects?mode=count&by="
    assert selected(out, f"{root}program&program=quiet,launch&year=2025") == {
        "program": [("launch", "Launch", 1), ("quiet", "The Quiet Program", 0)]
    }
    assert selected(out, f"{root}status,tag_topic&status=public&tag_topic=space") == {
        "status": [("public", "Public", 0)],
        "tag_topic": [("space", "Space", 0)],
    }
    (document,) = answers_of(out, [f"{root}status,program"])
    values = {name: one["values"] for name, one in document["counts"].items()}
    assert [row["value"] for row in values["status"]] == ["active", "inactive"]
    assert "quiet" not in [row["value"] for row in values["program"]]


def test_numbers_that_no_record_has_are_selected_with_zero(built_own: Path) -> None:
    root = "/api/projects?mode=count&by=team_size"
    assert selected(built_own, f"{root}&team_size=123456789") == {
        "team_size": [("123456789", "123456789", 0)]
    }
    assert selected(built_own, f"{root}&team_size=not:5") == {"team_size": []}
    assert selected(built_own, f"{root}&team_size=5..9") == {"team_size": []}
    assert selected(built_own, root) == {"team_size": []}


def test_a_selected_number_is_written_as_it_is_asked_for(built_own: Path) -> None:
    (known,) = answers_of(built_own, ["/api/projects?mode=count&by=field_funding"])
    value = known["counts"]["field_funding"]["values"][0]
    text = f"{value['value']}0e-1"
    asked = f"/api/projects?mode=count&by=field_funding&field_funding={text}"
    assert selected(built_own, asked) == {"field_funding": [(text, value["label"], value["count"])]}


def test_a_range_includes_both_ends(built_own: Path, brute: Brute) -> None:
    """The ranges up to a value and from that value on have all records with a value, and those at
    the end twice."""
    chance, targets = random.Random(4), []
    for part, pairs in drawn(brute, 150, 14):
        names = [n for n in part.filters if n != "upcoming" and part.is_range(n)]
        names = [name for name in names if part.known(name)]
        if not names:
            continue
        name = chance.choice(names)
        rest = {k: text for k, text in pairs.items() if k != name}
        values = sorted(part.known(name), key=part.key(name))
        end = chance.choice(values)
        targets += [
            url(part, "count", rest | {name: text})
            for text in (f"{values[0]}..{values[-1]}", f"..{end}", f"{end}..", end, f"{end}..{end}")
        ]
    found = totals(built_own, targets)
    for at in range(0, len(found), 5):
        every, low, high, exact, only = found[at : at + 5]
        assert exact == only and low + high == every + exact, targets[at : at + 5]
    assert len(found) > 300 and any(found[3::5])


@pytest.mark.parametrize("root", ROOTS)
def test_every_sort_has_every_record_once(root: str, built_own: Path, brute: Brute) -> None:
    """All pages together have every record once, in the order of the numbers; records without a
    number are last."""
    part = brute.lists[root]
    name = next(name for name in part.filters if part.known(name))
    pairs = {name: ",".join(part.known(name)[:3])}
    wanted = part.matching(pairs, "")
    pages = range(1, -(-len(wanted) // part.first["page"]["size"]) + 1)
    for sort in part.sorts:
        targets = [f"{url(part, 'page', pairs | {'sort': sort})}&page={n}" for n in pages]
        slugs = [
            row["slug"] for document in answers_of(built_own, targets) for row in document["data"]
        ]
        places = part.order(sort)
        assert slugs == sorted(wanted, key=places.__getitem__), sort
