// What is searched of what was typed, so that no input is refused.
export const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu
// An elided article at the start of a word, as in the folding of the search engine.
export const ARTICLE =
  /^(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|dell|dall|nell|sull|coll|all|quest|quell|sant|un|b)['’](?=\p{L}{2})/iu

// A text without elided articles, as a query looks for its words.
export const withoutArticles = (text) => text.replace(WORD, (word) => word.replace(ARTICLE, ''))
const [MOST_WORDS, MOST_CHARACTERS] = [8, 200]

// { q, fault }: the text to search for, "" if it has no word; `fault` names the text that says what was changed.
export function searched(text) {
  const words = text.match(WORD) ?? []
  if (!words.length) return { q: '', fault: text.trim() && 'wordless' }
  if (words.length <= MOST_WORDS && text.length <= MOST_CHARACTERS) return { q: text.trim(), fault: '' }
  const q = words.slice(0, MOST_WORDS).join(' ').slice(0, MOST_CHARACTERS).trim()
  return { q, fault: 'first_words' }
}
