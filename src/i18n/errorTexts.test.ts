import { expect, test } from 'vitest'
import { domainError } from '~/domain/api/errors'
import { translateError } from './errorTexts'
import { makeI18n } from './i18n'

const { t } = makeI18n()

test('names the refused field where a text does, and else says the same for every field', () => {
  expect(translateError(domainError('select_proper', 'drop'), t)).toBe(
    'Please choose the drop-off.',
  )
  expect(translateError(domainError('select_proper', 'stop12'), t)).toBe(
    'Please choose the stop, or remove it.',
  )
  expect(translateError(domainError('select_proper', 'promo'), t)).toBe('Please choose this first.')
  expect(translateError(domainError('select_proper'), t)).toBe('Please choose this first.')
})

test('fills the parameters of a refusal into its text', () => {
  expect(translateError(domainError('too_far_ahead', 'tripdate', { days: 30 }), t)).toBe(
    'Please choose a time within the next 30 days.',
  )
})
