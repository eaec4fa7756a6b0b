// The explorer of the API: a form made of the grammar, what is asked with it, and what is answered.  The question is kept in
// the address, behind #, so that it can be shared and the back button goes to the one before.  What was typed stays as typed:
// the form changes one parameter of the address, and the address as it was typed is kept in the state of the history.
import '../../site/source/copy.mjs'
import { $, el, isReachable, load, number, t, told, url } from '../../site/source/common.mjs'

const [form, asked, result] = [$('#question'), $('#asked'), $('#result')]
const MARKS = 3 // filters that a count is told by
let turn = 0

// --- the form, of an address and back ---

const field = (label, control, note = '') =>
  el('label.field', {}, el('span', {}, label, note && el('code.note', {}, note)), control)

const choice = (name, options, chosen) =>
  el('select', { name }, options.map(([value, label]) => el('option', { value, selected: value === chosen }, label)))

function rebuild(target) {
  const [path, raw] = target.split('?')
  const names = Object.keys(told.collections)
  const here = names.find((name) => told.collections[name].root === path)
  const name = here ?? names[0]
  const of = told.collections[name]
  const values = new URLSearchParams(here && raw)
  const counting = values.get('mode') === 'count'
  const plain = (key) => el('input', { name: key, value: values.get(key), autocomplete: 'off', spellcheck: 'false' })
  const filters = of.filters.map(([key, label]) => {
    const input = plain(key)
    input.setAttribute('list', `of-${key}`)
    const list = el('datalist', { id: `of-${key}` })
    input.addEventListener('focus', () => suggest(of, key, list).catch(() => {}), { once: true })
    return [field(label, input, key), list]
  })
  const rest = counting
    ? [field(t('by', { most: MARKS }), plain('by'), 'by'), field(t('like'), plain('like'), 'like')]
    : [
        field(t('sort'), choice('sort', [['', ''], ...of.sorts.map((sort) => [sort, sort])], values.get('sort')), 'sort'),
        field(t('page'), plain('page'), 'page'),
      ]
  $('#fields', form).replaceChildren(
    field(t('collection'), choice('', Object.entries(told.collections).map(([key, { label }]) => [key, label]), name)),
    field(t('mode'), choice('mode', ['page', 'count'].map((mode) => [mode, t(`mode_${mode}`)]), values.get('mode')), 'mode'),
    field(t('words'), plain('q'), 'q'),
    ...filters.flat(),
    ...rest,
  )
}

// The most frequent values of a filter, read when its field is first used.
async function suggest({ filters, root }, key, list) {
  if (!filters.find(([name]) => name === key)[2]) return
  const { data } = await (await fetch(url(`${root}/filters.json`))).json()
  list.append(...data[key].values.map(({ value, label, count }) => el('option', { value }, `${label} (${number(count)})`)))
}

// Commas, colons and dots are plain in a query, and so is a word.
const encoded = (text) => encodeURIComponent(text).replace(/%(2C|3A)/g, decodeURIComponent)

const written = (root, pairs) => root + pairs.reduce((so, [key, value], i) => `${so}${i ? '&' : '?'}${key}=${encoded(value)}`, '')

// The path of an address, and its parameters as they were typed: [name, text].
function parted(target) {
  const [path, ...rest] = target.split('?')
  const raw = rest.join('?')
  return [path, raw ? raw.split('&').map((text) => [text.split('=')[0], text]) : []]
}

const put = (path, pairs) => path + (pairs.length ? `?${pairs.map(([, text]) => text).join('&')}` : '')

// The address with another value of one parameter; all others stay as they were typed.
function changed(target, key, value) {
  const [path, pairs] = parted(target)
  const { root } = told.collections[$('select', form).value]
  const of = path === root ? pairs : [['mode', `mode=${form.elements.mode.value}`]]
  const text = value.trim() && `${key}=${encoded(value.trim())}`
  const at = of.findIndex(([name]) => name === key)
  const rest = of.filter(([name], i) => name !== key || (text && i === at))
  const next = rest.map((pair) => (pair[0] === key ? [key, text] : pair))
  return put(root, text && at < 0 ? [...next, [key, text]] : next)
}

const COUNTING = { page: ['sort', 'page'], count: ['by', 'like'] }
const laidAside = new Map() // parameters that another collection or mode does not have, for when one comes back

// The address of another collection or mode, with the parameters that it has.
function moved(name, mode) {
  const { root, filters } = told.collections[name]
  const known = new Set(['q', ...COUNTING[mode], ...filters.map(([key]) => key)])
  const pairs = parted(asked.value.trim())[1].filter(([key]) => key !== 'mode')
  for (const [key, text] of pairs) if (!known.has(key)) laidAside.set(key, text)
  const now = pairs.filter(([key]) => known.has(key))
  for (const [key, text] of laidAside) {
    if (!known.has(key) || now.some(([one]) => one === key)) continue
    now.push([key, text])
    laidAside.delete(key)
  }
  return put(root, [['mode', `mode=${mode}`], ...now])
}

form.addEventListener('input', ({ target }) => {
  const { name, value } = target
  if (target === asked || name === undefined) return
  const isMove = name === '' || name === 'mode'
  asked.value = isMove ? moved($('select', form).value, form.elements.mode.value) : changed(asked.value.trim(), name, value)
  if (!isMove) return
  rebuild(asked.value)
  ;(name ? form.elements.mode : $('select', form)).focus()
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const target = asked.value.trim()
  if (document.activeElement === asked) rebuild(target)
  keep(target)
  run(target)
})

