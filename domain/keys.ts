/** The alphabet of the database's own push keys, in their sort order. */
export const KEY_ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

const encode = (number: number, length: number): string => {
  let rest = number
  let text = ''
  for (let i = 0; i < length; i++) {
    text = KEY_ALPHABET.charAt(rest % 64) + text
    rest = Math.floor(rest / 64)
  }
  return text
}

/** The time part of a push key made at `ms`: eight characters that sort as the time does. */
export const timePart = (ms: number): string => encode(ms, 8)

/**
 * A key of push-key form (20 characters) that sorts among the clients' push keys by its time. The domain has
 * no randomness, so the caller's `n` tells two keys of one list and one millisecond apart.
 */
export const keyAt = (ms: number, n: number): string => timePart(ms) + encode(n, 12)

/** The key of an audit entry: sorts by time, and is the same when the same change is tried again. */
export const auditKey = (ms: number, subject: string, n: number): string =>
  `${timePart(ms)}${subject.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)}-${n}`
