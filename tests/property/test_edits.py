"""An edit of a record's text makes the intended change and keeps every other byte."""

from __future__ import annotations

import difflib
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.dialect import values
from generator.dialect.libyaml import parse
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable, parse_or_raise
from generator.edit.layout import format_record
from support.kinds import KINDS
from support.trimmed import trimmed

SLUGS = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,3})?", fullmatch=True)


ENDS = [
    "description: |\n  two\n\n  lines\n",
    "description: >-\n  one\n  more",
    "# the end",
    "links: {a: https://a.example/}",
    "summary: x\n\n\n",
]


@st.composite
def lists(draw: st.DrawFn, name: str) -> tuple[str, list[str]]:
    """A field with a list of slugs, in one of the usual layouts."""
    items = draw(st.lists(SLUGS, min_size=1, max_size=4, unique=True))
    quoted = [draw(st.sampled_from(['"{}"', "'{}'"])).format(item) for item in items]
    written_items = [
        item if parse(f"a: [{item}]".encode())["a"] == [item] and draw(st.booleans()) else quote
        for item, quote in zip(items, quoted, strict=True)
    ]
    note = draw(st.sampled_from(["", "  # why", " # [a, b]: c"]))
    match draw(st.sampled_from(["flow", "wide", "lines", "block", "left"])):
        case "flow":
            return f"{name}: [{', '.join(written_items)}]{note}\n", items
        case "wide":
            return f"{name}: [ {' , '.join(written_items)} , ]{note}\n", items
        case "lines":
            return f"{name}: [\n  " + ",\n  ".join(written_items) + f"\n  ]{note}\n", items
        case "block":
            lines = "".join(f"  - {entry}{note}\n" for entry in written_items)
            return f"{name}:{note}\n{lines}", items
    comment = note and "# x\n"
    return f"{name}:\n" + "".join(f"- {entry}\n{comment}" for entry in written_items), items


@st.composite
def records(draw: st.DrawFn) -> tuple[bytes, dict[str, Any]]:
    programs, named = draw(lists("programs"))
    aliases, former = draw(lists("aliases"))
    parts = [
        "name: Zürich's  # the city\n",
        programs,
        aliases if draw(st.booleans()) else "",
        draw(st.sampled_from(ENDS)),
    ]  # fmt: skip
    head = draw(st.sampled_from(["", "# of us\n\n", "\ufeff", "---\n"]))
    text = head + "".join(parts)
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text.encode(), {"programs": named, "aliases": former if parts[2] else None}


@given(records(), SLUGS, st.data())
def test_a_slug_is_replaced_in_place(
    record: tuple[bytes, dict[str, Any]], new: str, data: st.DataObject
) -> None:
    raw, known = record
    number = data.draw(st.integers(0, len(known["programs"]) - 1))
    text = Text(raw)
    text.replace(("programs", number), new)
    changed = parse(text.changed())
    wanted = parse(raw)
    wanted["programs"][number] = new
    assert changed == wanted
    # At most the line of the item changes.
    before, after = raw.decode().splitlines(), text.changed().decode().splitlines()
    others = [op for op in difflib.SequenceMatcher(None, before, after, False).get_opcodes()
              if op[0] != "equal"]  # fmt: skip
    assert len(before) == len(after) and len(others) <= 1
    assert all(end - begin == 1 for _, begin, end, _, _ in others)


@given(records(), st.lists(SLUGS, min_size=1, max_size=3))
def test_aliases_are_appended_wherever_the_list_is(
    record: tuple[bytes, dict[str, Any]], more: list[str]
) -> None:
    raw, known = record
    text = Text(raw)
    text.append("aliases", more)
    wanted = parse(raw)
    wanted["aliases"] = [*(known["aliases"] or ()), *more]
    assert parse(text.changed()) == wanted
    kept = raw.decode().split()
    assert [word for word in kept if word.strip("[],\"'") not in text.changed().decode()] == []


