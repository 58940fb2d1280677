/** Lower case without accents, so that "Rincón" and "rincon" are the same word. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The folded words of a text: letters and digits, in order. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/**
 * Typing mistakes between `typed` and the best-fitting start of `word` (insert, drop, replace,
 * swap neighbours), or `limit + 1` when more than `limit`.
 */
export const typos = (typed: string, word: string, limit: number): number => {
  const width = Math.min(word.length, typed.length + limit)
  if (typed.length - width > limit) return limit + 1
  let before: number[] = []
  let row = Array.from({ length: width + 1 }, (_, i) => i)
  for (let i = 1; i <= typed.length; i++) {
    const next = [i]
    let best = i
    for (let j = 1; j <= width; j++) {
      const same = typed[i - 1] === word[j - 1]
      let cost = Math.min(row[j - 1]! + (same ? 0 : 1), row[j]! + 1, next[j - 1]! + 1)
      const isSwap = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]
      if (isSwap) cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
      best = Math.min(best, cost)
    }
    if (best > limit) return limit + 1
    before = row
    row = next
  }
  return Math.min(limit + 1, ...row)
}

/** Which letters and digits a word has, one bit each (others share a bit). */
export const letterMask = (word: string): number => {
  let mask = 0
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    const bit =
      code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 + (code % 5) : 31
    mask |= 1 << bit
  }
  return mask
}

/** How many bits are set. */
export const countBits = (mask: number): number => {
  let bits = mask - ((mask >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return (((bits + (bits >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24
}
