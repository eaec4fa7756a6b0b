"""The head of a build log: what the next build knows without opening any part of it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from generator.api.artifact import Change, History
from generator.api.diagnostic import TOLD, Diagnostic
from generator.build.plain import SHOWN, LogDamaged, read_json
from generator.build.report import Sizes
from generator.guard.state import State
from generator.records.folder import COLLECTIONS, REFERRED

_MAGIC = b"registry-generator log 6\n"
_PARTS = (
    "inputs",
    "outputs",
    "settled",
    "marks",
    *(f"{what}-{name}" for what in ("table", "places") for name in COLLECTIONS),
)
_TARGETS = {str: (str, (str, ...), str, str, int | None)}
#: See generator.guard.state.
_STATE = (
    dict.fromkeys(COLLECTIONS, int),
    {str: {str: int}},
    {str: {str: int}},
    {str: {str: int}},
    {str: str},
)
#: The JSON of a head (see generator.build.plain.shaped).
_SHAPE = {
    "fingerprint": str,
    "number": int,
    "folder": str,
    "parts": dict.fromkeys(_PARTS, (str, int, int)),
    "rows": dict.fromkeys(COLLECTIONS, (str, int)),
    "moment": (str, str, str | None),
    "digest": str,
    "symbols": (_TARGETS, _TARGETS),
    "documents": {str: [str]},
    "sizes": {str: (int, int)},
    "largest": (SHOWN, int),
    "records": dict.fromkeys(COLLECTIONS, int),
    "state": _STATE,
    "kept": [_STATE],
    "tripped": bool,
    "hosts": [SHOWN],
    "precompress": [str],
    "remarks": [SHOWN],
    "problems": [(SHOWN, int, int, SHOWN, SHOWN, SHOWN, SHOWN)],
    "index": {name: (int, {str: int}) for name in COLLECTIONS},
    "packed": dict.fromkeys(COLLECTIONS, int),
    "sources": {name: {str: str} for name in REFERRED},
    "aliases": {name: {str: (str, ...)} for name in COLLECTIONS},
    "issued": int,
    "history": (str, [(str, str, str, str, str, str | None)]),
}

#: What other records refer to, program or organization by slug (see
#: generator.records.symbols.Target).
Targets = Mapping[str, tuple[str, tuple[str, ...], str, str, int | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a build leaves to the next one, but for its inventories, tables and marks.

    `folder` is of the content (see generator.build.buildlog.identity) and `digest` of what it
    holds; `moment` has the time, the day and the commit of the build; `state` is what guards count
    of it, `kept` what the next build is held against where that is another, and `tripped` says that
    a guard was tripped and let pass.  `sizes` are by surface, `largest` is the path of the largest
    file with its bytes, `documents` are the paths of each output, `index` has the weight of each
    index and of its divided groups, `sources` and `aliases` by collection and slug, `history` what
    the last commits changed, `issued` when the root of the manifest was (seconds since 1970).
    `number`, `parts` (file, size, CRC-32), `rows` (file, size) and `packed` (the bytes of rows that
    a whole build wrote) are the writer's.
    """

    fingerprint: str
    folder: str
    moment: tuple[str, str, str | None]
    digest: str
    symbols: tuple[Targets, Targets]
    documents: dict[str, list[str]]
    sizes: Sizes
    largest: tuple[str, int]
    records: dict[str, int]
    state: State
    kept: tuple[State, ...]
    tripped: bool
    hosts: tuple[str, ...]
    precompress: tuple[str, ...]
    remarks: list[str]
    problems: list[Diagnostic]
    index: dict[str, tuple[int, dict[str, int]]]
    sources: dict[str, dict[str, str]]
    aliases: dict[str, dict[str, tuple[str, ...]]]
    history: History
    issued: int
    packed: dict[str, int] = field(default_factory=dict)
    number: int = 0
    parts: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    rows: dict[str, tuple[str, int]] = field(default_factory=dict)

    def pack(self) -> bytes:
        """The head as a file: a name, a CRC-32 of four bytes, most significant first, and JSON."""
        body = orjson.dumps(
            {name: getattr(self, name) for name in _SHAPE}
            | {
                "state": self.state[: len(_STATE)],
                "kept": [state[: len(_STATE)] for state in self.kept],
                "problems": [p.pack()[:TOLD] for p in self.problems],
                "history": (self.history.state, [tuple(change) for change in self.history.changes]),
            }
        )
        return _MAGIC + zlib.crc32(body).to_bytes(4, "big") + body

    @classmethod
    def unpack(cls, raw: bytes) -> Head:
        """What `pack` packed, with every file's name as a writer makes it.  Raises LogDamaged."""
        body = raw[len(_MAGIC) + 4 :]
        if raw[: len(_MAGIC)] != _MAGIC or zlib.crc32(body) != int.from_bytes(
            raw[len(_MAGIC) : len(_MAGIC) + 4], "big"
        ):
            raise LogDamaged
        fields = read_json(body, _SHAPE)
        for name in ("hosts", "precompress"):
            fields[name] = tuple(fields[name])
        state, changes = fields["history"]
        head = cls(
            **{
                **fields,
                "sizes": Sizes(fields["sizes"]),
                "state": State(*fields["state"]),
                "kept": tuple(State(*kept) for kept in fields["kept"]),
                "problems": [Diagnostic.unpack(p) for p in fields["problems"]],
                "history": History(state, tuple(Change(*change) for change in changes)),
            }
        )
        files = [*head.files.items()]
        if head.number >= 1 << 53 or not all(
            re.fullmatch(re.escape(name) + r"\.[0-9]{1,20}", file) for name, file in files
        ):
            raise LogDamaged
        return head

    @property
    def earlier(self) -> State:
        """What the next build is held against."""
        return self.kept[0] if self.kept else self.state

    @property
    def files(self) -> dict[str, str]:
        """The file of each part, and of each collection's rows."""
        return {name: file for name, (file, *_) in self.parts.items()} | {
            f"rows-{n}": file for n, (file, _) in self.rows.items()
        }
