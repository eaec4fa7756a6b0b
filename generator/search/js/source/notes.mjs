// What an answer did not understand of its query, and how to ask it.
import { notesOnMarks } from './more.mjs'

// Without any of these `q` has only words.
const MARKS = /["\u201c-\u201f\u00ab\u00bb*:+-]|AND|OR|NOT/

// The notes of an answer, as { code, text }. `list` is null for a search over all collections.
export function notesOf({ q, filters, by = [], within }, list, table) {
  const notes = MARKS.test(q) ? [...notesOnMarks(q, list, table)] : []
  const own = within ? [] : by.filter((name) => name in filters)
  if (own.length) {
    notes.push({ code: 'within', text: `The counts of ${own.join(' and ')} leave out what the query itself asks of ${own.length > 1 ? 'them' : 'it'}, to show what else there is. To count only the records found, add within=true.` })
  }
  return notes
}
