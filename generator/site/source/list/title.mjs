// What a list is called: the same words as generator/site/titles.py has.
import { t, told } from '../common.mjs'
import { constraintText, labelOf } from './labels.mjs'
import { constraint } from './state.mjs'

const LONG = 3 // words of a value before the noun

export const filled = (form, values) => form.replace(/\{(\w+)\}/g, (_, name) => values[name])

export const oneOf = (values) => (values.length < 2 ? (values[0] ?? '') : filled(told.titles.or, { first: values.slice(0, -1).join(', '), last: values.at(-1) }))

// A value after its form: a country may have an article.
const spelled = (name, value) => (name === 'location' && told.titles.places[value]) || labelOf(name, value)

// The noun with what narrows it.
export function phraseOf(filters, noun) {
  const { forms } = told.titles
  const parts = told.filters.flatMap(({ name, label }) => {
    const { how, values } = constraint(filters[name])
    if (!values.length) return []
    const key = values.join() === 'remote' && name === 'location' ? 'remote' : name.startsWith('tag_') ? 'tag' : name
    const form = how ? '' : forms[key]
    const value = how ? constraintText(name, how, values) : oneOf(values.map((one) => (form ? spelled(name, one) : labelOf(name, one))))
    const isLong = form?.startsWith('{value}') && value.split(' ').length > LONG
    return [[form && !isLong ? form : forms.other, { label, value }]]
  })
  return parts.reduce((words, [form, values]) => filled(form, { ...values, noun: words }), noun)
}

export function capitalized(words) {
  const [first] = words.split(' ')
  return first === first.toLowerCase() ? words[0].toUpperCase() + words.slice(1) : words
}

// The heading of a list with a state: its title, without the words of a search and the page.
export const headingOf = ({ filters }) => capitalized(phraseOf(filters, told.nouns[told.collection].many))

export function titleOf(state) {
  const { q, page } = state
  const parts = [q.trim(), headingOf(state), page > 1 && t('page', { number: page }), told.titles.registry]
  return parts.filter(Boolean).join(' – ')
}
