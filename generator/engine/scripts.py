"""The scripts for hosts and browsers: a bundle of the engine with the table of a registry.

edge.js, browser.js, more.js and cloudfront.js are bundles of the sources in search/js (`make
bundle`).  The adapters of hosts are in generator.hosts, that of browsers in
generator.outputs.descriptions.

A script may search an index of a few made-up records when it starts: engines compile a function
when it is first called, and a first query would pay for all of them.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any
from zlib import crc32

from generator.engine.bundles import bundle
from generator.engine.context import Context, Request
from generator.engine.packing import pack
from generator.engine.table import routing, table, targets
from generator.grammar import paths
from generator.grammar.filters import Facet
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.refusals import FAILED_IN_BROWSER
from generator.grammar.routes import NO_PATH, services
from generator.kinds import built_in
from generator.model.symbols import Symbols
from generator.model.tables.table import Row, tabulate
from generator.model.tables.texts import TextRows
from generator.search.index import CollectionIndex
from generator.search.terms import added_terms, terms_from_model
from generator.text import folding

_NAMES = ("Solar pump", "Solar roof", "Wind pump")


def sample() -> dict[str, Any]:
    """What a script answers when it starts (search/js/source/warm.mjs)."""
    grammar, files = sample_index()
    settings, c = table(grammar), grammar.first
    columns = {c.name: settings["index"]["columns"][c.name]}
    return {
        "root": c.root, "lists": settings["lists"][:1], "columns": columns,
        "queries": queries(c), "files": files,
    }  # fmt: skip


def queries(collection: Collection) -> tuple[str, str]:
    """Queries that call nearly all functions of an engine: words, filters, pages and sorts."""
    year = "&year=2020" if "year" in collection.filters else ""
    sort = f"&sort={collection.sorts[1]}" if collection.sorts[1:] else ""
    return f"mode=page&q=solar+pump{year}{sort}", f"mode=page&q=solar{year}"


@cache
def sample_index() -> tuple[Grammar, dict[str, str]]:
    """The grammar of the sample, and the files that its queries read, Base64 by path."""
    grammar = Grammar(built_in())
    symbols = Symbols(grammar, {}, frozenset(), {}, {})
    rows = [_row(number, name, grammar.first) for number, name in enumerate(_NAMES)]
    texts = TextRows()
    texts.add(_texts(row, symbols) for row in rows)
    table = tabulate(grammar.first, rows, texts)
    settings: Any = SimpleNamespace(page_size=10, language="en")
    registry: Any = SimpleNamespace(settings=settings, symbols=symbols, as_of=date(2020, 1, 1))
    index = CollectionIndex(table, registry)
    return grammar, _read_by(grammar, index)


def _texts(row: Row, symbols: Symbols) -> list[bytes]:
    fields = ("summary", "description", "website", "locations", "aliases")
    record: dict[str, Any] = {"name": row.name, "tags": {}, **dict.fromkeys(fields)}
    words = terms_from_model(symbols.grammar.first.name, SimpleNamespace(**record), symbols)
    summary = f'{{"slug":"{row.slug}","name":"{row.name}"}}'
    return [text.encode() for text in (summary, "", words, *added_terms(row.slug, record))]


def _row(number: int, name: str, collection: Collection) -> Row:
    slug = name.lower().replace(" ", "-")
    numbers = tuple(2020 if of == "year" else number for of in collection.numbers)
    facets = tuple(Facet(of, "2020") for of in collection.filters if of == "year")
    return Row(slug, name, slug, numbers, "", facets, (), (), {}, (), number)


def _read_by(grammar: Grammar, index: CollectionIndex) -> dict[str, str]:
    files, checks, wanted = dict[str, bytes](), {}, dict[str, str]()
    for part in index.parts():
        artifacts, checks[part] = index.render(part)
        files |= {artifact.path: artifact.data for artifact in artifacts}
    manifest = index.manifest(checks)
    files[manifest.path] = manifest.data

    def read(paths: Any) -> list[bytes | None]:
        found = [files.get(path) for path in paths]
        wanted.update(
            {
                path: b64encode(data).decode()
                for path, data in zip(paths, found, strict=True)
                if data
            }
        )
        return found

    engine = Context(json.dumps(table(grammar)))
    for query in queries(grammar.first):
        engine.respond(Request(f"{grammar.first.root}?{query}"), read)
    return wanted


#: A key of an object in JSON that needs no quotes in JavaScript.  Quotes in a text of JSON have a
#: backslash before them.
_QUOTED_KEY = re.compile(r'(?<=[{,])"([A-Za-z_]\w*)":')


def module(grammar: Grammar, adapter: str, warm: bool = False) -> bytes:
    """A module: the table, the bundle for current engines, and an adapter, which can use `table`,
    `beside`, `respond` and `search`.  With `warm` it answers queries of a sample when it starts:
    for hosts that do not count that time as a request's.
    """
    scope = "const { beside, respond, search } = edge\n"
    start = f"await edge.warm({_json(sample())}, table)\n" if warm else ""
    opening = _opening(table(grammar))
    return f"{opening}{bundle('edge')}{scope}{start}{adapter}".encode()


def browsers(grammar: Grammar, adapter: str) -> bytes:
    """The same for browsers: without headers, and without the folding of texts beyond ASCII and
    what `second` has, which the script fetches when it needs them.
    """
    separate_folding = {
        "unicode": folding.folding_table()["unicode"],
        "file": paths.FOLDING,
        "check": crc32(folding.TABLE_FILE.read_bytes()),
    }
    more = {"file": f"./{PurePosixPath(paths.SEARCH_MORE).name}", "check": _check_of_both()}
    separate = {"folding": separate_folding, "more": more}
    settings = table(grammar, "browser") | {"headers": {}, **separate}
    del settings["preflight"], settings["not_allowed"], settings["failed"]["headers"]
    settings["failed"]["detail"] = FAILED_IN_BROWSER
    opening = _QUOTED_KEY.sub(r"\1:", _opening(settings))
    return f"{opening}{bundle('browser')}{adapter}".encode()


def second() -> bytes:
    """The second script for browsers, with what few queries need.  Its export has the check of both
    scripts in its name, so that each only works with the other.
    """
    return f"export const of{_check_of_both()}=edge=>{{\n{bundle('more')}}}\n".encode()


@cache
def _check_of_both() -> int:
    return crc32(f"{bundle('browser')}{bundle('more')}".encode())


def cloudfront(grammar: Grammar, moved: Mapping[str, str], common: Mapping[str, str]) -> bytes:
    """The CloudFront Function, a script that only routes and fetches nothing, with a packed table,
    because it has little room.  `moved` has slugs by collection and former slug, such as
    `projects/acme`, `common` the headers of all answers.  CloudFront takes the names of headers in
    lower case.
    """
    handler = "function handler(event){return edge.handler(event)}\n"
    former = {key.partition("/")[0] for key in moved}
    refers = {name: found for name, found in targets(grammar, former).items() if found}
    settings = routing(grammar) | {"headers": common, "refers": refers}
    settings["not_allowed"] = json.loads(settings["not_allowed"])
    for key in ("headers", "preflight"):
        settings[key] = {name.lower(): value for name, value in settings[key].items()}
    # Addresses that need a query tier are refused alike.
    found = [each.pattern for each in reversed(services(grammar))] or [NO_PATH]
    settings["service"] = "|".join(f"^{each}$" for each in found)
    escaped = (re.sub(r"['\\]", r"\\\g<0>", text) for text in pack(_json(settings)))
    packed = "','".join(escaped)
    opening = f"const packed=['{packed}'],moved={_json(moved)},edge={{}};\n"
    return f"{opening}{bundle('cloudfront')}{handler}".encode()


def _opening(table: dict[str, Any]) -> str:
    """The code before a bundle: the table, and the object for the bundle's exports."""
    return f"const table={_json(table)},edge={{}};\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
