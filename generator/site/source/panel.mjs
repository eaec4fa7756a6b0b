// The filters of a list as controls: how many records each value would leave, and values looked up by a word.  Loaded when they are
// seen, by scripts whose functions `page` has.
import { nested, some } from './list/tree.mjs'
import { yearChart } from './list/years.mjs'

// Values that are seen at once, values from which one may look them up, filters that one answer counts by, filters that are
// open on a wide page.
const [SEEN, LONG, BY, OPEN] = [5, 12, 3, 3]
const isWide = matchMedia('(min-width: 60rem)').matches
const UNCOUNTED = ['number', 'date']
const INPUTS = { date: 'date', month: 'month' }

export function panelOf(page) {
  const { $, ask, el, number, reasonOf, refill, t, told, url, labelOf, learned, keep, recall, constraint, endOf, having, joined, toggled, words } = page
  const offered = told.narrowing.map((name) => told.filters.find((one) => one.name === name))
  const counted = offered.filter(({ form }) => !UNCOUNTED.includes(form))

  async function baseOfApi() {
    const answer = await fetch(url(`${told.api}/filters.json`))
    return (await answer.json()).data
  }

  // The counts under a state, of so many filters at once as one answer has.
  async function counts(state) {
    const groups = []
    for (let i = 0; i < counted.length; i += BY) groups.push(counted.slice(i, i + BY).map(({ name }) => name))
    const answers = await Promise.all(groups.map((by) => ask(`${told.api}?mode=count&${joined([...words(state), ['by', by.join()]])}`)))
    return learned(Object.assign({}, ...answers.map((answer) => answer.counts)))
  }

  // Counts of values, here of the API; a list whose rows are all in the page counts them (agenda.mjs): those of the whole list, which
  // are only asked for if the page has none, those under a state, and the values of a filter that begin with a text.
  const api = {
    base: async () => learned(await baseOfApi()),
    counts,
    like: async (state, name, text) => {
      const answer = await ask(`${told.api}?mode=count&${joined([...words(having(state, name, '')), ['by', name], ['like', text]])}`)
      return learned(answer.counts)[name].values
    },
  }

  class Panel {
    // `base` are the counts of the whole collection, null if the page has none.  `change(state)` is called with what was chosen, `counted(counts)` when there are counts of a state; they come from `source`.
    constructor(place, base, change, counted, source = api) {
      Object.assign(this, { place, base, change, counted, source, unfolded: new Set(), looked: {}, turn: 0, opened: recall('filters') ?? {} })
    }

    // The filters as they are under a state; counted anew where its words or filters are others.
    async show(state) {
      this.state = state
      const key = joined(words(state))
      if (key === this.key) return this.done()
      const turn = ++this.turn
      if (key || !this.base) {
        const [now, whole] = await Promise.all([key ? this.source.counts(state) : null, this.base ?? this.source.base()])
        this.base ??= whole
        if (turn !== this.turn) return
        this.counts = now ?? this.base
      } else this.counts = this.base
      this.key = key
      this.done()
      // What was typed to find a value stays, with the counts of this state.
      for (const name in this.looked) if (this.looked[name].text.trim()) this.look(name, this.looked[name].text)
    }

    done() {
      this.draw()
      this.counted(this.counts)
    }

    draw() {
      // Where nothing is found, what is not chosen leads nowhere.
      const others = counted.filter(({ name }) => !(name in this.state.filters))
      this.isEmpty = others.length > 0 && others.every(({ name }) => !this.counts[name]?.values.length)
      const groups = offered.map((filter) => this.group(filter)).filter(Boolean)
      groups.forEach((group, i) => (group.open = this.opened[group.dataset.name] ?? ('active' in group.dataset || (isWide && i < OPEN))))
      refill(this.place, groups)
    }

    // A filter that was opened or closed stays so on other pages.
    fold(name, label, active) {
      const summary = el('summary', { 'data-key': name }, el('h3', {}, label), active > 0 && el('span.count', {}, t('picked', { count: active })))
      summary.onclick = () => keep('filters', (this.opened = { ...this.opened, [name]: !summary.parentElement.open }))
      return summary
    }

    group({ name, label, form }) {
      const { how, values: chosen } = constraint(this.state.filters[name])
      const ranged = form in told.ranged
      const list = counted.some((one) => one.name === name) ? this.values(name, how, chosen) : []
      if (this.isEmpty ? !chosen.length : !list.length && !ranged && !this.looked[name]) return null
      const total = Math.max(this.counts[name]?.total_values ?? 0, this.base[name]?.total_values ?? 0)
      const isChosen = ({ value }) => how !== 'range' && how !== 'not' && chosen.includes(value)
      const isFull = !how && chosen.length >= told.most
      const isTree = name === 'location' && !this.looked[name]?.values
      const tree = isTree ? nested(list, (value) => labelOf(name, value)) : list.map((one) => ({ ...one, label: labelOf(name, one.value), within: [] }))
      // The largest continent is unfolded, until one folds it.
      if (isTree && tree.length && !this.isTreeDrawn) this.unfolded.add(`${name}/${tree[0].value}/`)
      if (isTree) this.isTreeDrawn = true
      const active = how === 'range' ? 1 : chosen.length
      return el(
        'details.group',
        { id: `filter-${name}`, 'data-name': name, 'data-active': active > 0 },
        this.fold(name, label, active),
        el(
          'fieldset',
          {},
          el('legend.unseen', {}, label),
          form === 'year' && yearChart(page, list, how === 'range' ? chosen : how === '' ? [chosen.toSorted()[0], chosen.toSorted().at(-1)] : [], (low, high) => this.change(having(this.state, name, low === high ? `${low}` : `${low}..${high}`))),
          ranged && this.range(name, form, how === 'range' ? chosen : how === '' && UNCOUNTED.includes(form) ? [chosen[0], chosen[0]] : []),
          total > LONG && !ranged && this.lookup(name, label),
          this.looked[name]?.values && !list.length && el('p.soft.small', { role: 'status' }, this.looked[name].failure ?? t('no_value', { word: this.looked[name].text.trim() })),
          isFull && el('p.soft.small', {}, t('most', { count: told.most })),
          this.items(name, tree, isChosen, isFull, `${name}/`),
        ),
      )
    }

    // Values: those that are chosen, then the most frequent, and the others behind a summary.
    items(name, nodes, isChosen, isFull, key) {
      const isFirst = (node) => some(node, isChosen)
      const sorted = [...nodes.filter(isFirst), ...nodes.filter((node) => !isFirst(node))]
      const seen = Math.max(SEEN, nodes.filter(isFirst).length)
      const [first, rest] = [sorted.slice(0, seen), sorted.slice(seen)].map((some) => some.map((node) => this.item(name, node, isChosen, isFull)))
      return [el('ul.choices', {}, first), rest.length > 0 && this.folded(key, '', el('summary', { 'data-key': key }, t('more', { count: rest.length })), el('ul.choices', {}, rest))]
    }

    // A value with its number, and the smaller places within it.
    item(name, node, isChosen, isFull) {
      const { value, count, label, within } = node
      const checked = isChosen(node)
      const none = count === 0 && !checked
      const box = el('input', { type: 'checkbox', 'data-key': `${name}/${value}`, checked, disabled: none || (isFull && !checked) })
      box.onchange = () => this.change(toggled(this.state, name, value))
      const key = `${name}/${value}/`
      if (within.some((one) => some(one, isChosen))) this.unfolded.add(key)
      return el(
        'li',
        {},
        el('label', { class: none && 'none' }, box, el('bdi', {}, label), count !== null && el('span.count', {}, number(count))),
        within.length > 0 &&
          this.folded(key, 'within', el('summary', { 'data-key': key }, el('span.unseen', {}, t('within', { place: label }))), this.items(name, within, isChosen, isFull, `${key}+`)),
      )
    }

    // A list behind a summary, which stays open when the filters are drawn again.
    folded(key, kind, summary, items) {
      const details = el('details', { class: kind || null, open: this.unfolded.has(key) }, summary, items)
      details.ontoggle = () => this.unfolded[details.open ? 'add' : 'delete'](key)
      return details
    }

    // The values of a filter with their counts: those that would give something, then those that would give nothing.
    values(name, how, chosen) {
      if (this.looked[name]?.values) return this.looked[name].values
      const now = this.counts[name] ?? { values: [], truncated: false }
      const has = new Set(now.values.map(({ value }) => value))
      const others = now.truncated ? [] : (this.base[name]?.values ?? []).filter(({ value }) => !has.has(value))
      const list = [...now.values, ...others.map(({ value }) => ({ value, count: 0 }))]
      if (told.filters.find((one) => one.name === name).form in told.ranged) list.sort((a, b) => !a.count - !b.count || (a.value < b.value ? 1 : -1))
      const asked = new Map(now.selected?.map((one) => [one.value, one]))
      for (const value of how === 'range' ? [] : chosen) if (!list.some((one) => one.value === value)) list.unshift(asked.get(value) ?? { value, count: 0 })
      return list
    }

    range(name, form, [low, high]) {
      const input = (which, value) => {
        const type = INPUTS[form] ?? 'text'
        return el('input', { type, value: value || null, 'data-key': `${name}/${which}`, inputmode: type === 'text' && 'decimal', autocomplete: 'off' })
      }
      const [from, to] = [input('from', low), input('to', high)]
      const commit = () => {
        const texts = [from.value.trim(), to.value.trim()]
        const ends = texts.map((text) => endOf(form, text))
        const [first, last] = ends
        const asked = first && last && (form === 'number' ? last - first < 0 : last < first) ? `${last}..${first}` : `${first}..${last}`
        const slips = texts.flatMap((typed, i) => (typed === ends[i] ? [] : [t(ends[i] ? 'slip' : 'slip_out', { typed, used: ends[i] })]))
        this.change(having(this.state, name, first || last ? asked : ''), slips.join(' '))
      }
      from.onchange = to.onchange = commit
      return el('div.range', {}, el('label', {}, el('span', {}, t('low')), from), el('label', {}, el('span', {}, t('high')), to))
    }

    // A field that finds values by the words that they begin with.
    lookup(name, label) {
      const asked = this.looked[name]?.text ?? ''
      const input = el('input', { type: 'search', value: asked, 'data-key': `${name}/?`, 'aria-label': t('lookup', { label }), placeholder: t('find'), autocomplete: 'off', maxlength: 100 })
      input.oninput = () => {
        clearTimeout(this.timer)
        this.timer = setTimeout(() => this.look(name, input.value), 150)
      }
      return input
    }

    async look(name, text) {
      const one = (this.looked[name] = { text, values: this.looked[name]?.values })
      const at = $(`[data-key="${name}/?"]`, this.place)
      try {
        const values = text.trim() ? await this.source.like(this.state, name, text) : null
        if (this.looked[name] !== one) return
        one.values = values
      } catch (error) {
        // A text without a word is refused: no value has it.
        const isRefused = error.problem?.status < 500
        Object.assign(one, { values: [], failure: isRefused ? null : t(reasonOf(error)) })
      }
      const from = at?.selectionStart
      this.draw()
      if (document.activeElement.dataset.key === `${name}/?`) document.activeElement.setSelectionRange(from, from)
    }
  }

  return Panel
}
