// Reads what generator/engine/packing.py packs: `short` are the characters that stand for parts of the text, in the order in
// which they are put back. The text ends with the part of the first.
export function unpacked(text, short) {
  return short.split('').reduce((packed, character) => {
    const parts = packed.split(character)
    const part = parts.pop()
    return parts.join(part)
  }, text)
}