@given(records(), st.data())
def test_items_are_removed_and_the_field_with_the_last_item(
    record: tuple[bytes, dict[str, Any]], data: st.DataObject
) -> None:
    raw, known = record
    gone = data.draw(st.sets(st.integers(0, len(known["programs"]) - 1), min_size=1))
    text = Text(raw)
    text.remove_items(("programs",), gone)
    wanted = parse(raw)
    wanted["programs"] = [s for i, s in enumerate(known["programs"]) if i not in gone]
    if not wanted["programs"]:
        del wanted["programs"]
    assert parse(text.changed()) == wanted


def test_unsafe_edits_are_refused_with_a_message() -> None:
    for raw in (b"name: [", b"a: &x b\n"):
        with pytest.raises(Unchangeable, match="it has errors"):
            Text(raw)
    text = Text(b"{name: A, programs: [x]}")
    text.append("aliases", ["b"])
    assert text.changed() == b"{name: A, programs: [x], aliases: [b]}"
    odd = Text(b"name: A\naliases:  # none yet\nyear: 2020\n")
    odd.append("aliases", ["012"])
    assert odd.changed() == b'name: A\naliases: ["012"]  # none yet\nyear: 2020\n'


SAID = st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=8).map(str.strip)


@st.composite
def written(draw: st.DrawFn) -> bytes:
    """A record in any order and layout, with comments wherever they are possible."""
    note = draw(st.sampled_from(["", "  # why", " #x"]))
    above = draw(st.sampled_from(["", "# above\n", "\n# apart\n\n", "\n\n\n", "  # inside\n"]))
    text = draw(SAID).replace("'", "").replace("#", "")
    fields = [
        f"name: 'A {text}'{note}\n",
        draw(lists("programs"))[0],
        draw(lists("aliases"))[0],
        f"locations:\n- city: Bergen{note}\n  country: NO\n-   country: US\n{above}    region: C\n",
        f"locations2:{note}\n    - {{country: NO , city: Oslo}}\n    # two\n    - country: US\n",
        f"tags:\n{above}    topic: [ a,b ]{note}\n    model:\n    - c\n",
        "description: |\n    one\n\n      two #not\n    three\n\n",
        "summary: >-\n  one # not\n  two\n",
        f'other: "one\n\n  two {text.replace(chr(34), "").replace(chr(92), "")}"{note}\n',
        "links: {\n  a: https://a.example/, # first\n  b: https://b.example/\n}\n",
    ]
    chosen = [fields[0], *draw(st.lists(st.sampled_from(fields[1:]), max_size=6, unique=True))]
    shuffled = draw(st.permutations(chosen))
    return (draw(st.sampled_from(["", "# head\n\n"])) + above.join(shuffled)).encode()


@given(written())
def test_formatting_keeps_data_and_comments_and_is_stable(raw: bytes) -> None:
    try:
        before = parse_or_raise(raw)
    except Unchangeable:
        return
    after = format_record(raw)
    assert parse_or_raise(after) == before
    assert format_record(after) == after
    assert sorted(re.findall("#[^\n]*", after.decode())) == sorted(
        found.rstrip() for found in re.findall("#[^\n]*", raw.decode())
    )
    known = [name for name in KINDS.written if name in before]
    assert list(parse_or_raise(after))[: len(known)] == known
    assert b"\n\n\n" not in after.replace(b"one\n\n  two", b"") and after.endswith(b"\n")


VALUES = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n",
                          exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"))
    | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from([*KINDS.written, "a b", "x: y", "true", "12"]),
        VALUES
        | st.lists(VALUES)
        | st.lists(st.dictionaries(st.sampled_from(["country", "city"]), VALUES, min_size=1))
        | st.dictionaries(st.sampled_from(["a", "no", "1:2"]), VALUES | st.lists(VALUES)),
        min_size=1,
    )
)
@example({"name": "0\xa0"})
def test_a_new_record_has_the_given_data(fields: dict[str, Any]) -> None:
    raw = values.record(fields).encode()
    assert parse_or_raise(raw) == trimmed(fields)
    assert format_record(raw) == raw
