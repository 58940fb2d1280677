import topLevelDomains from 'tlds'
import {
  ABBREVIATIONS,
  DOTTED_WORDS,
  ORDINAL_ENDINGS,
  PREPOSITIONS,
  SURNAMES,
  TITLES,
} from './abbreviations'

/** Finds links in names and addresses, which a device would open or a reader would type. */

/** Dots of other scripts, which browsers read as dots. NFKC maps the others. */
const OTHER_DOTS = /[。｡]/g

const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(topLevelDomains)

const FIXED_LINK = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]*:\/\/`,
    String.raw`\bwww\d?\.\S`,
    String.raw`[\p{L}\p{N}-]\.[a-z]{2}[/?#:]\S`,
    String.raw`[\p{L}\p{N}.+-]@[\p{L}\p{N}-]+\.\p{L}`,
    String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)`,
  ].join('|'),
  'iu',
)

/** Characters of a host. Browsers register symbols and emoji, too, and devices accept `_`. */
const HOST = /[\p{L}\p{M}\p{N}\p{So}\p{Sk}\u200d_.-]+/gu
const LABEL_START = /^[\p{L}\p{M}\p{N}]*/u

/** The part of a host up to one of its labels. */
interface HostPart {
  /** The labels before the ending, the nearest last. */
  before: readonly string[]
  /** The label, without signs at which a device stops to read. */
  ending: string
  /** The rest of the text behind the host. */
  following: string
}

const isAbbreviation = (label: string): boolean => ABBREVIATIONS.has(label.toLowerCase())
const isInitial = (label: string): boolean => /^\p{Lu}$/u.test(label)

/** Returns true when a known top-level domain ends a name that people write with a dot. */
const isDottedName = ({ before, ending, following }: HostPart): boolean => {
  if (/^[/?#:]\S/.test(following)) return false
  const lower = ending.toLowerCase()
  if (DOTTED_WORDS.has([...before, lower].join('.').toLowerCase())) return true
  const isAfterNumber = before.length === 1 && /^\d{1,2}$/.test(before[0]!)
  const isAfterAbbreviations = before.every(isAbbreviation)
  if (isAfterNumber && ORDINAL_ENDINGS.has(lower)) return true
  if ((isAfterNumber || isAfterAbbreviations) && PREPOSITIONS.has(lower))
    return /^ +\p{L}/u.test(following)
  if (!SURNAMES.has(lower) || !/^\p{Lu}/u.test(ending)) return false
  // “Bd.St.Michel”
  if (isAfterAbbreviations && lower === 'st') return true
  const first = before[0] ?? ''
  const isPerson =
    (TITLES.has(first.toLowerCase()) || isInitial(first)) &&
    before.every((label) => isAbbreviation(label) || isInitial(label))
  // Two letters behind an initial are a host: “X.Li”, as in “T.Me”.
  return isPerson && (lower.length > 2 || isAfterAbbreviations)
}

/** Returns true when an unknown ending may be a top-level domain that is new or private. */
const isUnknownDomain = ({ before, ending }: HostPart): boolean => {
  if (!/^[a-z]{2,}$/i.test(ending)) return false
  const isOneCase = ending === ending.toLowerCase() || ending === ending.toUpperCase()
  const nearest = before.at(-1) ?? ''
  // Plates have letters after a number.
  if (/^\p{N}+$/u.test(nearest)) return ending === ending.toLowerCase()
  const isName = before.every((label) => [...label].length < 2 || isAbbreviation(label))
  return !isName && (isOneCase || ending.length === 2)
}

const isHost = (part: HostPart): boolean => {
  const nearest = part.before.at(-1)
  if (!nearest || part.ending.length < 2) return false
  if (/^xn--\w/i.test(part.ending)) return true
  return TOP_LEVEL_DOMAINS.has(part.ending.toLowerCase())
    ? !isDottedName(part)
    : isUnknownDomain(part)
}

const hasHost = (text: string): boolean =>
  [...text.matchAll(HOST)].some(({ 0: host, index }) => {
    const labels = host.split('.').map((label) => label.replace(/^-+/, ''))
    const following = text.slice(index + host.length)
    return labels.some((label, at) =>
      isHost({
        before: labels.slice(0, at).filter((one, from) => one !== '' || from === at - 1),
        ending: /^xn--/i.test(label) ? label : (LABEL_START.exec(label)?.[0] ?? ''),
        following: at === labels.length - 1 ? following : '',
      }),
    )
  })

const toPlainSigns = (words: string): string => words.normalize('NFKC').replace(OTHER_DOTS, '.')

/**
 * Returns true when a text has a host, an address of a device, a scheme or an e-mail address, also
 * in full-width signs. A host is a label directly before a dot and a top-level domain behind it, in
 * any case: “evil.ru”, “Evil.Travel”, “365.de”; also an unknown ending in one case. Names that
 * people write with a dot are none: “St.Gallen”, “J.P.Morgan”, “Dr.Best”, “Avda.de la Paz”.
 */
export const hasLink = (words: string): boolean => {
  const plain = toPlainSigns(words)
  return FIXED_LINK.test(plain) || hasHost(plain)
}

/** Returns a text with a space behind each sign that could be a part of a link. */
const splitSigns = (words: string): string =>
  words.replace(/:\/+/g, ': ').replace(/[.@](?=\S)/g, '$& ')

/**
 * Returns the words with a space in everything that a reader's device would make a link of. The
 * words in which `hasLink` finds none stay as they are.
 */
export const splitLinks = (words: string): string => {
  if (!hasLink(words)) return words
  // The beginning of the next word decides about “Avda.de la Paz”.
  const split = words.replace(/\S+(?=( +\p{L})?)/gu, (word, next = '') =>
    hasLink(`${word}${next}`) ? splitSigns(word.replace(OTHER_DOTS, '.')) : word,
  )
  return hasLink(split) ? splitSigns(toPlainSigns(split)) : split
}
