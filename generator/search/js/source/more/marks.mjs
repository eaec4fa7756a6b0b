// What an answer did not understand of `q`, which has words and no syntax, and how to ask it.
import { queryRunsOf } from '../folding.mjs'
import { formsOf, shown } from '../route.mjs'

const PHRASE = /["\u201c-\u201f\u00ab\u00bb]+([^"\u201c-\u201f\u00ab\u00bb]+)["\u201c-\u201f\u00ab\u00bb]/
const OPERATOR = /(?:^|\s)(AND|OR|NOT|[-+][^\s+-]\S*)(?=\s|$)/
const FIELD = /(?:^|\s)([^\s:"]+):(?!\/\/)([^\s:]\S*)/

// The notes about `q`, as { code, text }. `list` is null for a search over all collections.
export function notesOnMarks(q, list, table) {
  const forms = formsOf(list ?? table.lists[0], table)
  const example = Object.keys(forms).find((name) => forms[name])
  const notes = []
  const note = (code, text) => notes.push({ code, text })
  const [, phrase] = PHRASE.exec(q) ?? []
  if (phrase) {
    const value = shown(queryRunsOf(phrase, table).join('-'))
    note('quotes', `Words in quotation marks are looked for one by one, in any order. A record with this name comes first. For the value of a filter write it as a parameter, such as ${example}=${value}.`)
  }
  const [, operator] = OPERATOR.exec(q) ?? []
  if (operator) {
    note('operator', `q has no operators: records have every word, and "${shown(operator)}" is looked for as a word. With a filter any of several values is ${example}=a,b, all of them ${example}=all:a,b, none of them ${example}=not:a,b.`)
  }
  const [, name, value] = FIELD.exec(q) ?? []
  if (name) {
    const asked = `${shown(name)}=${shown(value)}`
    const how = name in forms ? `Write ${asked} as a parameter of its own.` : `Write only the words, or the value of a filter as a parameter of its own, such as ${example}=a.`
    note('field', `q has no names of fields: "${shown(name)}" is looked for as a word, everywhere. ${how}`)
  }
  if (q.includes('*')) {
    note('wildcard', `"*" is ignored: a word of ${table.index.prefix} characters or more also finds longer words that begin with it. For values that begin with a word use mode=count&by=${example}&like=word.`)
  }
  return notes
}
