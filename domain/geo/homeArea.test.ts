import { expect, test } from 'vitest'
import { getHomeArea } from './homeArea'
import { shortenAddress } from './shortAddress'

const URUGUAY = { country: 'Uruguay', restrictCountry: 'UY' }
const MONTEVIDEO = { city: 'Montevideo', country: 'UY' }

test('knows the country of the platform in every language of the product', () => {
  const home = getHomeArea(URUGUAY, MONTEVIDEO)
  expect(home.city).toBe('Montevideo')
  expect(home.countries).toEqual(expect.arrayContaining(['Uruguay', 'Uruguai', 'أورغواي']))
})

test('knows the short names of a country', () => {
  const home = getHomeArea({ country: 'United States', restrictCountry: 'us' }, null)
  expect(shortenAddress('350 5th Ave, New York, USA', home)).toBe('350 5th Ave, New York')
  const kingdom = getHomeArea({ country: 'United Kingdom', restrictCountry: 'GB' }, null)
  expect(shortenAddress('1 Elm Road, Leeds, UK', kingdom)).toBe('1 Elm Road, Leeds')
})

test('takes the city of the installed map when the platform has only the name of its country', () => {
  expect(getHomeArea({ ...URUGUAY, restrictCountry: '' }, MONTEVIDEO).city).toBe('Montevideo')
})

test('ignores the city of a map of another country', () => {
  const home = getHomeArea({ country: 'Germany', restrictCountry: 'DE' }, MONTEVIDEO)
  expect(home.city).toBeNull()
  expect(home.countries).toContain('Deutschland')
  expect(home.countries).not.toContain('Uruguay')
})

test('stays usable with a code that is no country', () => {
  expect(getHomeArea({ country: 'Uruguay', restrictCountry: '1!' }, null)).toEqual({
    countries: ['Uruguay'],
    city: null,
  })
})
