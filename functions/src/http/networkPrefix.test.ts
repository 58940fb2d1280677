import { describe, expect, it } from 'vitest'
import { getNetworkPrefix } from './networkPrefix'

describe('the network prefix that a rate limit counts', () => {
  it('is the same for every address of an IPv6 /64, in every notation', () => {
    const written = [
      '2001:db8:1:2::1',
      '2001:DB8:1:2:0:0:0:1',
      '2001:0db8:0001:0002:ffff:ffff:ffff:ffff',
      '[2001:db8:1:2::7]',
      '2001:db8:1:2::7%eth0',
      ' 2001:db8:1:2::9 ',
      '2001:db8:1:2::203.0.113.7',
    ]
    expect(new Set(written.map(getNetworkPrefix))).toEqual(new Set(['2001:db8:1:2::/64']))
  })

  it.each([
    ['another /64 of the same provider', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['a prefix that contains zeros', '2001:db8::1', '2001:db8:0:0::/64'],
    ['the loopback address', '::1', '0:0:0:0::/64'],
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address mapped into IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv4 address mapped into IPv6 in hexadecimal', '::FFFF:cb00:7107', '203.0.113.7'],
    ['an invalid address', 'unknown', 'unknown'],
    ['an empty text', '', ''],
  ])('is correct for %s', (_, address, network) => expect(getNetworkPrefix(address)).toBe(network))
})
