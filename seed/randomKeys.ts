import { PUSH_KEY_ALPHABET, encodeTime } from '~/domain/data/pushKeys'
import type { Random } from '~/domain/data/seededRandom'
import type { Milliseconds } from '~/domain/language/units'

const pickLetters = (draw: Random, count: number, alphabet = PUSH_KEY_ALPHABET): string =>
  Array.from({ length: count }, () => alphabet[draw.integer(0, alphabet.length - 1)]).join('')

/** Creates a push key like those of the clients: eight characters of time, twelve random ones. */
export const createRandomPushKey = (ms: Milliseconds, draw: Random): string =>
  encodeTime(ms) + pickLetters(draw, 12)

const TOKEN_ALPHABET = PUSH_KEY_ALPHABET.replace('-', '')
/** Creates a push token in Firebase's format that no device has. */
export const createPushToken = (draw: Random): string =>
  `demo${pickLetters(draw, 18, TOKEN_ALPHABET)}:APA91b${pickLetters(draw, 30, TOKEN_ALPHABET)}`
