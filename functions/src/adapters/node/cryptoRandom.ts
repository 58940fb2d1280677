import { randomBytes, randomInt } from 'node:crypto'
import type { RandomPort } from '../../ports/random'

export const cryptoRandom: RandomPort = {
  integerBetween: (min, max) => randomInt(min, max + 1),
  createToken: (bytes = 16) => randomBytes(bytes).toString('base64url'),
}
