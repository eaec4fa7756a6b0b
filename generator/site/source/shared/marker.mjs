// The words of a query, marked in a text.
import { el } from '../common.mjs'
import { ARTICLE, WORD, withoutArticles } from './words.mjs'

const SPELLED = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss' }

// A text as it is searched: small letters without marks.
export const fold = (text) => text.normalize('NFKD').replace(/\p{M}|['’]/gu, '').toLowerCase().replace(/[^\0-\x7f]/g, (letter) => SPELLED[letter] ?? letter)
// The words of a query, and those of a text that a query finds.
export const wordsOf = (text) => (withoutArticles(text).match(WORD) ?? []).map(fold)

// Scripts without spaces, whose words begin anywhere.
export const CLOSE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

// What marks the words of a query in a text: strings and elements.  Words of `least` letters are marked where longer ones
// begin with them.
export function marker(q, least = 3) {
  const wanted = wordsOf(q)
  if (!wanted.length) return (text) => [text]
  const begun = (run) => {
    const folded = fold(run)
    for (const word of wanted) {
      const close = CLOSE.test(word)
      const at = close ? folded.indexOf(word) : 0
      if (folded === word || ((close || word.length > 2) && folded.startsWith(word, at))) return [at, word.length]
      if (word.length > 3 && word.endsWith('s') && folded === word.slice(0, -1)) return [0, folded.length]
    }
    return null
  }
  return (text) => {
    const parts = []
    let end = 0
    for (let { 0: run, index } of text.matchAll(WORD)) {
      let found = begun(run)
      if (!found) {
        const article = ARTICLE.exec(run)?.[0].length ?? 0
        ;[run, index] = [run.slice(article), index + article]
        found = article ? begun(run) : null
      }
      if (!found) continue
      const letters = [...run]
      const upTo = (length) => {
        let begun = ''
        while (fold(begun).length < length) begun += letters.shift()
        return begun.length
      }
      const from = index + upTo(found[0])
      const to = from + upTo(found[1])
      parts.push(text.slice(end, from), el('mark', {}, text.slice(from, to)))
      end = to
    }
    return [...parts, text.slice(end)].filter((part) => part !== '')
  }
}
