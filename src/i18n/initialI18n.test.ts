import { expect, test } from 'vitest'
import { makeI18n } from './i18n'
import { makeInitialI18n } from './initialI18n'

test('shows a text that the prerendered page lacks once the full texts have loaded', () => {
  const used: string[] = []
  const i18n = makeInitialI18n({ home_link: '{{appName}}, home' }, (key) => used.push(key))
  expect(i18n.t('form_title')).toBe('')
  i18n.completeWith(makeI18n())
  expect(i18n.t('form_title')).toBe('Where to?')
  expect(i18n.t('too_many_stops', { most: 3 })).not.toContain('{{')
  expect(i18n.t('home_link', { appName: 'Zippy Cabs' })).toBe('Zippy Cabs, home')
  expect(used).toEqual(['form_title', 'form_title', 'too_many_stops', 'home_link'])
})
