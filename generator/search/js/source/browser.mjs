// The exports of the module for browsers: they are put into `edge`, which the script defines before this bundle.
import { crc32 } from './bytes.mjs'
import { Unfolded } from './folding.mjs'
import { unavailable } from './refusals.mjs'
import { bytesOf, refusal, respond } from './respond.mjs'
import { search } from './search.mjs'

// Answer a query. The table only names the file with the folding of texts beyond ASCII; it is fetched when it is first
// needed.
edge.respond = async (request, fetchAsset, table) => {
  const { file, check } = table.folding
  try {
    return await respond(request, fetchAsset, table, search)
  } catch (error) {
    if (!(error instanceof Unfolded)) throw error
  }
  const bytes = await bytesOf(file, request, fetchAsset).catch(() => null)
  if (!bytes || crc32(bytes) !== check) {
    return refusal(unavailable(`${file} cannot be read, or is from another version.`, table), table)
  }
  table.folding = JSON.parse(new TextDecoder().decode(bytes))
  return respond(request, fetchAsset, table, search)
}
