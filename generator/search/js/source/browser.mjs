// The exports of the module for browsers: they are put into `edge`, which the script defines before this bundle.
import { crc32, jsonOf } from './bytes.mjs'
import { Unfolded } from './folding.mjs'
import { Unfetched, fetchMore } from './later.mjs'
import { unread } from './refusals.mjs'
import { Unread, bytesOf, failed, refusal, respond } from './respond.mjs'
import { route } from './route.mjs'
import { prepare, search } from './search.mjs'

// Answer a query; with `part`, [from, to], only these rows of a page, unless a prepared file has them all, and of a search
// over everything `to` rows in all. Throws the error of a file that cannot be fetched.
edge.respond = async (request, fetchAsset, table, part) => {
  try {
    return await responded(request, fetchAsset, table, part)
  } catch (error) {
    if (error instanceof Unread) throw error.cause
    return failed(error, request, table)
  }
}

// What most queries do not need is fetched when it is first needed: more.mjs, and the folding of texts beyond ASCII, of which
// the table only names the file.
async function responded(request, fetchAsset, table, part) {
  const { file, check } = table.folding
  const found = part ? (query, ...more) => search({ ...query, part }, ...more) : search
  try {
    return await respond(request, fetchAsset, table, found)
  } catch (error) {
    if (error instanceof Unfetched) await fetchMore(table.more)
    else if (error instanceof Unfolded) {
      const bytes = await bytesOf(file, request, fetchAsset).catch(() => null)
      if (!bytes || crc32(bytes) !== check) return refusal(unread(file, table), table)
      table.folding = jsonOf(bytes)
    } else throw error
  }
  return responded(request, fetchAsset, table, part)
}

// Read ahead what a query needs before its rows; the files stay in the cache of this module.
edge.prepare = async (request, fetchAsset, table) => {
  const { pathname, search: raw } = new URL(request.url)
  const { query } = route('GET', pathname, raw.slice(1), table)
  if (query && query.mode !== 'count') await prepare(query, (path, again) => bytesOf(path, request, fetchAsset, again), table)
}
