import { createHash } from 'node:crypto'
import { compareKeys, compareValues } from './order'
import { Branch, getPriority, PrioritizedLeaf } from './node'
import type { Node, Priority, Scalar } from './node'

const FRACTION_BITS = 52
const BIAS = 1023

/**
 * Returns a number's bits as the SDK writes them into hashes: 16 hexadecimal digits. The SDK takes
 * the exponent from a rounded logarithm, which is off by one just below some powers of two. Correct
 * bits would make every transaction on such a number fail, so this error is part of the protocol.
 */
const toSdkDoubleHex = (number: number): string => {
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
  // The SDK computes bits with `% 2` of the remainder, so a negative fraction keeps its odd bits
  // set.
  let bits = 0n
  for (let i = 0; i < FRACTION_BITS; i++) {
    if (fraction % 2) bits |= 1n << BigInt(i)
    fraction = Math.floor(fraction / 2)
  }
  bits |= BigInt(exponent % 2048) << BigInt(FRACTION_BITS)
  bits |= sign << 63n
  return bits.toString(16).padStart(16, '0')
}

const toTypedText = (value: Scalar): string =>
  `${typeof value}:${typeof value === 'number' ? toSdkDoubleHex(value) : String(value)}`

const priorityPrefix = (priority: Priority | null): string =>
  priority === null ? '' : `priority:${toTypedText(priority)}:`

const sha1 = (text: string): string => createHash('sha1').update(text, 'utf8').digest('base64')

const toChildrenText = (entries: readonly (readonly [string, Node])[]): string => {
  const ordered = entries.some(([, child]) => getPriority(child) !== null)
    ? entries.toSorted(
        ([a, left], [b, right]) =>
          compareValues(getPriority(left), getPriority(right)) || compareKeys(a, b),
      )
    : entries
  return ordered.map(([key, child]) => `:${key}:${hashNode(child)}`).join('')
}

/**
 * Returns the hash that clients compare: of a listener's cached value, and of a transaction's
 * initial value.
 */
export const hashNode = (node: Node | null): string => {
  if (node === null) return ''
  if (node instanceof PrioritizedLeaf)
    return sha1(priorityPrefix(node.priority) + toTypedText(node.value))
  if (!(node instanceof Branch)) return sha1(toTypedText(node))
  if (node.hash === undefined) {
    const entries: [string, Node][] = []
    node.forEach((key, child) => entries.push([key, child]))
    node.hash = sha1(priorityPrefix(node.priority) + toChildrenText(entries))
  }
  return node.hash
}

/** Returns the hash of children in key order, without the priority of their parent. */
export const hashChildren = (children: readonly (readonly [string, Node])[]): string =>
  children.length === 0 ? '' : sha1(toChildrenText(children))

const MAX_HASHED_NODES = 20_000

/** Returns false for a node so large that sending it again costs less than comparing hashes. */
export const isWorthHashing = (node: Node | null): boolean => {
  let left = MAX_HASHED_NODES
  const count = (here: Node | null): void => {
    left--
    if (left <= 0 || !(here instanceof Branch) || here.hash !== undefined) return
    left -= here.size
    if (left > 0) here.forEach((_, child) => count(child))
  }
  count(node)
  return left > 0
}
