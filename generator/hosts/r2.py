"""Cloudflare R2: a worker that answers from a bucket.

The bucket has a tree for each published build, and `/current.json`, the pointer, names the current
tree (generator.contract.files).  The worker answers queries and files from the objects of that
tree.  `registry publish` sets the types of the objects.

Sources: developers.cloudflare.com/r2/api/workers/workers-api-reference (get, head,
writeHttpMetadata, httpEtag) and developers.cloudflare.com/workers/runtime-apis/web-standards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.contract.files import MAX_POINTER, POINTER, TREE_PATTERN, TREES
from generator.hosts import HostLimits
from generator.hosts import _header_files as header_files
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

LIMITS = HostLimits()
FUNCTIONS = True

#: Seconds that the worker keeps a pointer, as long as caches keep lists.
_POINTER_AGE = 60
_ADAPTER = """\
const said = %s.map(([path, headers]) => [new RegExp(path), Object.entries(headers)])
const isTree = (name) => typeof name === 'string' && /^%s$/.test(name)
const empty = (status, headers) => new Response(null, { status, headers })
// The tree that the pointer names, and until when it is believed.
let tree, until = 0

// Where the files of the tree lie, undefined where nothing was published.  What is no pointer
// changes nothing.
async function place({ BUCKET, PREFIX }, anew) {
  const before = PREFIX ? `${PREFIX}/` : ''
  if (anew || Date.now() >= until) {
    const pointer = await BUCKET.get(before + '%s')
    try {
      const now = pointer && pointer.size <= %d ? JSON.parse(await pointer.text()) : {}
      if (now.kind === 'pointer' && isTree(now.tree)) [tree, until] = [now.tree, Date.now() + %d]
    } catch {}
  }
  return tree && `${before}%s/${tree}`
}

// An object's name is spelled in one way, so none is found by a slash that is encoded.
function named(path) {
  try {
    return /%%2f/i.test(path) ? undefined : decodeURIComponent(path)
  } catch {
    return undefined
  }
}

const has = (header, etag) => header.trim() === '*' || header.split(/[ ,/]+/).includes(etag)

// The first and the last byte that a request asks for, as in RFC 9110 section 14.1.2; undefined for
// the whole object.  The last is before the first if the object has none of the bytes.
function part(asked, size) {
  const [, first, last] = /^bytes=([0-9]*)-([0-9]*)$/.exec(asked.get('range') ?? '') ?? []
  if (!first && !last || asked.has('if-range')) return undefined
  if (!first) return [Math.max(size - last, 0), size - 1]
  if (last && +last < +first) return undefined
  return [+first, Math.min(+(last || size), size - 1)]
}

async function object(bucket, root, path, init) {
  const name = named(path)
  const head = init.method === 'HEAD'
  const asked = new Headers(init.headers)
  const sized = head || asked.has('range')
  let found = name && await (sized ? bucket.head(root + name) : bucket.get(root + name))
  if (!found) return empty(404)
  const headers = new Headers({ 'accept-ranges': 'bytes' })
  found.writeHttpMetadata(headers)
  headers.set('etag', found.httpEtag)
  for (const [, more] of said.filter(([where]) => where.test(name))) {
    for (const [key, value] of more) headers.set(key, value)
  }
  const [wanted, known] = ['if-match', 'if-none-match'].map((key) => asked.get(key))
  if (wanted !== null && !has(wanted, found.httpEtag)) return empty(412, headers)
  if (known !== null && has(known, found.httpEtag)) return empty(304, headers)
  if (head) return empty(200, headers)
  if (!sized) return new Response(found.body, { headers })
  const bytes = part(asked, found.size)
  if (!bytes) return new Response((await bucket.get(root + name)).body, { headers })
  const [first, last] = bytes
  headers.set('content-range', `bytes ${last < first ? '*' : `${first}-${last}`}/${found.size}`)
  if (last < first) return empty(416, headers)
  found = await bucket.get(root + name, { range: { offset: first, length: last - first + 1 } })
  return new Response(found.body, { status: 206, headers })
}

function unavailable(detail) {
  const { status, title, headers } = table.unavailable
  const body = `${JSON.stringify({ type: 'about:blank', title, status, detail })}\\n`
  const more = { ...headers, 'content-type': table.type }
  return new Response(body, { status, headers: { ...table.headers, ...more } })
}

export default {
  async fetch(request, env) {
    try {
      let root = await place(env)
      if (!root) return unavailable('Nothing is published in this bucket yet.')
      let looked = false
      return await respond(request, async (path, init = {}, again) => {
        if (again && !looked) [looked, root] = [true, await place(env, true)]
        return object(env.BUCKET, root, path, init)
      }, table, search)
    } catch {
      return unavailable('The bucket cannot be read just now.')
    }
  },
}
"""
_INSTALL = """\
// Generated by `registry host r2`, anew when the tag families or the base URL change.  A worker
// that answers from the bucket that wrangler.jsonc names, beside this file.
"""
_CONFIGURATION = """\
// Cloudflare Workers, before an R2 bucket.  Name the bucket, and with PREFIX the folder in it that
// was published into, without slashes at its ends; put this file beside r2-worker.js, and
//     npx wrangler deploy
// Builds are published with  registry build --host r2 --out s3://BUCKET/PREFIX
"""


def outside(symbols: Symbols, settings: Settings) -> Iterator[Artifact]:
    """The worker, and the configuration that deploys it."""
    from generator.engine import scripts

    # The worker reads files by their paths in the output, which have no prefix.
    headers = [
        (header_files.pattern_regex(path), values)
        for path, values in header_files.headers_by_pattern(symbols.grammar.kinds, "")
    ]
    milliseconds = _POINTER_AGE * 1000
    values = json.dumps(headers), TREE_PATTERN, POINTER[1:], MAX_POINTER, milliseconds, TREES[1:]
    worker = _INSTALL.encode() + scripts.module(symbols.grammar, _ADAPTER % values, warm=True)
    yield Artifact("/r2-worker.js", worker)
    bucket = {"binding": "BUCKET", "bucket_name": header_files.worker_name(settings)}
    more = {"r2_buckets": [bucket], "vars": {"PREFIX": ""}}
    yield header_files.configuration(_CONFIGURATION, settings, "r2-worker.js", **more)
