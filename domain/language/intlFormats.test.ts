import { expect, test, vi } from 'vitest'
import { getDateFormat, getNumberFormat } from './intlFormats'
import { createMoneyFormat } from '../money/moneyFormat'

test('creates a formatter once for each locale and options', () => {
  const hour = (timeZone: string) => getDateFormat('en', { timeStyle: 'short', timeZone })
  expect(hour('America/Montevideo')).toBe(hour('America/Montevideo'))
  expect(hour('Asia/Tokyo')).not.toBe(hour('America/Montevideo'))
  expect(hour('Asia/Tokyo').format(0)).toMatch(/^9:00\sAM$/)
  expect(getNumberFormat('de', {}).format(1.5)).toBe('1,5')
  expect(getNumberFormat('en', {}).format(1.5)).toBe('1.5')
})

test('keeps a limited number of formatters, because callers choose their locales', () => {
  const getSwissFormat = (i: number) => getNumberFormat(`de-x-${i}`, { currency: 'CHF' })
  const [first, second] = [getSwissFormat(0), getSwissFormat(1)]
  expect(getSwissFormat(0)).toBe(first)
  for (let i = 2; i < 300; i++) getSwissFormat(i)
  expect(getSwissFormat(299)).toBe(getSwissFormat(299))
  expect(getSwissFormat(1)).not.toBe(second)
})

test('creates no formatter for amounts before the first amount', () => {
  const { NumberFormat } = Intl
  const created = vi
    .spyOn(Intl, 'NumberFormat')
    .mockImplementation(function create(locales, options) {
      return new NumberFormat(locales, options)
    })
  const formatMoney = createMoneyFormat('pt-PT', { symbol: '€', symbolAfter: true, decimal: 2 })
  expect(created).not.toHaveBeenCalled()
  expect(formatMoney(3)).toBe('3,00 €')
  expect(formatMoney(4)).toBe('4,00 €')
  expect(created).toHaveBeenCalledTimes(1)
})
