import { randomInt } from 'node:crypto'

// In ASCII order, so that the ids sort by time.
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const TIME_LENGTH = 8
const RANDOM_LENGTH = 12

let lastAt = 0
let random: number[] = []

/** A new 20-character key that sorts after all earlier ones. `now` is in milliseconds. */
export const pushId = (now: number): string => {
  if (now > lastAt) {
    lastAt = now
    random = Array.from({ length: RANDOM_LENGTH }, () => randomInt(ALPHABET.length))
  } else {
    let place = RANDOM_LENGTH - 1
    while (place >= 0 && random[place] === ALPHABET.length - 1) random[place--] = 0
    if (place >= 0) random[place] = (random[place] ?? 0) + 1
  }
  const time = Array.from(
    { length: TIME_LENGTH },
    (_, i) => Math.floor(lastAt / ALPHABET.length ** (TIME_LENGTH - 1 - i)) % ALPHABET.length,
  )
  return [...time, ...random].map((digit) => ALPHABET[digit]).join('')
}
