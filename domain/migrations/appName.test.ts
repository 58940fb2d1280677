import { expect, test } from 'vitest'
import { nameSite } from './appName'
import type { MigrationContext } from './migration'

const context: MigrationContext = { settings: {}, texts: {}, now: 0 }
const changed = (texts: Record<string, string>) =>
  nameSite.apply({ languages: { langLocale: 'en', keyValuePairs: texts } }, 'en', context)

test('takes the product’s name in the site’s texts from the settings', () => {
  const before = {
    site_title: 'Kerbside: rides and parcels across town',
    home_link: 'Kerbside, home',
    menu_home: 'Home',
  }
  const after = {
    site_title: '{{appName}}: rides and parcels across town',
    home_link: '{{appName}}, home',
    menu_home: 'Home',
  }
  expect(changed(before)).toEqual({ languages: { langLocale: 'en', keyValuePairs: after } })
  expect(changed(after)).toEqual({ languages: { langLocale: 'en', keyValuePairs: after } })
})

test('keeps texts that the office wrote, and other texts that contain the word', () => {
  const texts = { site_title: 'Zippy Cabs', hero_text: 'Kerbside pickup' }
  expect(changed(texts)).toEqual({ languages: { langLocale: 'en', keyValuePairs: texts } })
})

test.each([[{ languages: null }], [{ languages: { langLocale: 'en' } }]])(
  'leaves %j without texts unchanged',
  (row) => {
    expect(nameSite.apply(row, 'en', context)).toEqual(row)
  },
)
