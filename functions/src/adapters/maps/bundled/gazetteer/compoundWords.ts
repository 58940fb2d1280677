import { MAX_TEXT_LENGTH } from './addressText'
import { splitAddressWords, STOP_WORDS } from './addressWords'

/** The words of a city's names. */
export interface Vocabulary {
  hasWord(word: string): boolean
  hasPrefix(prefix: string): boolean
}

const MIN_LETTERS = 3
const MAX_LETTERS = 30
const MAX_PARTS = 4

const isNumber = (part: string) => /^\d+$/.test(part)

const isName = (part: string, vocabulary: Vocabulary) =>
  part.length >= MIN_LETTERS && !isNumber(part) && vocabulary.hasWord(part)

const isPart = (part: string, vocabulary: Vocabulary) =>
  isNumber(part) || (part.length > 1 && STOP_WORDS.has(part)) || isName(part, vocabulary)

/** Returns the fewest words that a word consists of, or null. */
const separateWord = (
  word: string,
  vocabulary: Vocabulary,
  room = MAX_PARTS,
): readonly string[] | null => {
  if (isPart(word, vocabulary)) return [word]
  let best: readonly string[] | null = null
  for (let cut = word.length - 1; cut > 0 && room > 1; cut--) {
    const [first, rest] = [word.slice(0, cut), word.slice(cut)]
    const cutsNumber = /\d$/.test(first) && /^\d/.test(rest)
    if (cutsNumber || !isPart(first, vocabulary)) continue
    const others = separateWord(rest, vocabulary, (best?.length ?? room) - 1)
    if (others && (!best || others.length + 1 < best.length)) best = [first, ...others]
  }
  return best
}

/**
 * Separates words that were typed together: "tres cruces" for "trescruces". Returns null when
 * there are none. A word that begins a name stays whole.
 */
export const separateCompounds = (typed: string, vocabulary: Vocabulary): string | null => {
  let isChanged = false
  const text = typed.slice(0, MAX_TEXT_LENGTH).replace(/[\p{L}\p{N}\p{M}]+/gu, (one) => {
    const [word = '', ...others] = splitAddressWords(one)
    if (others.length > 0 || word.length > MAX_LETTERS || vocabulary.hasPrefix(word)) return one
    const parts = separateWord(word, vocabulary)
    if (!parts?.some((part) => isName(part, vocabulary))) return one
    isChanged = true
    return parts.join(' ')
  })
  return isChanged ? text : null
}
