// What features add to the engine with `edge.add` (docs/extending.md): answers at addresses of their own, and tools.
import { refusal, respond, without } from './respond.mjs'
import { isAt, problem } from './route.mjs'
import { encoder } from './texts.mjs'

const features = []

// Add a feature: { name, paths, forms, answer, tools }.
export function add(feature) {
  features.push(feature)
}

// The answer of a feature to a call of a tool.
export function answeredTool(name, args, registry) {
  const feature = features.find(({ tools = {} }) => Object.hasOwn(tools, name))
  return named(feature, () => feature.tools[name](args, registry))
}

// What `work` of a feature returns. An unexpected error names the feature.
async function named({ name }, work) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Response || error?.status) throw error
    throw new Error(`The feature ${name} failed: ${error}. Tell its authors, or uninstall it.`, { cause: error })
  }
}

// Answer a request for an address of a feature; undefined for other addresses.
export async function answeredByFeature(request, fetchAsset, table, search, host) {
  const { pathname, search: query, origin } = new URL(request.url)
  const at = (path) => isAt(path, pathname, table)
  const feature = features.find(({ paths = [] }) => paths.some(at))
  if (!feature) return undefined
  const posted = request.method === 'POST' && feature.forms
  const allow = [...table.methods, ...(feature.forms ? ['POST'] : [])]
  if (!table.methods.includes(request.method) && !posted) return host.allowed({ status: 405, allow }, table)
  if (request.method === 'OPTIONS') return host.allowed({ status: 204, allow }, table)
  const head = request.method === 'HEAD'
  try {
    const form = posted ? await request.text() : null
    if (form !== null && encoder.encode(form).length > feature.forms) throw tooLarge(feature.forms)
    const asked = { path: feature.paths.find(at), query: query.slice(1), form, origin }
    const found = await named(feature, () => feature.answer(asked, registryOf(request, fetchAsset, table, search, host)))
    const { body, type } = found?.type ? found : { body: `${JSON.stringify(found)}\n`, type: table.json }
    return new Response(head ? null : body, { headers: { ...table.headers, 'content-type': type } })
  } catch (error) {
    if (error instanceof Response) return error
    if (error.status) return refusal(error, table, head)
    throw error
  }
}

const tooLarge = (most) => ({ status: 413, title: 'Content Too Large', detail: `A form has at most ${most} bytes here.` })

// The registry as features see it.
export function registryOf(request, fetchAsset, table, search, host) {
  const headers = without(request.headers, /^(content-|transfer-|accept|if-|range$|mcp-|origin$|expect$)/)
  const reading = (address) => new Request(new URL(request.url).origin + address, { headers })
  return {
    // The path of the base URL, such as /registry.
    prefix: table.prefix,
    // The document that answers an address, such as /api/projects?mode=count; a refusal becomes that of the feature.
    async ask(address) {
      const response = await respond(reading(address), fetchAsset, table, search, host)
      if (!response.ok) throw response
      return JSON.parse(await response.text())
    },
    // The bytes of a published file, such as /api/index.json; null if it is missing.
    async read(path) {
      const response = await fetchAsset(path, { headers })
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
    },
    // A refusal to throw; `code` is one of the API's.
    problem: (code, detail, allowed) => problem(table, code, detail, allowed),
  }
}
