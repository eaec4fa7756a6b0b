// Stands in the head of a page, so it runs before anything is drawn.  If the address asks for something else than the page
// came with, that is hidden (`asked`) until the script of the page shows what was asked for, which is asked at once.
import { crc32, hex } from '../../search/js/source/bytes.mjs'
import { checkOf, shardOf } from '../../search/js/source/shards.mjs'

// The letters that words of one group begin with, as generator/search/format.py has it.
const PREFIX = 3
const { engine, manifest, api, filters = '', ahead } = document.currentScript.dataset
const prefix = engine.replace('/api/search.js', '')

// The files that the answer needs as far as the address tells, fetched before the engine is there: { response, at } by path.
const files = new Map()

function begin(path, cache = 'no-cache') {
  if (files.has(path)) return
  const response = fetch(prefix + path, { cache })
  response.catch(() => files.delete(path))
  files.set(path, { response, at: Date.now() })
}

const bodyOf = async (path) => {
  const found = await files.get(path).response
  return found.ok ? found.clone().text() : ''
}

// Begins what the engine needs to answer a query with these keys.
function beginKeys(keys) {
  const path = manifest.slice(prefix.length)
  begin(path)
  bodyOf(path).then((text) => {
    const found = JSON.parse(text)
    const known = { ...found, split: new Set(found.split) }
    for (const key of keys) {
      const shard = shardOf(key, known, PREFIX)
      begin(path.replace('manifest.json', `keys/${shard}-${hex(checkOf(known, 'keys', shard))}.txt`), 'force-cache')
    }
  }).catch(() => {})
}

// Begins what an address asks for.  What a file may answer is read by the function that this returns: a prepared page is that
// of a single plain filter, and the first rows of a frequent word are made ahead (generator/search/frequent.py).  All else is
// found by keys of the index.
function beginAll(query) {
  const isFilter = (name, value) => filters.split(' ').includes(name) && /^[a-z0-9_-]+(,[a-z0-9_-]+)*$/.test(value)
  const wordsIn = (text) => (/^[a-z0-9 ]+$/i.test(text) ? text.toLowerCase().split(' ').filter((word) => word) : [])
  const number = query.get('page') ?? '1'
  const asked = [...query].filter(([name]) => name !== 'page')
  const values = asked.flatMap(([name, value]) => (isFilter(name, value) ? value.split(',').map((one) => `${name}/${one}`) : []))
  const words = asked.flatMap(([name, value]) => (name === 'q' ? wordsIn(value) : []))
  const keys = [...words, ...values.map((value) => `/${value}`)]
  if (asked.length === 1 && values.length === 1 && /^[1-9][0-9]*$/.test(number)) {
    const page = `${api}/by/${values[0]}/page/${number}.json`
    begin(page)
    // Only the engine knows what a page says that is missing, or that is at another address now (`isMoved` of respond.mjs).
    return async () => {
      const text = await bodyOf(page)
      return !text.slice(0, 99).includes('"kind":"moved"') && text
    }
  }
  const [word] = words
  if (!ahead || asked.length > 1 || words.length !== 1 || word.length < PREFIX || number !== '1') return beginKeys(keys)
  const file = `${ahead}${crc32(new TextEncoder().encode(word)) % ahead.split('/').at(-2)}.json`
  begin(file)
  begin(manifest.slice(prefix.length))
  return async () => {
    const found = JSON.parse((await bodyOf(file).catch(() => '')) || '{}')[word]
    if (!found) beginKeys(keys)
    return found && JSON.stringify(found)
  }
}

if (location.search.length > 1) {
  const { classList } = document.documentElement
  classList.add('asked')
  // A script that cannot be loaded hides nothing.
  addEventListener('error', ({ target }) => target.localName === 'script' && classList.remove('asked'), true)
  const prepared = beginAll(new URLSearchParams(location.search))
  const target = `${api}?mode=page&${location.search.slice(1)}`
  const byEngine = async () => {
    const { ask, fetchBeside } = await import(engine)
    const file = (path, init, again) => {
      const read = () => fetchBeside(path, init, again)
      return (!again && files.get(path)?.response.then((one) => one.clone(), read)) || read()
    }
    return api && ask(target, file, [0, 10])
  }
  const byFile = () => prepared().then((text) => (text ? new Response(text) : byEngine()), byEngine)
  const answer = prepared ? byFile() : byEngine()
  answer.catch(() => {})
  // Names of regions take a browser a while at first: longer than an answer would wait for them.
  setTimeout(() => new Intl.DisplayNames('en', { type: 'region' }))
  globalThis.begun = { files, target, answer }
}
