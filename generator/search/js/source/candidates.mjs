// The records that a name may mean, with scores, from the files of the names in an index.
import { Damaged, crc32, decoded, encoder } from './bytes.mjs'
import { Column } from './columns.mjs'
import { runsOf } from './folding.mjs'
import { find } from './keys.mjs'
import { askedIn, compare, differInForm, idIn, isOrdinary, keysOf, nameOf, siteKeysOf, siteOf } from './names.mjs'

// The candidates of each question, the best first. A question is { name, sites, places, limit }; without a limit it has few
// candidates, which are likely.
export async function candidates(questions, reader) {
  const { table, manifest: { columns, files } } = reader
  const { most, places: filter } = table.names
  const asked = questions.map((question) => {
    const names = askedIn(question.name, table)
    const texts = [...question.sites, question.name]
    const found = texts.map((text) => siteOf(text, table)).filter((site) => site)
    const ids = 'ids' in files ? texts.map((text) => idIn(text, table)).filter((id) => id) : []
    const known = [...new Set(ids.map(({ key }) => key))]
    const { split } = reader.manifest
    const [whole, ...bare] = names.map((name) => keysOf(name, lettersIn(reader), split, table))
    const likely = bare.length ? [whole[0], ...bare.flat()] : whole
    const keys = [...new Set([...found.flatMap((site) => siteKeysOf(site, split)), ...likely])]
    const seeks = keys.slice(0, most.keys - known.length).map((key) => seekName(key, reader))
    for (const key of known) seeks.push({ ...seekName(key, reader, 'ids'), asked: ids.filter((id) => id.key === key) })
    return { ...question, names, ordinary: isOrdinary(question.name, table), paths: found.map(([, path]) => path), seeks }
  })
  const placed = questions.some(({ places }) => places.length) && filter in columns
  const column = placed && new Column(filter, reader)
  const seeks = asked.flatMap((one) => one.seeks)
  await reader.fetch([...filesOf(seeks), ...(placed ? [column.listed] : [])])
  findNames(seeks, reader)
  const values = placed ? placeValues(column.lines(), table) : new Map()
  return asked.map((question) => {
    const found = rank(question, values, table)
    reader.inTime()
    return found
  })
}

// Whether a line of an identifier has a scheme or a web address that is asked for.
function isSame(asked, words) {
  const [known, address] = words.split(' ')
  return asked.some(({ scheme, site }) => (site ? site === address : scheme === '' || scheme === known))
}

// The number of letters that keys of names have.
export const lettersIn = ({ manifest: { named }, table }) => (named <= table.names.most.files ? 2 : 3)

// A key of names to find, and its file.
export function seekName(key, { manifest: { named, identified } }, what = 'names') {
  const encoded = encoder.encode(key)
  return { what, file: crc32(encoded) & ((what === 'ids' ? identified : named) - 1), key: encoded, more: false, bodies: [] }
}

// The files of these keys.
export const filesOf = (seeks) =>
  ['names', 'ids'].flatMap((what) => [...new Set(seeks.filter((one) => one.what === what).map(({ file }) => file))].map((file) => [what, file]))

// Find the keys in the files that were read.
export function findNames(seeks, reader) {
  for (const [what, file] of filesOf(seeks)) find(reader.have(what, file), seeks.filter((one) => one.what === what && one.file === file))
}

// By words, the values of the filter for places that these words mean.
function placeValues(lines, table) {
  const values = new Map()
  for (const [value, label] of lines) {
    for (const text of new Set([value, label, label.split(',')[0]])) {
      const words = runsOf(text, table).join(' ')
      values.set(words, [...(values.get(words) ?? []), value])
    }
  }
  return values
}

// Of equal scores, a legal form is the reason that may be a match.
const isBetter = (reason, other) => (other !== 'legal_form' && reason > other) || reason === 'legal_form'

// The kinds of lines with names; a slug is none.
const NAMES = ['name', 'former_name', 'bracket']

