"""Hostile documents: commands and tools end with an answer or one message, in little memory."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import random
import re
import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import click
import orjson
import pytest

from generator import UserError, cli
from generator.problems.diagnostic import printable
from generator.reader.client import Client
from generator.reader.documents import MAX_DEPTH, ClientError, Unreadable, parse_document
from generator.search.blocks import Blocks, Spec
from generator.search.format import Layout, entry
from generator.search.manifest import Manifest, column_kind, columns_of, part_path, values_kind
from support import commands, talk
from support.fake_host import FakeHost, Given

#: A document, a command and a tool that read it.
READERS: list[tuple[str, str, tuple[str, dict[str, Any]]]] = [
    ("api/index.json", "dashboard", ("dashboard", {})),
    ("api/projects/filters.json", "list projects",
     ("dataset_catalog", {"collection": "projects"})),
    ("api/projects/page/1.json", "list projects", ("list_records", {"collection": "projects"})),
    ("api/projects/page/2.json", "list projects --all",
     ("list_records", {"collection": "projects", "start": 11})),
    ("api/projects/slug/hostile.json", "get projects hostile",
     ("get_record", {"collection": "projects", "slug": "hostile"})),
    ("api/projects/slug/once-hostile.json", "get projects once-hostile",
     ("get_record", {"collection": "projects", "slug": "once-hostile"})),
    ("api/programs/slug/launch.json", "get programs launch",
     ("get_record", {"collection": "programs", "slug": "launch"})),
    ("api/dashboard.json", "dashboard", ("dashboard", {})),
    ("api/projects/filters/tag_topic.json", "list projects --filter tag_topic=spice",
     ("dataset_catalog", {"collection": "projects", "filter": "tag_topic"})),
    ("api/calendar/events/upcoming/page/1.json", "calendar", ("calendar_events", {})),
    ("api/v1/agent/catalog.json", "dashboard", ("dataset_catalog", {})),
    ("api/v1/agent/schema.json", "dashboard", ("describe_schema", {})),
]  # fmt: skip
FORMS = ["table", "json", "ndjson", "csv"]
ESCAPE = "\x1b]0;x\x07\x9b31m\u202e"
#: What takes the place of a part of a document; a number is the depth of nested lists.
ODD = (
    None, [], {}, ESCAPE, "", True, -1, 0, 2**63, 1e300, 0.5, [None], "x" * 100_000,
    [[{"slug": {"slug": []}}]], {ESCAPE: ESCAPE}, {str(n): n for n in range(2000)},
    "../../etc/passwd", "9" * 5000, *(["DEEP", levels] for levels in (20, 31, 40, 900, 5000)),
)  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    for key, part in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    ):
        yield from places(part, (*at, key))


def mutant(raw: bytes, rng: random.Random) -> bytes:
    """The document with a change in one or two places, or with some bytes changed."""
    if rng.random() < 0.15:
        data = bytearray(raw)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        return bytes(data)
    found, nested = json.loads(raw), dict[str, str]()
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.choice([place for place in places(found) if place])
        inside = found
        for key in at[:-1]:
            inside = inside[key]
        if rng.random() < 0.2 and isinstance(inside, dict):
            del inside[at[-1]]
            continue
        made = rng.choice(ODD)
        if isinstance(made, list) and made[:1] == ["DEEP"]:
            levels = made[1]
            made = f"RAW{len(nested)}"
            nested[f'"{made}"'] = "[" * levels + "]" * levels
        inside[at[-1]] = copy.deepcopy(made)
    text = json.dumps(found)
    for mark, lists in nested.items():
        text = text.replace(mark, lists)
    return text.encode()


def command(*arguments: str) -> tuple[int, str]:
    """The exit status of a command in this process, and its error message."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            cli.commands.main([*arguments], standalone_mode=False)
        except click.ClickException as error:
            return 2, error.format_message()
        except UserError as error:
            return 2, "\n".join(map(printable, str(error).split("\n")))
    return 0, ""


