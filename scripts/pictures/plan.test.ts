import { expect, test } from 'vitest'
import { planFrom } from './plan'

const LOCALES = ['ar', 'en', 'he']

test('without a word everything is photographed, left to right and right to left', () => {
  expect(planFrom([], LOCALES)).toEqual({
    only: [],
    sizes: ['phone', 'desktop'],
    themes: ['light', 'dark'],
    languages: ['ar', 'en'],
    pages: 2,
    running: false,
  })
})

test('options narrow what is photographed', () => {
  const plan = planFrom(['--only', 'wallet,home', '--theme', 'dark', '--lang', 'he'], LOCALES)
  expect(plan).toMatchObject({ only: ['wallet', 'home'], themes: ['dark'], languages: ['he'] })
})

test('what there is not is refused with what there is', () => {
  expect(() => planFrom(['--size', 'tablet'], LOCALES)).toThrow('phone, desktop')
  expect(() => planFrom(['--lang', 'tlh'], LOCALES)).toThrow('ar, en, he')
  expect(() => planFrom(['--pages', '0'], LOCALES)).toThrow('whole number')
})
