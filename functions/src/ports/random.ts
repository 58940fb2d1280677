import { randomBytes, randomInt } from 'node:crypto'
import { KEY_ALPHABET, timePart } from '~/domain/keys'

/** Chance, so that tests can load the dice. */
export interface RandomPort {
  /** A whole number from `min` up to and including `max`. */
  between(min: number, max: number): number
  /** Unguessable, URL-safe; 128 bits unless told. */
  token(bytes?: number): string
}

export const cryptoRandom: RandomPort = {
  between: (min, max) => randomInt(min, max + 1),
  token: (bytes = 16) => randomBytes(bytes).toString('base64url'),
}

/** A key of the database's own kind: later keys sort after earlier ones. */
export const pushKey = (now: number, random: RandomPort): string => {
  const tail = Array.from({ length: 12 }, () => KEY_ALPHABET.charAt(random.between(0, 63)))
  return timePart(now) + tail.join('')
}