def assert_said_well(said: str) -> None:
    assert said and len(said) < 3000
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", said), said


@pytest.mark.parametrize("seed", [9, pytest.param(10, marks=pytest.mark.slow)])
def test_changed_documents_end_in_an_answer_or_in_one_message(
    seed: int, site: Path, tmp_path: Path
) -> None:
    rng, changes = random.Random(seed), 5 if seed == 9 else 60
    copied = shutil.copytree(site, tmp_path / "copy")
    statuses = []
    start = commands.cpu()
    for path, arguments, (name, given) in READERS:
        good = (copied / path).read_bytes()
        for number in range(changes):
            (copied / path).write_bytes(mutant(good, rng))
            form = "ndjson" if "--all" in arguments else FORMS[number % 4]
            asked = (*arguments.split(), "--format", form, "--from", str(copied))
            status, said = command(*asked)
            statuses.append(status)
            if status:
                assert_said_well(said)
            try:
                client = Client.open(str(copied))
            except ClientError as error:
                assert "Traceback" not in str(error)
            else:
                said = talk.text(talk.call(client, name, given))
                assert len(said.encode()) < 24 * 1024 and '"code":"internal"' not in said, said
        (copied / path).write_bytes(good)
    assert statuses.count(2) > 3 * changes and statuses.count(0) > changes
    assert commands.cpu() - start < 120


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"[" * 100_000 + b"]" * 100_000, "no JSON"),
        (b'{"kind": "dashboard", "x": ' + b"[" * 50 + b"]" * 50 + b"}", "is missing"),
        (b'{"kind": ["dashboard"]}', "its kind is unknown"), (b"[]", "its kind is unknown"),
        (b"null", "its kind is unknown"), (b"\xff\xfe", "no JSON"), (b"", "no JSON"),
        (b"[" + b"[]," * 2**20 + b"0]", "larger than any document"),
        (b'"' + b"x" * (9 << 20) + b'"', "larger than any document"),
    ],
)  # fmt: skip
def test_invalid_documents_are_refused(document: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        parse_document(document)


def test_unknown_keys_are_allowed_and_may_nest(site: Path) -> None:
    found = json.loads((site / "api/dashboard.json").read_bytes())
    for levels, fits in ((MAX_DEPTH - 2, True), (MAX_DEPTH + 1, False)):
        raw = orjson.dumps(found)[:-1] + b',"later":' + b"[" * levels + b"]" * levels + b"}"
        if fits:
            assert parse_document(raw, "dashboard")["later"]
        else:
            with pytest.raises(Unreadable, match="nests too deep"):
                parse_document(raw, "dashboard")


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        ("projects/page/1.json", "list projects"),
        ("projects/page/2.json", "list projects --page 2"),
        ("projects/sort/-year/page/1.json", "list projects --sort -year"),
        ("projects/by/year/2004/page/1.json", "list projects --filter year=2004"),
        ("calendar/events/upcoming/page/1.json", "calendar"),
        ("dashboard.json", "dashboard"),
    ],
)
def test_a_missing_list_is_reported_as_missing(
    path: str, arguments: str, site: Path, tmp_path: Path, host: FakeHost
) -> None:
    copied = shutil.copytree(site, tmp_path / "copy")
    (copied / "api" / path).unlink()
    # A host of single pages sends its index page for every file.
    host.wrong = lambda asked: (
        Given(body=b"<!doctype html>") if asked.target.endswith(path) else None
    )
    for where in (str(copied), host.base):
        status, said = command(*arguments.split(), "--no-cache", "--from", where)
        assert status == 2 and said.startswith(where)
        assert f"/api/{path} is missing" in said and re.search("[Bb]uild .*it again", said), said


def measured(*arguments: object, **env: str) -> tuple[int, str, int]:
    """Status, standard error, and peak memory in MiB of a command."""
    run = subprocess.run(
        [*commands.program("measured"), *map(str, arguments)],
        env=commands.environment(**env),
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    said, _, peak = run.stderr.rpartition("PEAK ")
    return run.returncode, said, int(peak)


linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells the most memory that a process had"
)


