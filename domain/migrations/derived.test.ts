import { expect, test } from 'vitest'
import { recountTotals, toStatsSettings } from '../money/stats'
import { aBooking, NOON } from '../testing/builders'
import { countTotals } from './countTotals'
import { rebuildDirectory } from './directory'
import type { MigrationContext } from './migration'
import { dropShippedTexts } from './ownTexts'

const ZONE = 'America/Montevideo'
const context: MigrationContext = {
  settings: { timezone: ZONE },
  texts: { es: { hello: 'Hola', bye: 'Adiós' } },
  now: NOON,
}

test('lists each person according to their record and removes entries without a record', () => {
  const users = { usertype: 'rider', firstName: 'Ana', walletBalance: 5 }
  const listed = { usertype: 'rider', firstName: 'Ana', sortKey: 'rider~ana' }
  expect(rebuildDirectory.apply({ users, people: null }, 'u', context)['people']).toEqual(listed)
  expect(
    rebuildDirectory.apply({ users, people: { firstName: 'X' } }, 'u', context)['people'],
  ).toEqual(listed)
  expect(rebuildDirectory.apply({ users: null, people: listed }, 'u', context)['people']).toBeNull()
})

test('leaves the texts of a language that the office has changed or added', () => {
  const keyValuePairs = { hello: 'Buenas', bye: 'Adiós', own: 'x' }
  const languages = { id: 'es', langLocale: 'es', keyValuePairs }
  const row = dropShippedTexts.apply({ languages }, 'es', context)
  expect(row).toEqual({
    languages: { ...languages, keyValuePairs: { hello: 'Buenas', own: 'x' } },
  })
  expect(dropShippedTexts.apply(row, 'es', context)).toEqual(row)
})

test('leaves a language unchanged that is not shipped', () => {
  const row = { languages: { id: 'it', langLocale: 'it', keyValuePairs: { hello: 'Ciao' } } }
  expect(dropShippedTexts.apply(row, 'it', context)).toEqual(row)
})

test('recounts the totals and takes the driver’s name from the newest booking', () => {
  const paid = aBooking({ status: 'PAID', driver: 'd', driver_name: 'Beto', paid_at: NOON })
  const older = { ...paid, driver_name: 'Roberto', paid_at: NOON - 1000 }
  const count = countTotals.createCounter(context, () => true)
  count.add('bookings', { ...paid }, 'b1')
  count.add('bookings', { ...older }, 'b2')
  const closed = { at: NOON, waived: 12.5 }
  count.add('closed_accounts', closed, 'gone')
  const totals = Object.fromEntries(count.finish())
  expect(totals).toMatchObject(recountTotals([paid, older], toStatsSettings(context), [closed]))
  expect(totals['stats/driver_earnings/d/2026-11/driverName']).toBe('Beto')
})
