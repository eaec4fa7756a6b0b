"""Cloudflare, Workers with static assets and Pages: one script answers the query URLs on both.

The script runs before the asset server, which alone would answer OPTIONS with 405 and a missing
file without a problem document.  The settings in wrangler.jsonc keep the asset server from
guessing.  There is no `_redirects`, because Cloudflare ignores queries in rules.

Sources: developers.cloudflare.com/workers/static-assets/routing/worker-script,
.../static-assets/headers, developers.cloudflare.com/pages/functions/advanced-mode and
.../functions/routing.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact, encode_json
from generator.hosts import HostLimits
from generator.hosts import _header_files as header_files
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

# 20,000 files on the free plan, 100,000 on others; 25 MiB each
# (developers.cloudflare.com/workers/platform/limits).
LIMITS = HostLimits(files=20_000, file_bytes=25 * 1024 * 1024)
FUNCTIONS = True

WAY_OUT = (
    "the paid plan takes 100,000 files, and a build in an R2 bucket any number (registry host r2)"
)

WORKER, ROUTES = "/_worker.js", "/_routes.json"

_ADAPTER = """\
export default {
  fetch(request, env) {
    const fetch = (path, init) => env.ASSETS.fetch(new Request(beside(path, request.url), init))
    return respond(request, fetch, table, search)
  },
}
"""
_CONFIGURATION = """\
// Cloudflare Workers.  Put this file beside the output folder, as wrangler.jsonc; then
//     registry build --host cloudflare && npx wrangler deploy
// Pages need no such file:  npx wrangler pages deploy build
"""


def render(symbols: Symbols) -> Iterator[Artifact]:
    from generator.engine import scripts

    yield Artifact(WORKER, scripts.module(symbols.grammar, _ADAPTER, warm=True))
    yield Artifact("/_headers", header_files.headers_file(symbols.grammar))
    # Workers would publish these two files, which are only for Pages.
    yield Artifact("/.assetsignore", f"{WORKER[1:]}\n{ROUTES[1:]}\n".encode())
    yield Artifact(ROUTES, encode_json({"version": 1, "include": ["/*"], "exclude": []}))


def outside(settings: Settings) -> Iterator[Artifact]:
    """The configuration of `wrangler deploy`, which belongs beside the output."""
    # Without the last two, the asset server redirects from addresses of files and answers for
    # missing files itself.
    assets = {
        "directory": "build",
        "binding": "ASSETS",
        "run_worker_first": True,
        "html_handling": "none",
        "not_found_handling": "none",
    }
    yield header_files.configuration(_CONFIGURATION, settings, f"build{WORKER}", assets=assets)
