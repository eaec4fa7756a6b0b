// The web's classes that the engine uses, as far as it uses them, for QuickJS, which has none; and `bridge`, which
// context.py calls.  Nothing here calls Python: `fetch` queues what is wanted, and context.py answers the queue.
// Bytes cross as Base64, which QuickJS decodes and encodes natively.
'use strict'
{
  const ASCII = /^[\x00-\x7f]*$/
  const latinOf = (bytes) => atob(bytes.toBase64())
  const bytesOfLatin = (text) => Uint8Array.fromBase64(btoa(text))

  // --- Encoding (https://encoding.spec.whatwg.org/) ---

  globalThis.TextEncoder = class {
    encode(text = '') {
      const whole = `${text}`.toWellFormed()
      return bytesOfLatin(ASCII.test(whole) ? whole : unescape(encodeURIComponent(whole)))
    }
  }

  globalThis.TextDecoder = class {
    constructor(_, { fatal = false, ignoreBOM = false } = {}) {
      Object.assign(this, { fatal, ignoreBOM, parts: [] })
    }

    decode(given = new Uint8Array(), { stream = false } = {}) {
      this.parts.push(ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array(given))
      if (stream) return ''
      let bytes = joined(this.parts)
      this.parts = []
      if (!this.ignoreBOM && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
      const latin = latinOf(bytes)
      if (ASCII.test(latin)) return latin
      try {
        return decodeURIComponent(escape(latin))
      } catch {
        if (this.fatal) throw new TypeError('The bytes are not UTF-8.')
        return replaced(bytes)
      }
    }
  }

  function joined(parts) {
    if (parts.length === 1) return parts[0]
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
    let start = 0
    for (const part of parts) {
      all.set(part, start)
      start += part.length
    }
    return all
  }

  // The text of bytes that are not UTF-8: the standard's decoder, with U+FFFD for each part that is not valid.
  function replaced(bytes) {
    let [text, code, needed, least, most] = ['', 0, 0, 0x80, 0xbf]
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]
      if (needed && byte >= least && byte <= most) {
        ;[code, least, most] = [code * 64 + (byte & 63), 0x80, 0xbf]
        if (--needed === 0) text += String.fromCodePoint(code)
      } else if (needed) {
        ;[text, needed, least, most] = [text + '\ufffd', 0, 0x80, 0xbf]
        i-- // it may begin a character
      } else if (byte < 0x80) text += String.fromCharCode(byte)
      else if (byte >= 0xc2 && byte <= 0xf4) {
        needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
        code = byte & (needed === 1 ? 31 : needed === 2 ? 15 : 7)
        least = { 0xe0: 0xa0, 0xf0: 0x90 }[byte] ?? 0x80
        most = { 0xed: 0x9f, 0xf4: 0x8f }[byte] ?? 0xbf
      } else text += '\ufffd'
    }
    return needed ? text + '\ufffd' : text
  }

  // --- URL (https://url.spec.whatwg.org/), of http and https with a plain host ---

  const percentEncoded = (unsafe) => (text) =>
    text
      .replace(/[\t\n\r]/g, '')
      .toWellFormed()
      .replace(/[^\x00-\x7f]+/g, encodeURIComponent)
      .replace(unsafe, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  const inPath = percentEncoded(/[^!$-;=@-Z[-\]_a-z|~%]/g)
  const inQuery = percentEncoded(/[^!$-&(-;=?-~%]/g)

  globalThis.URL = class {
    #path
    #query

    constructor(given) {
      const plain = `${given}`.replace(/^[\x00-\x20]+|[\x00-\x20]+$/g, '')
      const found = /^(https?:\/\/[^/?#\\]*)([^?#]*)(\?[^#]*)?/s.exec(plain)
      if (!found) throw new TypeError('Invalid URL')
      this.origin = found[1]
      this.pathname = found[2]
      this.search = found[3] ?? ''
    }

    get pathname() {
      return this.#path
    }

    set pathname(text) {
      const parts = text.replace(/[\t\n\r]/g, '').replace(/^[\\/]/, '').split(/[\\/]/)
      const path = []
      parts.forEach((part, i) => {
        const name = part.replace(/%2e/gi, '.')
        if (name !== '.' && name !== '..') return path.push(inPath(part))
        if (name === '..') path.pop()
        if (i === parts.length - 1) path.push('')
      })
      this.#path = `/${path.join('/')}`
    }

    get search() {
      return this.#query
    }

    set search(text) {
      const plain = text.replace(/^\?/, '')
      this.#query = plain && `?${inQuery(plain)}`
    }

    get href() {
      return this.origin + this.#path + this.#query
    }

    toString() {
      return this.href
    }
  }

  // --- Fetch (https://fetch.spec.whatwg.org/) ---

  globalThis.Headers = class {
    #all

    constructor(given = {}) {
      const pairs = given instanceof Headers ? given : Object.entries(given)
      this.#all = new Map([...pairs].map(([name, value]) => [name.toLowerCase(), `${value}`.trim()]))
    }

    get(name) {
      return this.#all.get(name.toLowerCase()) ?? null
    }

    has(name) {
      return this.#all.has(name.toLowerCase())
    }

    set(name, value) {
      this.#all.set(name.toLowerCase(), `${value}`)
    }

    delete(name) {
      this.#all.delete(name.toLowerCase())
    }

    keys() {
      return this.#all.keys()
    }

    [Symbol.iterator]() {
      return this.#all.entries()
    }
  }

  // A file that Python has.  Its bytes are decoded if the engine reads them; as a body it goes back as its number alone.
  class File {
    constructor({ number, base64, checks }) {
      Object.assign(this, { number, base64, checks })
    }

    get bytes() {
      const bytes = Uint8Array.fromBase64(this.base64)
      bytes.buffer.checks = new Map(Object.entries(this.checks))
      return bytes
    }
  }

  const bytesOf = (body) => (body === null ? new Uint8Array() : body instanceof File ? body.bytes : typeof body === 'string' ? new TextEncoder().encode(body) : body)

  class Body {
    constructor(body, headers) {
      this.content = body ?? null
      this.headers = new Headers(headers)
    }

    async arrayBuffer() {
      if (this.content instanceof Deflated) return (await computed('deflate', this.content.bytes)).buffer
      const bytes = bytesOf(this.content)
      return bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
    }

    async text() {
      return typeof this.content === 'string' ? this.content : new TextDecoder().decode(bytesOf(this.content))
    }
  }

  globalThis.Response = class extends Body {
    constructor(body, { status = 200, headers } = {}) {
      super(body, headers)
      Object.assign(this, { status, ok: status >= 200 && status < 300 })
    }

    get body() {
      return this.content
    }
  }

  globalThis.Request = class extends Body {
    constructor(url, { method = 'GET', headers, body } = {}) {
      super(body, headers)
      Object.assign(this, { url: new URL(url).href, method })
    }

    // The body is one part.
    get body() {
      if (this.content === null) return null
      const parts = [bytesOf(this.content)]
      const read = async () => (parts.length ? { done: false, value: parts.pop() } : { done: true })
      return { getReader: () => ({ read, cancel: async () => {} }) }
    }
  }

  // --- what Python answers, in batches: files, digests, compressed bytes ---

  let [queue, waiting] = [[], []]
  const asked = (what, argument) =>
    new Promise((resolve, reject) => {
      queue.push([what, argument])
      waiting.push({ resolve, reject })
    })
  const computed = async (what, bytes) => Uint8Array.fromBase64((await asked(what, bytes.toBase64())).base64)

  async function fetchAsset(path, init) {
    const found = await asked('file', path)
    if (!found) return new Response(null, { status: 404 })
    return new Response(init?.method === 'HEAD' ? null : new File(found), { headers: { 'content-type': found.type } })
  }

  class Deflated {
    constructor(bytes) {
      this.bytes = bytes
    }
  }
  globalThis.CompressionStream = class {}
  globalThis.Blob = class {
    constructor([bytes]) {
      this.bytes = bytes
    }

    stream() {
      return { pipeThrough: () => new Deflated(this.bytes) }
    }
  }
  globalThis.crypto = { subtle: { digest: async (_, bytes) => (await computed('sha256', bytes)).buffer } }

  let log = []
  globalThis.console = { error: (error) => log.push(`${error}\n${(error?.cause ?? error)?.stack ?? ''}`) }

  // The engine's limits of time do not count what Python takes for reads.
  const now = Date.now
  let paused = 0
  Date.now = () => now() - paused

  // Python gets only text that JSON.stringify or toBase64 made: other text may not cross whole.
  let [answer, batch] = [null, []]
  globalThis.bridge = {
    // Begin to answer a request with `respond(request, fetchAsset)`.
    begin(respond, request) {
      const { method, url, headers, body } = JSON.parse(request)
      ;[queue, waiting, answer, log] = [[], [], null, []]
      const given = new Request(url, { method, headers, body: body === null ? null : Uint8Array.fromBase64(body) })
      const finish = ({ status, headers: names, content }) => {
        const number = content instanceof File ? content.number : null
        const base64 = number === null ? bytesOf(content).toBase64() : ''
        answer = JSON.stringify({ status, headers: [...names], number, base64, log })
      }
      const failed = (error) => {
        answer = JSON.stringify({ error: `${error}\n${error?.stack ?? ''}` })
      }
      respond(given, fetchAsset).then(finish).catch(failed)
    },

    // What is wanted since the last call, as JSON.
    take() {
      const wanted = JSON.stringify(queue)
      batch = waiting
      ;[queue, waiting] = [[], []]
      return wanted
    },

    // Give entry `number` of what was taken: JSON about it and its bytes, or null for a missing file.
    give(number, about, base64) {
      batch[number].resolve(about === null ? null : { ...JSON.parse(about), base64 })
    },

    // Nothing of what was taken can be read.
    fail(why) {
      for (const { reject } of batch) reject(new TypeError(why))
    },

    // All of it was given; `milliseconds` is what that took.
    done(milliseconds) {
      paused += milliseconds
    },

    answer: () => answer,
  }
}