def page_of(site: Path, filler: bytes) -> bytes:
    """A page with an additional key."""
    return (
        (site / "api/projects/page/1.json").read_bytes().rstrip()[:-1]
        + b',"later":'
        + filler
        + b"}\n"
    )


@pytest.mark.slow
@linux
def test_no_document_takes_more_than_200_mib(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    bombs = [
        b"[" + b"[]," * 1_000_000 + b"0]",
        b"[" + b"{}," * 1_000_000 + b"0]",
        b'"' + "\U0001f680".encode() + b"x" * (7 << 20) + b'"',
        b'"' + b"x" * (40 << 20) + b'"',
        b"[" * 1000 + b"]" * 1000,
        b"9" * 4_000_000,
    ]
    for filler in bombs:
        (copy / "api/projects/page/1.json").write_bytes(page_of(site, filler))
        status, said, peak = measured("list", "projects", "--from", copy, "--format", "ndjson")
        assert peak < 200, (filler[:10], peak)
        assert status in (0, 2) and "Traceback" not in said, said[-500:]


@pytest.mark.slow
@linux
def test_a_huge_index_takes_no_more_memory(site: Path, tmp_path: Path) -> None:
    """The most records, each with eight words that all share, in the most bytes."""
    copy = shutil.copytree(site, tmp_path / "copy")
    collection, count = Client.open(str(site)).grammar["projects"], 1 << 20
    words = [f"{letter}ite".encode() for letter in "abcdefgh"]
    gaps = b"".join((b"\x01", varint(count), b"\x00", b"\x01" * (count - 1)))
    bitmap = b"".join((b"\x00", varint(count // 8), b"\xff" * (count // 8)))
    plural = b"".join(entry(word, gaps) + entry(word + b"s", gaps) for word in words)
    small = b"".join(entry(word, bitmap) for word in words)
    columns = dict.fromkeys(columns_of(collection), Spec("text", 0, 1, 0, count))
    for keys in (plural, small):
        blocks = Blocks(range(count // 16), bytes([16]) * (count // 16), b"\3" * (count // 16))
        held = {"keys": [crc32(keys)], "spell": [0], "names": [0]}
        held |= {f"rows/{level}": [0] * (count // 16) for level in range(3)}
        held |= {of(name): [0] for name in columns for of in (column_kind, values_kind)}
        manifest = Manifest(
            collection, "en", count, 100, None, Layout(1, frozenset()), blocks, 500,
            columns, {kind: array("I", checks) for kind, checks in held.items()},
        )  # fmt: skip
        for path, data in (
            (part_path(manifest.collection, ("keys", 0), manifest.checks["keys"][0]), keys),
            manifest.artifact(),
        ):
            (copy / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            (copy / path[1:]).write_bytes(data)
        asked = [word.decode() for word in words]
        start = commands.cpu()
        status, said, peak = measured(
            "search", *asked, "--in", "projects", "--from", copy, "--format", "ndjson"
        )
        assert status == 2 and "Traceback" not in said, said
        assert re.search("damaged|bytes|10 seconds", said), said
        assert peak < 200
        assert commands.cpu() - start < 30


def varint(number: int) -> bytes:
    return bytes((number,)) if number < 128 else bytes((number & 127 | 128,)) + varint(number >> 7)


def test_suggestions_in_messages_are_bounded(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    path = copy / "api/projects/filters/tag_topic.json"
    found = json.loads(path.read_bytes())
    found["data"]["values"][0]["value"] = "spice" + "\x1b" * 100_000
    path.write_bytes(orjson.dumps(found))
    status, said = command("list", "projects", "--filter", "tag_topic=spice", "--from", str(copy))
    assert status == 2 and "spice\\x1b" in said
    assert_said_well(said)
