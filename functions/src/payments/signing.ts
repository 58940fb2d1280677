import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Forged } from './adapter'

type Encoding = 'hex' | 'base64'
type Bytes = string | Buffer

export const hashOf = (algorithm: string, text: Bytes, encoding: Encoding = 'hex'): string =>
  createHash(algorithm).update(text).digest(encoding)

/** Throws on an empty key: with that, everybody could sign. */
export const hmacOf = (
  algorithm: string,
  key: Bytes,
  text: Bytes,
  encoding: Encoding = 'hex',
): string => {
  if (key.length === 0) throw new Forged('There is no secret.')
  return createHmac(algorithm, key).update(text).digest(encoding)
}

/** Compares in constant time; nothing is never the same as anything. */
export const isSame = (given: string | null | undefined, expected: string): boolean => {
  if (!given || !expected) return false
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Ends the message's way unless it carries the expected signature. */
export const mustBe = (given: string | null | undefined, expected: string): void => {
  if (!isSame(given, expected)) throw new Forged('The signature is not the provider’s.')
}
