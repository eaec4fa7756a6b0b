"""The parts of `yaml._yaml` that `generator.dialect.libyaml` uses.  PyYAML does not promise to keep
them, so each release is tested.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from yaml import events, nodes
from yaml._yaml import CParser

from generator.dialect.libyaml import _Composer

PLAIN, QUOTED = (True, False), (False, True)


def test_an_event_has_value_style_anchor_tag_and_place() -> None:
    following = CParser(b"a: '1'\nb: &x !t\n- *x\n").get_event
    assert [type(following()) for _ in range(3)] == [
        events.StreamStartEvent,
        events.DocumentStartEvent,
        events.MappingStartEvent,
    ]
    key, quoted, _, anchored, alias = (following() for _ in range(5))
    assert (key.value, key.implicit, key.anchor, key.tag) == ("a", PLAIN, None, None)
    assert (key.start_mark.line, key.start_mark.column) == (0, 0)
    assert (quoted.value, quoted.implicit, quoted.start_mark.column) == ("1", QUOTED, 3)
    assert (type(anchored), anchored.anchor, anchored.tag) == (events.SequenceStartEvent, "x", "!t")
    assert (type(alias), alias.anchor, alias.start_mark.line) == (events.AliasEvent, "x", 2)
    ends = [
        events.SequenceEndEvent,
        events.MappingEndEvent,
        events.DocumentEndEvent,
        events.StreamEndEvent,
    ]
    assert [type(following()) for _ in ends] == ends


def test_a_column_counts_characters_not_bytes() -> None:
    following = CParser("é: ü\n".encode()).get_event
    assert [following() for _ in range(5)][-1].start_mark.column == 3


def test_the_composer_uses_the_answer_of_resolve_as_the_tag() -> None:
    calls: list[tuple[Any, ...]] = []

    class Asking(CParser):
        def resolve(self, *arguments: Any) -> Any:
            calls.append(arguments)
            return arguments

        def descend_resolver(self, *arguments: Any) -> None:
            assert len(arguments) == 2

        def ascend_resolver(self, *arguments: Any) -> None:
            assert not arguments

    top = Asking(b"a: [1, 'x', !t y]\n").get_single_node()
    ((key, items),) = top.value
    plain, quoted, tagged = items.value
    assert [type(node) for node in (top, key, items)] == [
        nodes.MappingNode,
        nodes.ScalarNode,
        nodes.SequenceNode,
    ]
    assert (key.value, key.tag) == ("a", (nodes.ScalarNode, "a", PLAIN))
    assert (plain.value, plain.tag[2]) == ("1", PLAIN)
    assert (quoted.value, quoted.tag[2]) == ("x", QUOTED)
    assert tagged.tag == "!t"
    assert (items.tag, top.tag) == (
        (nodes.SequenceNode, None, True),
        (nodes.MappingNode, None, True),
    )
    assert len(calls) == 5


def test_the_fast_lane_gets_three_arguments_as_a_slice() -> None:
    node = _Composer(b"'x'\n").get_single_node()
    assert (node.tag.start, node.tag.stop, node.tag.step) == (nodes.ScalarNode, "x", QUOTED)


def test_an_empty_file_has_no_node() -> None:
    assert _Composer(b"# nothing\n").get_single_node() is None


@pytest.mark.parametrize(
    ("raw", "problem", "place", "opened"),
    [
        (b"a: [1\n", "did not find expected ',' or ']'", (1, 0), (0, 3)),
        (b"a: 1\n b: 2\n", "mapping values are not allowed in this context", (1, 2), None),
    ],
)
def test_an_error_has_a_message_and_a_place(
    raw: bytes, problem: str, place: tuple[int, int], opened: tuple[int, int] | None
) -> None:
    with pytest.raises(yaml.YAMLError) as caught:
        _Composer(raw).get_single_node()
    error: Any = caught.value
    assert error.problem == problem
    assert (error.problem_mark.line, error.problem_mark.column) == place
    assert (error.context_mark and (error.context_mark.line, error.context_mark.column)) == opened


@pytest.mark.parametrize("raw", [b"\xff", b"a: 1\n---\nb: 2\n", b"a: *x\n", b"a: &x 1\nb: &x 2\n"])
def test_every_error_is_a_yaml_error(raw: bytes) -> None:
    with pytest.raises(yaml.YAMLError):
        _Composer(raw).get_single_node()
