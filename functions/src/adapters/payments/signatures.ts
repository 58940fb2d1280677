import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { InvalidSignatureError } from '../../ports/paymentAdapter'

type Encoding = 'hex' | 'base64'
type BytesInput = string | Buffer

export const computeHash = (
  algorithm: string,
  text: BytesInput,
  encoding: Encoding = 'hex',
): string => createHash(algorithm).update(text).digest(encoding)

/** Returns an HMAC. Throws on an empty key, with which anyone could sign. */
export const computeHmac = (
  algorithm: string,
  key: BytesInput,
  text: BytesInput,
  encoding: Encoding = 'hex',
): string => {
  if (key.length === 0)
    throw new InvalidSignatureError(
      'The provider’s secret is not set. Set it, then send the message again.',
    )
  return createHmac(algorithm, key).update(text).digest(encoding)
}

/** Compares in constant time. A missing value never equals anything. */
export const isSameSecret = (candidate: string | null | undefined, expected: string): boolean => {
  if (!candidate || !expected) return false
  const [a, b] = [Buffer.from(candidate), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Throws unless the message has the expected signature. */
export const assertSignature = (signature: string | null | undefined, expected: string): void => {
  if (!isSameSecret(signature, expected))
    throw new InvalidSignatureError('The signature is not from the provider.')
}
