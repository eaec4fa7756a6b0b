// The MCP server at an address: streamable HTTP without sessions, one JSON answer for each message. The
// standard input of `registry mcp` comes here, too.
import { registryOf } from './added.mjs'
import { Client, Refused, Unavailable } from './client.mjs'
import { Call, mostThatFit } from './excerpts.mjs'
import { Unread, bytesOf, without } from './respond.mjs'
import { answered, refusalText } from './tools.mjs'
import { checkJson, clip, encoded, isObject, isText, parsed, sizeOf } from './texts.mjs'

const [PARSE, INVALID, UNKNOWN, PARAMS, INTERNAL, MISMATCH, VERSION] = [-32700, -32600, -32601, -32602, -32603, -32020, -32022]
// In the versions with a handshake; later ones have PARAMS.
const NO_RESOURCE = -32002
const META = 'io.modelcontextprotocol/'
// The parameter that the header Mcp-Name repeats.
const NAMED = { 'tools/call': 'name', 'resources/read': 'uri' }

// An error of JSON-RPC; `status` is that of HTTP for errors before a method is called.
class Failed extends Error {
  constructor(code, message, data, status = 400) {
    super(message)
    Object.assign(this, { code, data, status })
  }
}

// Answer a request to the address.
export async function serve(request, fetchAsset, table, search, host) {
  const { methods } = table.mcp
  const headers = { ...table.headers, ...table.failed.headers }
  if (!methods.includes(request.method)) {
    const body = `${table.not_allowed}\n`
    return new Response(request.method === 'HEAD' ? null : body, { status: 405, headers: { ...headers, allow: methods.join(', '), 'content-type': table.type } })
  }
  if (request.method === 'OPTIONS') {
    const allow = { allow: methods.join(', '), ...table.preflight, 'Access-Control-Allow-Methods': methods.join(', ') }
    return new Response(null, { status: 204, headers: { ...headers, ...allow } })
  }
  const { status, body } = await posted(request, fetchAsset, table, search, host)
  return new Response(body ?? null, { status, headers: body ? { ...headers, 'content-type': table.json } : headers })
}

// The answer to a POST: { status, body }.
async function posted(request, fetchAsset, table, search, host) {
  let id = null
  try {
    const message = await messageOf(request, table.mcp)
    if (message.id === undefined) return { status: 202 }
    id = message.id
    const isModern = eraOf(message, request.headers, table.mcp)
    const result = await resultOf(message, isModern, clientFor(request, fetchAsset, table, search, host))
    return { status: 200, body: encoded({ jsonrpc: '2.0', id, result }) }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const { code, message, data, status } = error
    return { status, body: encoded({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }) }
  }
}

function clientFor(request, fetchAsset, table, search, host) {
  // Files are read with what the request may need for access, without what describes its body.
  const headers = without(request.headers, /^(content-|transfer-|accept|mcp-|origin$|expect$)/)
  const reading = new Request(request.url, { headers })
  const read = async (path, again) => {
    try {
      return await bytesOf(path, reading, fetchAsset, again)
    } catch (error) {
      throw error instanceof Unread ? new Unavailable(error.cause?.message || error.message) : error
    }
  }
  const client = new Client(table.mcp.origin ?? new URL(request.url).origin, read, search, table)
  return Object.assign(client, { registry: registryOf(reading, fetchAsset, table, search, host) })
}

// The message of a request: a request of JSON-RPC, or without `id` what needs no answer. Throws Failed.
async function messageOf(request, { most, texts }) {
  const types = (request.headers.get('accept') ?? '*/*').split(',').map((type) => type.split(';')[0].trim().toLowerCase())
  if (!types.some((type) => ['application/json', 'application/*', '*/*'].includes(type))) {
    throw new Failed(INVALID, texts.not_acceptable, undefined, 406)
  }
  if ((request.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase() !== 'application/json') {
    throw new Failed(INVALID, texts.not_json, undefined, 415)
  }
  const text = await bodyOf(request, most.request, texts)
  let message
  try {
    checkJson(text)
    message = parsed(text)
  } catch {}
  if (message === undefined) throw new Failed(PARSE, texts.parse_error)
  if (!isObject(message) || message.jsonrpc !== '2.0') throw new Failed(INVALID, texts.no_message)
  const { id, method } = message
  const params = message.params ?? {}
  if (!('method' in message) && ('result' in message || 'error' in message)) return {}
  if (!isText(method) || !isObject(params)) throw new Failed(INVALID, texts.no_message)
  if (!('id' in message)) return {}
  if (!isText(id) && !Number.isSafeInteger(id)) throw new Failed(INVALID, texts.no_message)
  return { id, method, params }
}

// The text of a body of at most `most` bytes. Throws Failed.
async function bodyOf(request, most, texts) {
  const tooLong = new Failed(INVALID, `Body must have at most ${most} bytes`, undefined, 413)
  if (Number(request.headers.get('content-length')) > most) throw tooLong
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const reader = request.body ? request.body.getReader() : { read: () => ({ done: true }) }
  let [text, length] = ['', 0]
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length
      if (length > most) break
      text += decoder.decode(part.value, { stream: true })
    }
    if (length <= most) return text + decoder.decode()
  } catch {
    throw new Failed(PARSE, texts.parse_error)
  }
  await reader.cancel()
  throw tooLong
}

