import { hasLink, splitLinks } from './wordLinks'

/**
 * Texts that people write and that others see or receive: names, plates, addresses, notes, reasons
 * and messages.
 */

/**
 * The kinds of texts. A `name` is also an address or a vehicle, which the platform's own messages
 * carry: one line with a letter or digit, and without a link. A `plate` is a name that only has
 * letters and digits of any script, spaces, dots and hyphens. A `remark` is a reason or a comment
 * about a trip, which strangers read: lines without a link. A `line` is one line; a `text` may have
 * several.
 */
export type WordsKind = 'name' | 'plate' | 'remark' | 'line' | 'text'

/** The reasons why a text is refused. */
type WordsProblem = 'text_not_allowed' | 'link_not_allowed' | 'plate_not_allowed'

/** Marks that copied texts carry unnoticed, for example the addresses of maps in Arabic. */
const LEFTOVERS = /[\u00ad\u200e\u200f\u061c\ufeff]/g

/**
 * A visible character with the invisible ones that belong to it: the style of an emoji or a Han
 * character, and the joiner that many scripts and emoji need. Latin letters and digits have none,
 * so that no two equal-looking names differ.
 */
const STYLED = /((?!\p{DI})[\p{L}\p{M}\p{N}\p{P}\p{S}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu
const JOINED = /((?![\p{DI}\p{Script=Latin}])[\p{L}\p{M}\p{S}])[\u200c\u200d]/gu

/**
 * Control characters, changes of direction, and invisible characters. The braille blank and
 * half of a character count, too.
 */
const UNSEEN = /[\p{Cc}\p{DI}\p{Zl}\p{Zp}\p{Cs}\u2800\ufff9-\ufffb]/gu
const LINE_BREAK = /\r\n?|\u2028|\u2029/g

/** Returns the text in one form (NFC), without leftovers of copying and spaces at its ends. */
export const normalizeWords = (words: string): string =>
  words.replace(LEFTOVERS, '').replace(LINE_BREAK, '\n').normalize('NFC').trim()

/** Returns true when the sign may be in a text of this kind although it has no shape. */
const isBreakIn = (sign: string, kind: WordsKind): boolean =>
  (kind === 'text' || kind === 'remark') && /[\n\t]/.test(sign)

const isName = (kind: WordsKind): boolean => kind === 'name' || kind === 'plate'

const isWithoutLinks = (kind: WordsKind): boolean => isName(kind) || kind === 'remark'

/** A plate. Vowel signs are marks, and plates of China and Japan have dots in the middle. */
const PLATE = /^[\p{L}\p{M}\p{Nd}\p{Zs}\p{Pd}.·・]*$/u

const hasUnseen = (words: string, kind: WordsKind): boolean =>
  words
    .replace(STYLED, '$1')
    .replace(JOINED, '$1')
    .match(UNSEEN)
    ?.some((sign) => !isBreakIn(sign, kind)) === true

/**
 * Returns true for a name that only has signs, such as marks, which may have no shape on a screen.
 * An empty name has none. Vowel signs of many scripts are marks, and stand with letters.
 */
const isNameless = (words: string, kind: WordsKind): boolean =>
  isName(kind) && words !== '' && !/[\p{L}\p{N}]/u.test(words)

/** Returns the reason why a normalized text is refused, if any. */
export const findWordsProblem = (words: string, kind: WordsKind): WordsProblem | undefined => {
  if (hasUnseen(words, kind) || isNameless(words, kind)) return 'text_not_allowed'
  if (isWithoutLinks(kind) && hasLink(words)) return 'link_not_allowed'
  return kind === 'plate' && !PLATE.test(words) ? 'plate_not_allowed' : undefined
}

/**
 * Returns a stored or foreign text in a form that `findWordsProblem` accepts: without unseen
 * characters, a name in one line, and a name and a remark without links. A name without a letter or
 * digit becomes empty. A stored plate keeps its other signs.
 */
export const cleanWords = (words: string, kind: WordsKind): string => {
  const normal = normalizeWords(words)
  const replaceSign = (sign: string) => {
    if (isBreakIn(sign, kind)) return sign
    return /\s/.test(sign) ? ' ' : ''
  }
  const visibleText = hasUnseen(normal, kind) ? normal.replace(UNSEEN, replaceSign) : normal
  const cleaned = (isWithoutLinks(kind) ? splitLinks(visibleText) : visibleText)
    .replace(/ {2,}/g, ' ')
    .trim()
  return isNameless(cleaned, kind) ? '' : cleaned
}
