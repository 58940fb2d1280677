import type { Milliseconds } from '../language/units'

/** The alphabet of the database's push keys, in sort order. */
export const PUSH_KEY_ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

const encode = (number: number, length: number): string => {
  let rest = number
  let text = ''
  for (let i = 0; i < length; i++) {
    text = PUSH_KEY_ALPHABET.charAt(rest % 64) + text
    rest = Math.floor(rest / 64)
  }
  return text
}

/** Encodes `ms` as the time part of a push key: eight characters that sort by time. */
export const encodeTime = (ms: Milliseconds): string => encode(ms, 8)

/**
 * Creates a key of push-key form (20 characters) that sorts among the clients' push keys by time.
 * The domain has no randomness, so the caller's `n` distinguishes two keys of one list in the same
 * millisecond.
 */
export const createPushKey = (ms: Milliseconds, n: number): string => encodeTime(ms) + encode(n, 12)

/** Returns the creation time (ms) of a push key, or 0 for any other text. */
export const getPushKeyTime = (key: string): number => {
  const digits = [...key.slice(0, 8)].map((char) => PUSH_KEY_ALPHABET.indexOf(char))
  return digits.includes(-1) ? 0 : digits.reduce((time, digit) => time * 64 + digit, 0)
}

/**
 * Creates the key of an audit entry. It sorts by time, and is the same when the same change is
 * retried.
 */
export const createAuditKey = (ms: Milliseconds, subject: string, n: number): string =>
  `${encodeTime(ms)}${subject.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)}-${n}`