const supported = ({ versions, modern }) => [...versions, modern]

// Whether a request is of the protocol without a handshake. Throws Failed if it is of no version that is answered.
function eraOf({ method, params }, headers, { versions, modern, texts }) {
  const version = headers.get('mcp-protocol-version')
  if (version === null || versions.includes(version)) return false
  const unsupported = () => new Failed(VERSION, texts.no_version, { supported: supported({ versions, modern }), requested: version })
  const { _meta: meta } = params
  const keys = [`${META}protocolVersion`, `${META}clientCapabilities`]
  const missing = isObject(meta) ? keys.filter((key) => !(key in meta)) : keys
  if (missing.length && version !== modern) throw unsupported()
  if (missing.length) throw new Failed(PARAMS, `params._meta is missing the required envelope key(s): ${missing.join(', ')}`)
  const asked = meta[keys[0]]
  const different = (name, what) => new Failed(MISMATCH, `${name} header does not match the request ${what}`)
  if (asked !== version) throw different('mcp-protocol-version', "envelope's protocol version")
  if (headers.get('mcp-method') !== method) throw different('mcp-method', "body's method")
  const name = NAMED[method]
  if (isText(params[name]) && headerText(headers.get('mcp-name')) !== params[name]) {
    throw different('mcp-name', `body's '${name}' parameter`)
  }
  if (version !== modern) throw unsupported()
  return true
}

