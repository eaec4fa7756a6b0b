"""search.js: a module for browsers and Node that answers queries from the files beside it; and
folding.txt: how to fold texts beyond ASCII, which few queries need.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.engine import scripts
from generator.grammar.paths import FOLDING, SEARCH_SCRIPT
from generator.model.symbols import Symbols
from generator.text.folding import TABLE_FILE

ADDRESSES = (SEARCH_SCRIPT, FOLDING)

# The browser revalidates its copies of lists and of the manifest of the index.  Other files of the
# index come from its cache, because the manifest says what each of them must contain.
_ADAPTER = """\
const site = new URL('%s', import.meta.url)
const cacheOfFile = (path) => (path.endsWith('/manifest.json') ? 'no-cache' : 'force-cache')
const cacheOf = (path, again) =>
  again ? 'reload' : again === false ? cacheOfFile(path) : 'no-cache'
const asked = (target) => new Request(new URL(target, 'https://registry.invalid'))
export const fetchBeside = (path, init, again) =>
  fetch(new URL(`.${path}`, site), { cache: cacheOf(path, again) })
export async function ask(target, fetchFile = fetchBeside, part = undefined) {
  return respond(asked(target), fetchFile, table, part)
}
export async function prepare(target, fetchFile = fetchBeside) {
  return edge.prepare(asked(target), fetchFile, table)
}
"""


def render(symbols: Symbols) -> Iterator[Artifact]:
    root = "../" * (SEARCH_SCRIPT.count("/") - 1)
    yield Artifact(SEARCH_SCRIPT, scripts.browsers(symbols.grammar, _ADAPTER % root))
    yield Artifact(FOLDING, TABLE_FILE.read_bytes())
