import { PUSH_KEY_ALPHABET, encodeTime } from '~/domain/data/pushKeys'

/** A source of random values, replaceable in tests. */
export interface RandomPort {
  /** Returns a whole number from `min` to `max`, both included. */
  integerBetween(min: number, max: number): number
  /** Returns an unguessable, URL-safe token, 128 bits by default. */
  createToken(bytes?: number): string
}

/** Returns a key in the database's own format: later keys sort after earlier ones. */
export const generatePushKey = (now: number, random: RandomPort): string => {
  const tail = Array.from({ length: 12 }, () =>
    PUSH_KEY_ALPHABET.charAt(random.integerBetween(0, 63)),
  )
  return encodeTime(now) + tail.join('')
}