// The text of a header, which may be =?base64?…?=; null if it is not valid.
function headerText(value) {
  const found = /^=\?base64\?(.*)\?=$/.exec(value ?? '')
  if (!found) return value
  try {
    const bytes = Uint8Array.from(atob(found[1]), (letter) => letter.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

// The result of a method. Throws Failed.
async function resultOf({ method, params }, isModern, client) {
  const { mcp } = client.table
  const known = isModern ? METHODS.modern : METHODS.handshake
  if (!Object.prototype.hasOwnProperty.call(known, method)) throw new Failed(UNKNOWN, mcp.texts.no_method, method, isModern ? 404 : 200)
  try {
    const result = await known[method](params, client, mcp)
    if (!isModern) return result
    const isKept = method !== 'tools/call'
    const _meta = { [`${META}serverInfo`]: mcp.server, ...result._meta }
    return { ...result, resultType: 'complete', ...(isKept ? { ttlMs: 0, cacheScope: 'private' } : {}), _meta }
  } catch (error) {
    if (error instanceof Failed) error.status = isModern && error.code !== INTERNAL ? 400 : 200
    if (isModern && error.code === NO_RESOURCE) error.code = PARAMS
    throw error
  }
}

const invalidParams = ({ texts }) => new Failed(PARAMS, texts.invalid_params, '')

async function initialize(params, client, mcp) {
  const { protocolVersion: version, capabilities, clientInfo } = params
  const isClient = isObject(clientInfo) && isText(clientInfo.name) && isText(clientInfo.version)
  if (!isText(version) || !isObject(capabilities) || !isClient) throw invalidParams(mcp)
  const agreed = mcp.versions.includes(version) ? version : mcp.versions[mcp.versions.length - 1]
  const { server: serverInfo, instructions } = await aboutServer(client)
  return { protocolVersion: agreed, capabilities: mcp.capabilities, serverInfo, instructions }
}

async function discover(params, client, mcp) {
  const { server, instructions } = await aboutServer(client)
  const _meta = { [`${META}serverInfo`]: server }
  return { supportedVersions: supported(mcp), capabilities: mcp.capabilities, instructions, _meta }
}

// The tools, with the name of the registry and the instructions: as they were read last, or read again.
async function toolsOf(client, again) {
  const { mcp } = client.table
  if (again || !mcp.known) mcp.known = (await client.document(mcp.tools)).data
  return mcp.known
}

// What the server says of itself, with the name of the registry as its title; less if that cannot be read.
async function aboutServer(client) {
  const { server } = client.table.mcp
  try {
    const { name: title, instructions } = await toolsOf(client, true)
    return { server: { ...server, ...(title ? { title } : {}) }, instructions }
  } catch (error) {
    if (error instanceof Unavailable) return { server }
    throw error
  }
}

// The list of tools. That other arguments are refused is said where it happens: each prompt has this list.
async function listTools(params, client, { about }) {
  const { tools } = await orUnavailable(() => toolsOf(client, true))
  const shown = ({ name, title, purpose, input: { additionalProperties, ...inputSchema } }) => {
    return { name, title, description: purpose, inputSchema, ...about }
  }
  return { tools: tools.map(shown) }
}

async function callTool(params, client) {
  const { name, arguments: given } = params
  if (!isText(name) || !(given === undefined || given === null || isObject(given))) throw invalidParams(client)
  const result = (text, isError) => ({ content: [{ type: 'text', text }], isError })
  let tool
  try {
    const { tools } = await toolsOf(client)
    tool = tools.find((one) => one.name === name)
    const names = tools.map((one) => one.name).join(', ')
    if (!tool) throw new Failed(PARAMS, `There is no such tool. One of: ${names}`)
    const { text, document } = await answered(tool, given ?? {}, client)
    return { ...result(text, false), structuredContent: document }
  } catch (error) {
    if (error instanceof Failed) throw error
    if (error instanceof Refused) return result(refusalText(tool, given ?? {}, error, client), true)
    if (!(error instanceof Unavailable)) console.error(error)
    const [code, detail] =
      error instanceof Unavailable ? ['unavailable', error.message] : ['internal', client.table.failed.detail]
    return result(encoded({ code, detail: clip(detail, 2000), next: null }), true)
  }
}

const mediaType = (uri) => (uri.endsWith('.md') ? 'text/markdown' : 'application/json')

function listResources(params, client, { resources }) {
  const shown = ([uri, title]) => ({ uri, name: uri.slice(uri.lastIndexOf('/') + 1), title, mimeType: mediaType(uri) })
  return { resources: resources.map(shown) }
}

async function readResource({ uri }, client, { resources, most }) {
  if (!isText(uri)) throw invalidParams(client)
  const place = resources.findIndex(([known]) => known === uri)
  const missing = (detail) => new Failed(NO_RESOURCE, detail, { uri: clip(uri, 2000) })
  if (place < 0) throw missing(client.texts.no_resource)
  const [text, mimeType] = await orUnavailable(async () => {
    if (place) return resourceText(uri, client, most, missing)
    const tool = (await toolsOf(client)).tools.find(({ name }) => name === 'dataset_catalog')
    return [(await answered(tool, {}, client)).text, mediaType(uri)]
  })
  return { contents: [{ uri, mimeType, text }] }
}

// The text of a file and its media type, cut to the room of an answer.
async function resourceText(uri, client, most, missing) {
  const path = uri.slice('registry://'.length)
  const bytes = await client.read(path)
  if (!bytes) throw missing(`This registry has no ${path}.`)
  const { room } = new Call('', {}, most)
  const fits = (some) => sizeOf(some) <= room
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, room))
  if (bytes.length <= room && fits(text)) return [text, mediaType(uri)]
  const note = `\nCut to ${Math.floor(most.answer / 1024)} KiB. All of it: ${client.where}${path}\n`
  const letters = [...text]
  const cut = (count) => letters.slice(0, count).join('') + note
  return [cut(mostThatFit(letters.length, cut, { fits })), 'text/plain']
}

// The value of `work`; throws Failed if the registry cannot be read.
async function orUnavailable(work) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unavailable) throw new Failed(INTERNAL, clip(error.message, 2000))
    if (error instanceof Refused) throw new Failed(PARAMS, clip(error.detail, 2000))
    throw error
  }
}

// A method that gives a whole list at once: no cursor leads further.
const whole = (list) => (params, client, mcp) => {
  if ((params.cursor ?? null) !== null) throw new Failed(PARAMS, mcp.texts.no_cursor)
  return list(params, client, mcp)
}

const BOTH = {
  'tools/list': whole(listTools),
  'tools/call': callTool,
  'resources/list': whole(listResources),
  'resources/templates/list': whole((params, client, { template }) => ({ resourceTemplates: [template] })),
  'resources/read': readResource,
}
const METHODS = { handshake: { ...BOTH, initialize, ping: () => ({}) }, modern: { ...BOTH, 'server/discover': discover } }
