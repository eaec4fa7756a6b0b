// What the module for browsers uses: put into `edge`, which the script has before this.
import { crc32 } from './bytes.mjs'
import { Unfolded } from './folding.mjs'
import { unavailable } from './refusals.mjs'
import { bytesOf, refusal, respond } from './respond.mjs'
import { search } from './search.mjs'

// The Response to a query, with a table that only says where the folding of texts beyond ASCII is: it is read when the first is
// asked for.
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
