import { createHash } from 'node:crypto'
import { compareKeys, compareValues } from './order'
import { Branch, priorityOf, PrioritizedLeaf } from './node'
import type { Node, Priority, Scalar } from './node'

const FRACTION_BITS = 52
const BIAS = 1023

/**
 * A number's bits as the SDK writes them into hashes: 16 hexadecimal digits. Its exponent comes from
 * a rounded logarithm and is one off just below some powers of two. True bits would make every
 * transaction over such a number fail for ever, so the error is part of the protocol.
 */
const sdkDoubleHex = (number: number): string => {
  const value = Math.abs(number)
  let exponent = 0
  let fraction = 0
  if (value >= 2 ** (1 - BIAS)) {
    const power = Math.min(Math.floor(Math.log(value) / Math.LN2), BIAS)
    exponent = power + BIAS
    fraction = Math.round(value * 2 ** (FRACTION_BITS - power) - 2 ** FRACTION_BITS)
  } else if (value !== 0) {
    fraction = Math.round(value / 2 ** (1 - BIAS - FRACTION_BITS))
  }
  const sign = number < 0 || Object.is(number, -0) ? 1n : 0n
  // The SDK takes bits of the remainder by `% 2`, so a negative fraction keeps its odd bits set.
  let bits = 0n
  for (let i = 0; i < FRACTION_BITS; i++) {
    if (fraction % 2) bits |= 1n << BigInt(i)
    fraction = Math.floor(fraction / 2)
  }
  bits |= BigInt(exponent % 2048) << BigInt(FRACTION_BITS)
  bits |= sign << 63n
  return bits.toString(16).padStart(16, '0')
}

const tagged = (value: Scalar): string =>
  `${typeof value}:${typeof value === 'number' ? sdkDoubleHex(value) : String(value)}`

const prefix = (priority: Priority | null): string =>
  priority === null ? '' : `priority:${tagged(priority)}:`

const sha1 = (text: string): string => createHash('sha1').update(text, 'utf8').digest('base64')

const childrenText = (entries: readonly (readonly [string, Node])[]): string => {
  const ordered = entries.some(([, child]) => priorityOf(child) !== null)
    ? entries.toSorted(
        ([a, left], [b, right]) =>
          compareValues(priorityOf(left), priorityOf(right)) || compareKeys(a, b),
      )
    : entries
  return ordered.map(([key, child]) => `:${key}:${hashOf(child)}`).join('')
}

/** The hash clients compare: of a listen's cached value, and of what a transaction began from. */
export const hashOf = (node: Node | null): string => {
  if (node === null) return ''
  if (node instanceof PrioritizedLeaf) return sha1(prefix(node.priority) + tagged(node.value))
  if (!(node instanceof Branch)) return sha1(tagged(node))
  if (node.hash === undefined) {
    const entries: [string, Node][] = []
    node.forEach((key, child) => entries.push([key, child]))
    node.hash = sha1(prefix(node.priority) + childrenText(entries))
  }
  return node.hash
}

/** The hash of some children, given in key order, without their parent's priority. */
export const hashOfChildren = (children: readonly (readonly [string, Node])[]): string =>
  children.length === 0 ? '' : sha1(childrenText(children))

const WORTH_HASHING = 20_000

/** False for a node so large that sending it again is cheaper than finding out whether to. */
export const isWorthHashing = (node: Node | null): boolean => {
  let left = WORTH_HASHING
  const count = (here: Node | null): void => {
    left--
    if (left <= 0 || !(here instanceof Branch) || here.hash !== undefined) return
    left -= here.size
    if (left > 0) here.forEach((_, child) => count(child))
  }
  count(node)
  return left > 0
}
