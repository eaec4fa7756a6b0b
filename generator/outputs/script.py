"""search.js: the resolver and the query tier as a module for browsers and Node, which reads the
files beside itself; and folding.txt, how texts beyond ASCII are folded, which few queries need.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.folding import FILE
from generator.grammar.paths import FOLDING, SEARCH_SCRIPT
from generator.model.symbols import Symbols
from generator.search import js

# The browser asks whether its copies are good, but of what an answer is made of: the manifest tells
# what each of those files has to hold.  The manifest itself, kept for a minute, would be of the
# build before.
_ADAPTER = """\
const site = new URL('%s', import.meta.url)
const cacheOfFile = (path) => (path.endsWith('/manifest.json') ? 'no-cache' : 'force-cache')
const cacheOf = (path, again) =>
  again ? 'reload' : again === false ? cacheOfFile(path) : 'no-cache'
const fetchBeside = (path, init, again) =>
  fetch(new URL(`.${path}`, site), { cache: cacheOf(path, again) })
// The Response to a query URL: await ask('/api/projects?mode=page&q=robot').
// `fetchFile(path, init, again)` gives the Response of a canonical file, with `again` as it is
// there and not as it was kept; without it files are fetched from where this module lies.
export async function ask(target, fetchFile = fetchBeside) {
  const asked = new Request(new URL(target, 'https://registry.invalid'))
  return respond(asked, fetchFile, table)
}
"""


def render(symbols: Symbols) -> Iterator[Artifact]:
    yield Artifact(
        SEARCH_SCRIPT,
        js.browsers(symbols.grammar, _ADAPTER % ("../" * (SEARCH_SCRIPT.count("/") - 1))),
    )
    yield Artifact(FOLDING, FILE.read_bytes())
