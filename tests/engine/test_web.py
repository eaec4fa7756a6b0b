"""The web's classes of web.js, which the engine uses in QuickJS, do what Node's do."""

from __future__ import annotations

import json
from typing import Any

import _quickjs
import pytest

from generator import PACKAGE
from support.engines import node

WEB = (PACKAGE / "engine/web.js").read_text("utf-8")
TARGETS = [
    "", "/", "/api/projects", "/api//projects", "/api/projects?", "/api/projects?mode=page&q=a",
    "/a/./b", "/a/../b", "/a/b/..", "/a/b/.", "/../../a", "/a/%2e/b", "/a/%2E%2e/b", "/a/.%2e",
    "/a/%2e%2E", "/a/..b", "/a/...", "/a;b/c", "/a b", "/a%20b", "/%", "/%zz", "/%2", "/%00",
    "/%ED%A0%80", "/é", "/é?é", "/?a=é", "/?a=%E9", "/%E9", "/a\\b", "/a\\..\\b", "/?a\\b",
    "/?a=b?c=d", "/?a#b", "/#a?b", "/a#", "/?", "/??", "/?a='b'", "/?a=\"b\"", "/\"<>`{}|",
    "/?\"<>`{}|^", "/a\tb", "/a\nb", "/a\rb", "/ a ", "/?a= b ", "/[]", "/?[]", "/@:!$&'()*+,;=",
    "//a/b", "///a", "/a//", "/\U0001f680?\U0001f680", "/\x7f", "/\x01", "/?\x01\x7f", "/a?b/../c",
    "/C:/a", "/a/%252e%252e/b", "/..", "/.", "/%2e", "/%2e%2e/", "/a/../", "/a/./",
]  # fmt: skip
BYTES = [
    "", "61", "c3a9", "f09f9a80", "efbbbf61", "efbbbf", "61efbbbf", "ff", "61ff62", "c3", "c361",
    "e282", "e28261", "f09f9a", "f09f9a61", "f09f", "eda080", "edbfbf", "f4908080", "f5808080",
    "c080", "c1bf", "e08080", "e0a080", "f0808080", "f0908080", "80", "bf80", "fe", "61c328",
    "e2c3a9", "f0c3a9", "e28280f0", "00", "610062", "c3a9ff" * 3,
]  # fmt: skip
PIECES = [
    ["c3", "a9"], ["e2", "82", "ac"], ["f0", "9f9a", "80"], ["c3", "61"], ["efbb", "bf61"],
    ["61", ""], ["", "61"], ["e282", "ff"],
]  # fmt: skip
#: For each kind of case its values, and the expression of its answer.
CASES: dict[str, tuple[list[Any], str]] = {
    "url": (
        TARGETS,
        "(t => { const u = new URL('https://registry.invalid' + t);"
        " const whole = u.origin + u.pathname + u.search === plain(u.href);"
        " return [whole, u.origin, u.pathname, u.search, String(u) === u.href] })",
    ),
    "search": (
        ["", "?", "a", "?a", "?a b", "??a", "a=é", "?'"],
        "(s => { const u = new URL('https://registry.invalid/a?b'); u.search = s;"
        " return [u.search, plain(u.href)] })",
    ),
    "encode": (
        ["", "a", "é", "\U0001f680", "\x00", "a\ud800b", "\udc00", "\ud83d"],
        "(t => [...new TextEncoder().encode(t)])",
    ),
    "decode": (BYTES, "(h => new TextDecoder().decode(bytes(h)))"),
    "fatal": (
        BYTES,
        "(h => { try { return new TextDecoder('utf-8', { fatal: true }).decode(bytes(h)) }"
        " catch (error) { return error instanceof TypeError } })",
    ),
    "mark": (
        BYTES[:7],
        "(h => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes(h)))",
    ),
    "stream": (
        PIECES,
        "(hs => { const d = new TextDecoder();"
        " return hs.map(h => d.decode(bytes(h), { stream: true })).join('') + d.decode() })",
    ),
    "again": (
        PIECES,
        "(hs => { const d = new TextDecoder(); return hs.map(h => d.decode(bytes(h))) })",
    ),
    "headers": (
        [{}, {"A-b": "c"}, {"A": " b "}, {"a": "b", "B": "c"}, {"a": ""}],
        "(g => { const h = new Headers(g); h.set('X-Y', 'z'); h.delete('b');"
        " return [[...h].sort(), h.get('A'), h.get('a-B'), h.get('no'), h.has('X-y'),"
        " [...new Headers(h)].sort()] })",
    ),
}  # fmt: skip
PROGRAM = """
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16))
// A query without characters leaves a question mark, which nobody asks for.
const plain = (href) => href.replace(/\\?(?=#|$)/, '').replace(/#.*/s, '')
"""


def program(name: str) -> str:
    values, answer = CASES[name]
    return f"{PROGRAM}\nJSON.stringify({json.dumps(values)}.map({answer}))"


def in_node(name: str) -> list[Any]:
    script = program(name).replace("\nJSON.stringify", "\nconsole.log(JSON.stringify") + ")"
    found: list[Any] = node("--input-type=module", "-", given=script)
    return found


@pytest.mark.parametrize("name", CASES)
def test_it_is_as_in_node(name: str) -> None:
    context = _quickjs.Context()
    context.eval(WEB)
    found, wanted = json.loads(context.eval(program(name))), in_node(name)
    cases = zip(CASES[name][0], found, wanted, strict=True)
    assert [case for case in cases if case[1] != case[2]] == []
