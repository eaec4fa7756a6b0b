"""Cloudflare, Workers with static assets and Pages: one script answers the query URLs on both.

Workers look for a file first and run the script when there is none, so canonical addresses cost no invocation; the
settings in wrangler.jsonc keep the asset server from guessing.  Pages runs the script where `_routes.json` says so.
`_redirects` is for other hosts: Cloudflare drops whatever a rule says of a query.

Sources: developers.cloudflare.com/workers/static-assets/routing/worker-script, .../static-assets/headers,
developers.cloudflare.com/pages/functions/advanced-mode and .../functions/routing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from generator import edge, header_files
from generator.artifact import Artifact, encode
from generator.hosts import Limits
from generator.kinds.frame import Frame
from generator.query import INDEX, slugify
from generator.settings import Settings

# developers.cloudflare.com/workers/platform/limits: 20,000 files on the free plan, 100,000 on others; 25 MiB each.
LIMITS = Limits(files=20_000, file_bytes=25 * 1024 * 1024)

WORKER, ROUTES = "/_worker.js", "/_routes.json"

_ADAPTER = """\
export default {
  fetch(request, env) {
    return respond(request, (path, init) => env.ASSETS.fetch(new Request(new URL(path, request.url), init)), table, search)
  },
}
"""
_CONFIGURATION = """\
// Cloudflare Workers.  Put this file beside the output folder, as wrangler.jsonc; then
//     registry build --host cloudflare && npx wrangler deploy
// Pages need no such file:  npx wrangler pages deploy build
"""


def render(frame: Frame) -> Iterator[Artifact]:
    yield Artifact(WORKER, edge.module(frame.grammar, _ADAPTER))
    yield Artifact("/_headers", header_files.file(frame.grammar))
    # Files of Pages, which Workers would publish.
    yield Artifact("/.assetsignore", f"{WORKER[1:]}\n{ROUTES[1:]}\n".encode())
    root = INDEX.rpartition("/")[0]
    prefixes = dict.fromkeys(("", frame.grammar.prefix))
    # Everything under a base URL's path lies elsewhere, so only the script finds it.
    include = [f"{root}/*", *(f"{prefix}/*" for prefix in prefixes if prefix)]
    exclude = [f"{root}/*{ending}" for ending in (".json", ".ics", ".md", ".js", ".bin", ".txt")]
    yield Artifact(ROUTES, encode({"version": 1, "include": include, "exclude": exclude}))


def outside(frame: Frame, settings: Settings, aliases: Sequence[tuple[str, str, str]]) -> Iterator[Artifact]:
    """What lies beside the output: the configuration of `wrangler deploy`."""
    configuration = {
        "$schema": "node_modules/wrangler/config-schema.json",
        "name": slugify(settings.name)[:50].strip("-") or "registry",
        "main": f"build{WORKER}",
        "compatibility_date": "2025-10-01",
        # Without these two, the asset server redirects addresses of files and answers misses itself.
        "assets": {"directory": "build", "binding": "ASSETS", "html_handling": "none", "not_found_handling": "none"},
    }
    yield Artifact("/wrangler.jsonc", (_CONFIGURATION + json.dumps(configuration, indent=2) + "\n").encode())
