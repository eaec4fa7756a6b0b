// What is searched of what was typed, so that no input is refused.
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu
const [MOST_WORDS, MOST_CHARACTERS] = [8, 200]

// { q, fault }: the text to search for, "" if it has no word; `fault` names the text that says what was changed.
export function searched(text) {
  const words = text.match(WORD) ?? []
  if (!words.length) return { q: '', fault: text.trim() && 'wordless' }
  if (words.length <= MOST_WORDS && text.length <= MOST_CHARACTERS) return { q: text.trim(), fault: '' }
  const q = words.slice(0, MOST_WORDS).join(' ').slice(0, MOST_CHARACTERS).trim()
  return { q, fault: 'first_words' }
}
