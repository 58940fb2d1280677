import { expect, test } from 'vitest'
import { parsePlan } from './screenshotPlan'

const LOCALES = ['ar', 'en', 'he']

test('without options, photographs everything in one left-to-right and one right-to-left language', () => {
  expect(parsePlan([], LOCALES)).toEqual({
    nameFilters: [],
    sizes: ['phone', 'desktop'],
    themes: ['light', 'dark'],
    languages: ['ar', 'en'],
    concurrentPages: 2,
    isRunning: false,
    isTouchedOnly: false,
  })
})

test('limits the pictures to the given options', () => {
  const plan = parsePlan(['--only', 'wallet,home', '--theme', 'dark', '--lang', 'he'], LOCALES)
  expect(plan).toMatchObject({
    nameFilters: ['wallet', 'home'],
    themes: ['dark'],
    languages: ['he'],
  })
})

test('refuses an unknown value and lists the valid ones', () => {
  expect(() => parsePlan(['--size', 'tablet'], LOCALES)).toThrow('phone, desktop')
  expect(() => parsePlan(['--lang', 'tlh'], LOCALES)).toThrow('ar, en, he')
  expect(() => parsePlan(['--pages', '0'], LOCALES)).toThrow('whole number')
})
