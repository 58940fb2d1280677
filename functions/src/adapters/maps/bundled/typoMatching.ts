// Search reuses three rows of the edit table, because it runs this code thousands of times.
const MAX_WORD_LENGTH = 64
let row = new Uint8Array(MAX_WORD_LENGTH + 1)
let above = new Uint8Array(MAX_WORD_LENGTH + 1)
let twoAbove = new Uint8Array(MAX_WORD_LENGTH + 1)

/**
 * Counts the typos between `typed` and the best-matching prefix of `word` from `offset`: inserts,
 * deletions, replacements and swapped neighbors. Returns `limit + 1` for more than `limit`.
 */
export const countTypos = (typed: string, word: string, limit: number, offset = 0): number => {
  const width = Math.min(word.length - offset, typed.length + limit, MAX_WORD_LENGTH)
  if (typed.length - width > limit || typed.length > MAX_WORD_LENGTH) return limit + 1
  for (let j = 0; j <= width; j++) row[j] = j
  for (let i = 1; i <= typed.length; i++) {
    const spare = twoAbove
    twoAbove = above
    above = row
    row = spare
    row[0] = i
    let best = i
    const letter = typed.charCodeAt(i - 1)
    const previous = typed.charCodeAt(i - 2)
    for (let j = 1; j <= width; j++) {
      const other = word.charCodeAt(offset + j - 1)
      let cost = above[j - 1]! + (letter === other ? 0 : 1)
      if (above[j]! + 1 < cost) cost = above[j]! + 1
      if (row[j - 1]! + 1 < cost) cost = row[j - 1]! + 1
      if (i > 1 && j > 1 && previous === other && letter === word.charCodeAt(offset + j - 2)) {
        if (twoAbove[j - 2]! + 1 < cost) cost = twoAbove[j - 2]! + 1
      }
      row[j] = cost
      if (cost < best) best = cost
    }
    if (best > limit) return limit + 1
  }
  let least = limit + 1
  for (let j = 0; j <= width; j++) if (row[j]! < least) least = row[j]!
  return least
}

/** Returns one bit for each letter or digit in a word. Other characters share a bit. */
export const getLetterMask = (word: string): number => {
  let mask = 0
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    const bit =
      code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 + (code % 5) : 31
    mask |= 1 << bit
  }
  return mask
}

/** Counts the bits that are set. */
export const countBits = (mask: number): number => {
  let bits = mask - ((mask >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return (((bits + (bits >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24
}
