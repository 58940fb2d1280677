import { describe, expect, it } from 'vitest'
import { isDomainList, isEmailDomainAllowed, splitDomains, type EmailDomains } from './emailDomains'

const REFUSED = { refusedEmailDomains: ['throwaway.example'] }
const ALLOWED = { allowedEmailDomains: ['acme.example'] }

describe('an e-mail address', () => {
  it.each<[string, string, EmailDomains, boolean]>([
    ['of any domain without lists', 'a@throwaway.example', {}, true],
    ['of a refused domain', 'a@throwaway.example', REFUSED, false],
    ['of a refused domain in capitals', 'A@THROWAWAY.example ', REFUSED, false],
    ['of a subdomain of a refused domain', 'a@mx.throwaway.example', REFUSED, false],
    [
      'with a second sign before a refused domain',
      'a@acme.example@throwaway.example',
      REFUSED,
      false,
    ],
    ['of a domain that ends like a refused one', 'a@notthrowaway.example', REFUSED, true],
    ['of an allowed domain', 'a@acme.example', ALLOWED, true],
    ['of a subdomain of an allowed domain', 'a@mail.acme.example', ALLOWED, true],
    ['of another than the allowed domains', 'a@other.example', ALLOWED, false],
    [
      'of a domain of both lists',
      'a@acme.example',
      { ...ALLOWED, refusedEmailDomains: ['acme.example'] },
      false,
    ],
  ])('%s: %s', (_, address, domains, isAllowed) => {
    expect(isEmailDomainAllowed(address, domains)).toBe(isAllowed)
  })
})

describe('a list of domains', () => {
  it.each([
    ['', true],
    ['throwaway.example, Mail.example\nacme.example', true],
    ['throwaway', false],
    ['ana@acme.example', false],
    ['https://acme.example/', false],
    ['acme..example', false],
  ])('%j is valid: %s', (typed, isValid) => {
    expect(isDomainList(typed)).toBe(isValid)
  })

  it('has each domain once and in lowercase', () => {
    expect(splitDomains(' B.example,b.example a.example ')).toEqual(['b.example', 'a.example'])
  })
})
