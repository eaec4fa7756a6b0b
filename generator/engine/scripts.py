"""The scripts for hosts and browsers: a bundle of the engine with the table of a registry.

edge.js, browser.js and cloudfront.js are bundles of the sources in search/js (`make bundle`).  The
adapters of hosts are in generator.hosts, that of browsers in generator.outputs.script.
"""

from __future__ import annotations

import json
import re
from typing import Any
from zlib import crc32

from generator.engine.bundles import bundle
from generator.engine.sample import sample
from generator.engine.table import routing, table
from generator.grammar import paths
from generator.grammar.grammar import Grammar
from generator.grammar.refusals import FAILED_IN_BROWSER
from generator.grammar.routes import NO_PATH, services
from generator.text import folding

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
    """The same for browsers: without headers, and with the folding of texts beyond ASCII in a
    separate file, which the script fetches when it needs it.
    """
    separate_folding = {
        "unicode": folding.folding_table()["unicode"],
        "file": paths.FOLDING,
        "check": crc32(folding.TABLE_FILE.read_bytes()),
    }
    settings = table(grammar, "browser") | {"headers": {}, "folding": separate_folding}
    del settings["preflight"], settings["not_allowed"]
    settings["failed"] |= {"detail": FAILED_IN_BROWSER, "headers": {}}
    opening = _QUOTED_KEY.sub(r"\1:", _opening(settings))
    return f"{opening}{bundle('browser')}const {{ respond }} = edge\n{adapter}".encode()


def cloudfront(grammar: Grammar, **more: Any) -> bytes:
    """The CloudFront Function, a script that only routes and fetches nothing.  `more` is added to
    the table, whose keys have no quotes: a function has little room.
    """
    handler = "function handler(event){return edge.handler(event)}\n"
    settings = routing(grammar)
    # Addresses that need a query tier are refused alike.
    found = [each.pattern for each in reversed(services(grammar))] or [NO_PATH]
    settings["service"] = "|".join(f"^{each}$" for each in found)
    opening = _QUOTED_KEY.sub(r"\1:", _opening(settings | more))
    return f"{opening}{bundle('cloudfront')}{handler}".encode()


def _opening(table: dict[str, Any]) -> str:
    """The code before a bundle: the table, and the object for the bundle's exports."""
    return f"const table={_json(table)},edge={{}};\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
