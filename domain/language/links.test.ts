import { describe, expect, test } from 'vitest'
import { isSocial, linkTo, socialLinkTo } from './links'

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '//evil.example',
  'https://',
  'https://a b',
  '../admin',
  '.',
]

describe('the link to an account of a social network', () => {
  test.each([
    ['FacebookHandle', 'kerbside', 'https://www.facebook.com/kerbside'],
    ['TwitterHandle', '@kerb_side', 'https://x.com/kerb_side'],
    ['InstagramHandle', ' kerb.side ', 'https://www.instagram.com/kerb.side'],
    ['FacebookHandle', 'https://fb.example/kerbside?a=1', 'https://fb.example/kerbside?a=1'],
  ] as const)('converts the %s %j to %s', (network, value, link) => {
    expect(socialLinkTo(network, value)).toBe(link)
  })

  test.each([...HOSTILE, '', undefined])('gives no link for %j', (value) => {
    expect(socialLinkTo('FacebookHandle', value)).toBeNull()
  })

  test.each(HOSTILE.map((value) => value.trim()))('does not accept %j as an account', (value) => {
    expect(isSocial(value)).toBe(false)
  })
})

describe('the link to a page of the company', () => {
  test.each([...HOSTILE, '', undefined, 'kerbside'])('gives no link for %j', (value) => {
    expect(linkTo(value)).toBeNull()
  })

  test.each(['https://example.com', 'https://example.com/terms', 'http://www.example.org?x'])(
    'does not link the placeholder %s',
    (value) => {
      expect(linkTo(value)).toBeNull()
    },
  )

  test.each([
    'https://kerbside.example/terms',
    'https://example.community',
    'http://k.example:80/',
  ])('links %s', (value) => {
    expect(linkTo(value)).toBe(value)
  })
})