// How alike a question and the name in a line are, and why; `bare` says whether brackets were left out.
function likeness(asked, kind, known, bare, table) {
  const { same, core, initials } = table.names.scores
  if (kind === 'id') return [same, 'identifier']
  if (kind === 'initials') return asked.joined === known.joined ? [initials, kind] : [0, '']
  const [score, reason] = compare(asked, known, table)
  if (score === same) return bare ? [core, 'bracket'] : [same, kind]
  return [kind === 'former_name' ? score - table.names.most.former : score, reason]
}

function rank(question, values, table) {
  const { least, sure, usual, likely, similar, same_host: sameHost } = table.names.most
  const { same } = table.names.scores
  const near = new Set(question.places.flatMap((place) => values.get(runsOf(place, table).join(' ')) ?? []))
  const found = new Map()
  const lines = question.seeks.flatMap((one) => linesOf(one).filter(([, words]) => !one.asked || isSame(one.asked, words)))
  for (const [kind, words, slug, , name, places] of lines) {
    const each = found.get(slug) ?? { slug, name, places: places.split(' ').filter((p) => p), best: [0, ''], site: 0, near: null, onlyEnd: false, canMatch: false }
    found.set(slug, each)
    if (kind === 'website') {
      for (const path of question.paths) each.site = Math.max(each.site, path === words ? same : path && words ? 0 : sameHost)
      continue
    }
    const known = nameOf(words.split(' '), table)
    question.names.forEach((asked, i) => {
      const [score, reason] = likeness(asked, kind, known, i || kind === 'bracket', table)
      if (score > each.best[0] || (score === each.best[0] && isBetter(reason, each.best[1]))) each.best = [score, reason]
      const form = differInForm(asked, known) && !question.ordinary && !isOrdinary(name, table)
      if (!NAMES.includes(kind) || (reason !== 'bracket' && !form)) return
      each.onlyEnd = true
      // Both names may have brackets, which may mean two things.
      each.canMatch ||= !i || kind !== 'bracket'
    })
  }
  const every = [...found.values()]
  for (const each of every) {
    if (near.size && each.places.length) each.near = each.places.some((place) => isNear(place, near))
    each.score = scoreOf(each, table.names)
  }
  every.sort((a, b) => b.score - a.score || (a.slug < b.slug ? -1 : 1))
  decide(every, same)
  const few = question.limit === null && every.length && every[0].score <= sure
  return every.filter(({ score }) => score >= (few ? likely : least)).slice(0, few ? similar : question.limit ?? usual)
}

// The lines of a key's body as fields.
export function linesOf({ bodies }) {
  return bodies.flatMap(([body]) =>
    decoded(body).split('\n').slice(0, -1).map((line) => {
      const fields = line.split('\t')
      if (fields.length !== 6) throw new Damaged()
      return fields
    }),
  )
}

function scoreOf({ best, site, near }, { scores: { same }, most: { near: more, far: less } }) {
  let score = Math.max(best[0], site)
  if (near && score < same) score = Math.min(score + more, same - 1)
  return near === false ? score - less : score
}

// Whether a place is one of these, in one of these, or has one of these in it.
const isNear = (place, asked) => [...asked].some((one) => `${place}-`.startsWith(`${one}-`) || `${one}-`.startsWith(`${place}-`))

// Mark the only candidate that is exact: by name and website, or else by either, or else but for the legal form or the brackets
// at the end of its name. A candidate in another place is no match.
function decide(every, same) {
  const exact = every.filter(({ best, site }) => best[0] === same || site === same)
  const both = exact.filter(({ best, site }) => best[0] === site)
  const chosen = [both, exact].find((some) => some.length)
  const here = (chosen ?? every.filter(({ onlyEnd }) => onlyEnd)).filter(({ near }) => near !== false)
  if (here.length === 1 && (chosen || here[0].canMatch)) here[0].match = true
}
