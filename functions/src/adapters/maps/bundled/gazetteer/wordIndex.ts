import { countBits, countTypos, getLetterMask } from '../typoMatching'
import type { AddressQuery, AddressWord } from './addressText'
import { expandWord } from './addressWords'

/** The text that a word of an item comes from; the first ones describe it best. */
const SOURCES = ['name', 'alias', 'context'] as const
type Source = (typeof SOURCES)[number]
const CONTEXT = SOURCES.indexOf('context')

const SOURCE_FACTORS = [1, 0.85, 0.3]
const EXACT_SCORE = 1.3
const PREFIX_SCORE = 1
const TYPO_PENALTY = 0.35
/** Words outside the part that names the place tell little, even in the name of another place. */
const OUTSIDE_HEAD_FACTOR = 0.3
/** Bounds the work for a long text without any known word. */
const MAX_MISSPELT_WORDS = 8

const getAllowedTypos = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** A typed word or what it stands for; `isWhole` when it begins no other word. */
interface Form {
  form: string
  isWhole: boolean
}

/** The words of items, from which one search after another fills the same scores. */
export class WordIndex {
  private readonly vocabulary: string[]
  private readonly letterMasks: Int32Array
  /** The first entry of each word, and the end of the last one's. */
  private readonly starts: Uint32Array
  /** Items with the source of the word: item * 3 + source. */
  private readonly entries: Uint32Array
  // The result of the last search, marked with a stamp instead of cleared.
  private readonly stamps: Uint32Array
  private readonly scores: Float32Array
  private readonly nameMasks: Uint32Array
  private readonly contextMasks: Uint32Array
  private readonly wordStamps: Uint32Array
  private readonly wordScores: Float32Array
  private search = 0
  private wordSearch = 0
  private matches: number[] = []
  /** False when only items that match already can get more words. */
  private canOpen = true

  /** Indexes the words that `list` passes to its argument for items from 0 to `count`. */
  constructor(
    count: number,
    list: (put: (item: number, words: readonly string[], source: Source) => void) => void,
  ) {
    const index = new Map<string, number[]>()
    const putWord = (word: string, entry: number) => {
      const entries = index.get(word)
      if (entries) entries.push(entry)
      else index.set(word, [entry])
    }
    list((item, words, source) => {
      const entry = item * SOURCES.length + SOURCES.indexOf(source)
      for (const word of words) for (const form of expandWord(word)) putWord(form, entry)
    })
    this.vocabulary = [...index.keys()].sort()
    this.letterMasks = Int32Array.from(this.vocabulary, getLetterMask)
    const rows = this.vocabulary.map((word) => index.get(word) ?? [])
    let total = 0
    this.starts = Uint32Array.from([0, ...rows.map((row) => (total += row.length))])
    this.entries = Uint32Array.from(rows.flat())
    this.stamps = new Uint32Array(count)
    this.scores = new Float32Array(count)
    this.nameMasks = new Uint32Array(count)
    this.contextMasks = new Uint32Array(count)
    this.wordStamps = new Uint32Array(count)
    this.wordScores = new Float32Array(count)
  }

  /** Returns the total score of an item's words in the last search. */
  getScore(item: number): number {
    return this.scores[item]!
  }

  /** Returns the words of the last search that are in the item's names. */
  getNameMask(item: number): number {
    return this.nameMasks[item]!
  }

  /** Returns the words of the last search that are in the item's names or its context. */
  getMask(item: number): number {
    return this.nameMasks[item]! | this.contextMasks[item]!
  }

