import { fnv1a } from '../../data/fnv1a'

/**
 * The symbols of a reference. Leaves out symbols that look or sound alike (0/O, 1/I/L, 2/Z, 5/S,
 * 8/B, U/V), and vowels, so that no reference spells a word.
 */
export const REFERENCE_ALPHABET = '34679CDFGHJKMNPQRTWXY'

const GROUP = 3
const SYMBOLS = 2 * GROUP
const POSSIBLE = REFERENCE_ALPHABET.length ** SYMBOLS
const group = `[${REFERENCE_ALPHABET}]{${GROUP}}`
/** The form of a reference, such as K7M-4QX, as a regular expression. */
export const REFERENCE_PATTERN = `^${group}-${group}$`

/**
 * Maximum number of candidates of one booking. With 85 million references, even the third is rarely
 * needed.
 */
const MAX_CANDIDATES = 100

/** Spreads a hash evenly (the last step of MurmurHash3): FNV-1a alone repeats its low bits. */
const spread = (hash: number): number => {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}

const grouped = (symbols: string): string => `${symbols.slice(0, GROUP)}-${symbols.slice(GROUP)}`

/**
 * Returns the candidate number `n` for the reference of a booking. The same booking always has the
 * same candidates, so that a repeat or an interrupted migration ends with the same reference.
 */
export const referenceAt = (booking: string, n: number): string => {
  let rest = spread(fnv1a(`${n}:${booking}`)) % POSSIBLE
  let symbols = ''
  for (let i = 0; i < SYMBOLS; i++) {
    symbols = REFERENCE_ALPHABET.charAt(rest % REFERENCE_ALPHABET.length) + symbols
    rest = Math.floor(rest / REFERENCE_ALPHABET.length)
  }
  return grouped(symbols)
}

/** Yields the candidates for the reference of a booking in the order in which they are tried. */
function* referenceCandidates(booking: string): Generator<string> {
  for (let n = 0; n < MAX_CANDIDATES; n++) yield referenceAt(booking, n)
}

/**
 * Returns the first candidate that belongs to no other booking. `findOwner` returns the booking
 * that has a reference, or null. Throws when all candidates are taken.
 */
export const freeReference = async (
  booking: string,
  findOwner: (reference: string) => Promise<string | null>,
): Promise<string> => {
  for (const candidate of referenceCandidates(booking)) {
    const owner = await findOwner(candidate)
    if (owner === null || owner === booking) return candidate
  }
  throw new Error(
    `All candidates for the reference of bookings/${booking} are taken. Create the booking under another id.`,
  )
}

/**
 * Returns the reference that a person typed, in capitals and with its hyphen, or null for any other
 * text. Spaces, hyphens and small letters do not matter.
 */
export const parseReference = (text: string): string | null => {
  const reference = grouped(text.replace(/[\s-]/g, '').toUpperCase())
  return new RegExp(REFERENCE_PATTERN).test(reference) ? reference : null
}
