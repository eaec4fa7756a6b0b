// A record's file with the files of the manifest that prove it.
import { Unavailable } from './client.mjs'
import { encoder, parsed } from './texts.mjs'

const FOLDER = '/api/manifest'
const [ROOT, SNAPSHOT] = [`${FOLDER}/root.json`, `${FOLDER}/snapshot.json`]

const digestOf = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

// The proof of a published file. Throws Unavailable.
export async function proofOf(path, client) {
  const root = await client.read(ROOT)
  if (!root) throw new Unavailable('This registry has no manifest, so nothing can be proved.')
  const { bits, snapshot } = client.parse(root, ROOT)
  // The snapshot has no parts up to this number of bits.
  const { flat } = client.table.mcp
  const files = {}
  const checked = async (name, sha256) => {
    const bytes = await client.read(name)
    if (!bytes || hex(await digestOf(bytes)) !== sha256) {
      throw new Unavailable(`${name}: ${bytes ? 'its bytes differ' : 'it is missing'}`)
    }
    files[name] = await packed(bytes)
    return parsed(bytes).data
  }
  const [first] = new Uint32Array(Uint8Array.from((await digestOf(encoder.encode(path))).slice(0, 4).reverse()).buffer)
  const number = bits ? first >>> (32 - bits) : 0
  const perPart = 2 ** (bits > flat ? bits - Math.floor(bits / 2) : bits)
  let hashes = await checked(SNAPSHOT, snapshot.sha256)
  if (bits > flat) {
    const part = Math.floor(number / perPart)
    hashes = await checked(`${FOLDER}/snapshot/${part}.json`, hashes[part])
  }
  const bin = await checked(`${FOLDER}/bins/${number}.json`, hashes[number % perPart])
  const entry = bin.find(([name]) => name === path)
  if (!entry) throw new Unavailable(`${path}: it was not published`)
  await checked(path, entry[2])
  return { root: new TextDecoder().decode(root), files }
}

// Bytes deflated (RFC 1950), in base64.
async function packed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  const short = new Uint8Array(await new Response(stream).arrayBuffer())
  return btoa(Array.from(short, (byte) => String.fromCharCode(byte)).join(''))
}
