import { randomInt } from 'node:crypto'

// In ASCII order, so that ids sort by time.
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const TIME_LENGTH = 8
const RANDOM_LENGTH = 12

let lastAt = 0
let randomPart: number[] = []

/** Returns a new 20-character key that sorts after all earlier ones. `now` is in milliseconds. */
export const generatePushId = (now: number): string => {
  if (now > lastAt) {
    lastAt = now
    randomPart = Array.from({ length: RANDOM_LENGTH }, () => randomInt(ALPHABET.length))
  } else {
    let place = RANDOM_LENGTH - 1
    while (place >= 0 && randomPart[place] === ALPHABET.length - 1) randomPart[place--] = 0
    if (place >= 0) randomPart[place] = (randomPart[place] ?? 0) + 1
  }
  const time = Array.from(
    { length: TIME_LENGTH },
    (_, i) => Math.floor(lastAt / ALPHABET.length ** (TIME_LENGTH - 1 - i)) % ALPHABET.length,
  )
  return [...time, ...randomPart].map((digit) => ALPHABET[digit]).join('')
}
