import { randomBytes, randomInt } from 'node:crypto'

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

const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

/** A key of the database's own kind: later keys sort after earlier ones. */
export const pushKey = (now: number, random: RandomPort): string => {
  let time = ''
  for (let i = 0, left = now; i < 8; i++, left = Math.floor(left / 64)) {
    time = (ALPHABET[left % 64] ?? '') + time
  }
  let tail = ''
  for (let i = 0; i < 12; i++) tail += ALPHABET[random.between(0, 63)] ?? ''
  return time + tail
}
