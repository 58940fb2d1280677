import { isIPv6 } from 'node:net'

const PREFIX_GROUP_COUNT = 4
const GROUP_COUNT = 8

/** Returns the eight groups of an IPv6 address, or null when the text is not one. */
const parseIpv6Groups = (address: string): number[] | null => {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return null
  // The URL parser normalizes every notation of an address and writes an IPv4 tail as two groups.
  const short = new URL(`http://[${plain}]/`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16))
  if (tail === undefined) return numbers(head)
  const [first, last] = [numbers(head), numbers(tail)]
  return [...first, ...Array<number>(GROUP_COUNT - first.length - last.length).fill(0), ...last]
}

const isIpv4Mapped = (groups: readonly number[]) =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff

/**
 * Returns the part of an address that a rate limit counts: a whole IPv4 address, even when mapped
 * into IPv6, or the first 64 bits of an IPv6 address. A subscriber gets a whole /64 and can change
 * the remaining bits at will.
 */
export const getNetworkPrefix = (address: string): string => {
  const groups = parseIpv6Groups(address.trim().replace(/^\[(.*)\]$/, '$1'))
  if (groups === null) return address.trim()
  if (isIpv4Mapped(groups)) {
    const [high = 0, low = 0] = groups.slice(6)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const prefix = groups.slice(0, PREFIX_GROUP_COUNT).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}