function keep(target) {
  if (history.state?.target !== target) history.pushState({ target }, '', `#${target}`)
}

// Another question than the one that was typed: of a button, of a link, or of the address.
function go(target) {
  keep(target)
  shown()
}

addEventListener('popstate', shown)

function shown() {
  const target = history.state?.target ?? wanted()
  asked.value = target
  rebuild(target)
  run(target)
}

// The question of an address that somebody opened, without what the browser spelled in its own way.
function wanted() {
  const hash = location.hash.slice(1)
  if (!hash.startsWith('/')) return told.first
  try {
    return hash.replace(/%(?:20|22|3C|3E|60)|(?:%[89A-F][\dA-F])+/gi, decodeURIComponent)
  } catch {
    return hash
  }
}

// --- asking ---

async function answer(target) {
  // What ends in a file's name is a file; all else is what a host with a program would answer, and the query module does.
  const [path] = target.split('?')
  const here = new URL(url(target), location.origin)
  if (here.origin !== location.origin || !here.pathname.startsWith(url('/'))) throw new Error()
  if (/\.[a-z]+$/.test(path) && !target.includes('?')) return fetch(here)
  return (await load()).ask(target)
}

async function run(target) {
  const mine = ++turn
  result.setAttribute('aria-busy', 'true')
  performance.clearResourceTimings()
  const began = performance.now()
  try {
    let response = await answer(target)
    const bytes = await response.arrayBuffer()
    if (mine !== turn) return
    show(target, response, new TextDecoder().decode(bytes), bytes.byteLength, performance.now() - began)
  } catch {
    const said = t((await isReachable()) ? 'broken' : 'failed')
    if (mine === turn) result.replaceChildren(el('p.note.bad', {}, said))
  }
  if (mine === turn) result.removeAttribute('aria-busy')
}

function show(target, { status, headers }, text, bytes, took) {
  let document = null
  try {
    document = JSON.parse(text)
    text = JSON.stringify(document, null, 2)
  } catch {
    // A calendar, or Markdown.
  }
  const read = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.startsWith(url('/api/')))
  const moved = headers.get('location')?.slice(url('').length)
  const tone = status < 300 ? 'good' : status < 400 ? 'quiet' : 'warn'
  result.replaceChildren(
    el(
      'p.address',
      {},
      el('span.method', {}, 'GET'),
      el('a', { href: url(target) }, el('code', {}, url(target))),
    ),
    el(
      'p',
      { role: 'status' },
      el(`span.badge.${tone}`, {}, String(status)),
      ` ${t('came', { bytes, took: Math.round(took) })} `,
      document?.total_items !== undefined || document?.page
        ? el('strong', {}, t('records', { count: document.total_items ?? document.page.total_items }))
        : '',
    ),
    moved ? el('p', {}, el('button.quiet', { type: 'button', 'data-go': moved }, moved)) : '',
    document?.allowed ? refused(target, document) : '',
    document?.suggestions?.length ? choices(t('meant'), document.suggestions, (q) => meant(target, q)) : '',
    el('pre.answer', { role: 'group', tabindex: '0', 'aria-label': t('answer') }, el('code', {}, text)),
    read.length
      ? el(
          'details',
          {},
          el('summary', {}, t('read', { count: read.length })),
          el('ul.addresses', {}, read.map(({ name }) => el('li', {}, el('code', {}, new URL(name).pathname)))),
        )
      : '',
  )
}

// What would do in place of what was refused: each asks that.
function refused(target, { detail, allowed }) {
  const [root, raw = ''] = target.split('?')
  const pairs = [...new URLSearchParams(raw)]
  const quoted = (text) => detail.includes(`"${text}"`)
  let at = pairs.findIndex(([, value]) => value.split(/[,:]/).some(quoted))
  const whole = at >= 0
  if (!whole) at = pairs.findIndex(([key]) => quoted(key))
  const instead = (text) => {
    if (!raw) return `${root.slice(0, root.lastIndexOf('/'))}/${text}`
    if (at < 0) return written(root, [...pairs.filter(([key]) => key !== 'mode'), ['mode', text]])
    const [key, value] = pairs[at]
    const swapped = whole ? [key, value.split(/([,:])/).map((part) => (quoted(part) ? text : part)).join('')] : [text, value]
    return written(root, pairs.map((pair, i) => (i === at ? swapped : pair)))
  }
  return choices(detail, allowed, instead)
}

const meant = (target, words) =>
  written(target.split('?')[0], [...new URLSearchParams(target.split('?')[1])].map(([key, value]) => [key, key === 'q' ? words : value]))

// What is said, and what would do, each a button that asks for it.
const choices = (said, texts, instead) =>
  el(
    'div.note.warn',
    {},
    el('p', {}, said),
    el('ul.chips', {}, texts.map((text) => el('li', {}, el('button.chip', { type: 'button', 'data-go': instead(text) }, text)))),
  )

result.addEventListener('click', ({ target }) => {
  const to = target.dataset.go
  if (to) go(to)
})

// Where there is room; on a phone the answer is what one came for.
$('#build').open = matchMedia('(min-width: 45rem)').matches
shown()