  /**
   * Returns the items whose names have at least one word of the address. Accepts typos in words
   * that no name has, or in every word with `acceptsTypos`. With `opener`, returns only items that
   * have this word.
   */
  findMatches(
    { words }: AddressQuery,
    { acceptsTypos, opener }: { acceptsTypos: boolean; opener: number | null },
  ): readonly number[] {
    this.search++
    this.matches = []
    this.canOpen = true
    let room = MAX_MISSPELT_WORDS
    const addMatches = (word: AddressWord, position: number) => {
      if (word.role === 'ignored') return
      this.wordSearch++
      const factor = word.isInHead && word.role !== 'city' ? 1 : OUTSIDE_HEAD_FACTOR
      let isInVocabulary = false
      for (const form of word.forms) {
        // The digits of a typed word do not begin other numbers: "tres" is not 30.
        const isWhole = form !== word.text && /^\d/.test(form)
        if (this.addPrefixMatches({ form, isWhole }, position, factor)) isInVocabulary = true
      }
      if (isInVocabulary && !acceptsTypos) return
      if (word.isNumber || word.role === 'city' || room-- <= 0) return
      this.addTypoMatches(word, position, factor)
    }
    if (opener !== null) {
      addMatches(words[opener]!, opener)
      this.canOpen = false
    }
    for (const [position, word] of words.entries()) {
      if (position !== opener) addMatches(word, position)
    }
    return this.matches
  }

  /** Returns true for a word of a name or a context. */
  hasWord(word: string): boolean {
    return this.vocabulary[this.findFirstWord(word)] === word
  }

  /** Returns true for the beginning of such a word. */
  hasPrefix(prefix: string): boolean {
    return this.vocabulary[this.findFirstWord(prefix)]?.startsWith(prefix) ?? false
  }

  private findFirstWord(prefix: string): number {
    let [low, high] = [0, this.vocabulary.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.vocabulary[middle]! < prefix) low = middle + 1
      else high = middle
    }
    return low
  }

  private addWord(word: number, position: number, weight: number): void {
    const bit = 1 << position
    for (let k = this.starts[word]!; k < this.starts[word + 1]!; k++) {
      const source = this.entries[k]! % SOURCES.length
      const item = (this.entries[k]! - source) / SOURCES.length
      if (this.stamps[item] !== this.search) {
        if (!this.canOpen) continue
        this.stamps[item] = this.search
        this.scores[item] = 0
        this.nameMasks[item] = 0
        this.contextMasks[item] = 0
      }
      if (source === CONTEXT) this.contextMasks[item]! |= bit
      else {
        if (this.nameMasks[item] === 0) this.matches.push(item)
        this.nameMasks[item]! |= bit
      }
      const value = weight * SOURCE_FACTORS[source]!
      if (this.wordStamps[item] !== this.wordSearch) {
        this.wordStamps[item] = this.wordSearch
        this.wordScores[item] = value
        this.scores[item]! += value
      } else if (value > this.wordScores[item]!) {
        this.scores[item]! += value - this.wordScores[item]!
        this.wordScores[item] = value
      }
    }
  }

  private addPrefixMatches({ form, isWhole }: Form, position: number, factor: number): boolean {
    const first = this.findFirstWord(form)
    for (let i = first; this.vocabulary[i]?.startsWith(form); i++) {
      if (isWhole && this.vocabulary[i] !== form) break
      const score = this.vocabulary[i] === form ? EXACT_SCORE : PREFIX_SCORE
      this.addWord(i, position, score * factor)
    }
    return this.hasPrefix(form)
  }

  private addTypoMatches({ text }: AddressWord, position: number, factor: number): void {
    const limit = getAllowedTypos(text)
    if (limit === 0) return
    const mask = getLetterMask(text)
    for (let i = 0; i < this.vocabulary.length; i++) {
      const candidate = this.vocabulary[i]!
      // Each typo hides at most one letter, so this check excludes most words before the exact
      // count.
      if (candidate.length < 3 || countBits(mask & ~this.letterMasks[i]!) > limit) continue
      const mistakes = countTypos(text, candidate, limit)
      if (mistakes > limit) continue
      this.addWord(i, position, (PREFIX_SCORE - TYPO_PENALTY * mistakes) * factor)
    }
  }
}
