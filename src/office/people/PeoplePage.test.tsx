import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listingOf } from '~/domain/listing'
import type { Query } from '~/src/services/services'
import { aDriver, anOffice, aRider, renderApp } from '../testing'

const many = Array.from({ length: 30 }, (_, at) =>
  aDriver({
    id: `driver-${String(at).padStart(2, '0')}`,
    firstName: `Driver${at}`,
    fleetadmin: 'fleet',
    walletBalance: at,
    walletHistory: { one: { type: 'Credit', amount: at, date: 1, txRef: 'x' } },
  }),
)
const listed = (people: typeof many) =>
  Object.fromEntries(people.map((person) => [person.id, listingOf(person)])) as never

const open = async (path: string, as: string) => {
  const seed = anOffice({ people: many, more: { people: listed(many) } })
  const app = await renderApp(path, { as, seed })
  const asked: Query[] = []
  const { database } = app.world.services
  const { live } = database
  database.live = (query, ...rest) => {
    asked.push(query)
    return live(query, ...rest)
  }
  return { ...app, asked }
}
/** Whether a question brings whole records of people. */
const isWhole = ({ path, records }: Query) => path === 'users' && !records

test('a page of drivers reads what it shows of them, and of nobody else', async () => {
  const { asked, user } = await open('/riders', 'admin')
  await user.click(await screen.findByRole('link', { name: 'Drivers' }))
  expect(await screen.findByRole('button', { name: 'Driver29' })).toBeTruthy()
  expect(asked.filter(isWhole)).toEqual([])
  const parts = asked.find(({ path, records }) => path === 'users' && records)?.records
  expect(parts?.keys).toHaveLength(25)
  expect(parts?.fields).not.toContain('walletHistory')
})

test('what a record says now is shown, whatever the list says', async () => {
  const { world } = await open('/drivers', 'fleet')
  const row = (await screen.findByRole('button', { name: 'Driver7' })).closest('tr') as HTMLElement
  expect(await within(row).findByText(/7\.00/)).toBeTruthy()
  world.change({ 'users/driver-07/walletBalance': 61.5, 'users/driver-07/firstName': 'Delia' })
  const changed = (await screen.findByRole('button', { name: 'Delia' })).closest(
    'tr',
  ) as HTMLElement
  expect(await within(changed).findByText(/61\.50/)).toBeTruthy()
})

test('where nobody of a kind is listed yet, their records are asked', async () => {
  const seed = anOffice({
    people: [aRider({ id: 'old', firstName: 'Zoraida' })],
    more: { people: listed(many) },
  })
  await renderApp('/riders', { as: 'admin', seed })
  expect(await screen.findByRole('button', { name: 'Zoraida' })).toBeTruthy()
})
