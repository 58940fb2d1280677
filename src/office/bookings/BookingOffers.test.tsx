import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import type { ShownExplanation } from '~/domain/dispatch/matching/explainOffer'
import { aBooking, aDriver, anOfficeSeed, renderApp, toBookingKey } from '../testing/officeFixtures'
import type { Offer } from '~/domain/dispatch/types'

const ID = toBookingKey(1)
const anOffer = (over: Partial<Offer>): Offer => ({
  driver: 'driver',
  at: Date.now() - 20_000,
  expires: Date.now() + 60_000,
  eta_s: 240,
  by: 'system',
  ...over,
})

/** Opens the booking as an admin and returns its section about the drivers who were asked. */
const openOffers = async (
  offers: Offer[],
  requestedDrivers: Record<string, true> = {},
  explanation: ShownExplanation | null = null,
) => {
  const app = await renderApp(`/bookings?open=${ID}`, {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id: ID, booking_id: ID, requestedDrivers })],
      people: [aDriver({ id: 'far', firstName: 'Fabio', email: 'far@kerbside.example' })],
      more: { offers: { [ID]: toJson(Object.fromEntries(offers.entries())) } },
    }),
    handlers: {
      advance_booking: () => ({ booking_id: ID, status: 'NEW', revision: 3 }),
      explain_offer: () => ({ explanation }),
      driver_parts: () => ({
        rows: [
          {
            booking: ID,
            offer: '0',
            at: 1,
            outcome: 'farther',
            answer: 'accepted',
            eta_s: 300,
            cost: 300,
            total: 2,
            chosen: { driver: 'far', eta_s: 240 },
          },
        ],
        next: null,
      }),
    },
  })
  const heading = await screen.findByRole('heading', { name: 'Offers to drivers' })
  const section = within(heading.parentElement ?? document.body)
  return { ...app, section }
}

test('lists the offers to drivers, newest first, with the time left and the answers', async () => {
  const { section } = await openOffers(
    [
      anOffer({ driver: 'far', at: 1, answer: 'declined', answeredAt: 2 }),
      anOffer({ driver: 'driver' }),
    ],
    { driver: true },
  )
  expect(await section.findByText('Fabio Silva')).toBeInTheDocument()
  const [newest, oldest] = section.getAllByRole('listitem').map((row) => row.textContent)
  expect(newest).toMatch(/Beto Silva.*4 min to the pickup.*s left to answer.*Withdraw request/)
  expect(oldest).toMatch(/Fabio Silva.*Declined/)
  expect(oldest).not.toMatch(/Withdraw request|left to answer/)
})

test('says that a driver is late but can still answer', async () => {
  const { section } = await openOffers([anOffer({ expires: Date.now() - 1 })], { driver: true })
  expect(await section.findByText('Time is up. The driver can still answer.')).toBeInTheDocument()
})

test('withdraws an open request and confirms it', async () => {
  const { section, user, backend } = await openOffers([anOffer({})], { driver: true })
  await user.click(await section.findByRole('button', { name: 'Withdraw request' }))
  expect((await screen.findAllByText('Request withdrawn')).length).toBeGreaterThan(0)
  expect(backend.calls.at(-1)).toEqual({
    name: 'advance_booking',
    input: { booking_id: ID, event: 'withdraw', driver: 'driver' },
  })
})

test('explains why matching chose a driver and not another', async () => {
  const explanation: ShownExplanation = {
    offer: { booking: ID, driver: 'far', eta_s: 300, cost: 276, rank: 2 },
    at: 1,
    bookings: 2,
    weight: 200,
    total: 2,
    drivers: [
      {
        driver: 'far',
        eta_s: 300,
        cost: 276,
        aboveMean: -0.12,
        wasAsked: false,
        offeredTo: ID,
      },
      {
        driver: 'driver',
        eta_s: 240,
        cost: 280,
        aboveMean: 0.2,
        wasAsked: false,
        offeredTo: 'another',
      },
    ],
  }
  const { section, user, backend } = await openOffers(
    [anOffer({ driver: 'far', cost: 276, rank: 2 })],
    {},
    explanation,
  )
  await user.click(await section.findByRole('button', { name: 'Why this driver?' }))
  expect(
    await section.findByText(
      'Decided together with other bookings, for the least total time. Bookings: 2',
    ),
  ).toBeTruthy()
  const [, chosen, other] = section.getAllByRole('listitem').map((row) => row.textContent)
  expect(chosen).toBe(
    'Fabio Silva5 min to the pickup · 12% below the mean income per hour · counts as 276 s · Asked about this booking',
  )
  expect(other).toMatch(
    /^Beto Silva4 min.*20% above the mean income per hour · counts as 280 s · Asked about another booking$/,
  )
  expect(backend.calls.at(-1)).toEqual({
    name: 'explain_offer',
    input: { booking_id: ID, offer: '0' },
  })
})

test('says that the reasons of an old offer are not stored', async () => {
  const { section, user } = await openOffers([anOffer({ cost: 1, rank: 1 })])
  await user.click(await section.findByRole('button', { name: 'Why this driver?' }))
  expect(await section.findByText('The reasons for this offer are not stored.')).toBeTruthy()
})

test('says that no driver has an offer yet', async () => {
  const { section } = await openOffers([])
  expect(await section.findByText('No offers yet.')).toBeInTheDocument()
})

test('answers why another driver did not get the booking', async () => {
  const { section, user, backend } = await openOffers([
    anOffer({ driver: 'far', answer: 'accepted' }),
  ])
  await user.click(await section.findByRole('button', { name: 'Why not another driver?' }))
  const asked = within(await screen.findByRole('region', { name: 'Why not another driver?' }))
  await user.type(asked.getByRole('combobox', { name: 'Driver who asks' }), 'Beto')
  await user.click(await screen.findByRole('option', { name: /Beto Silva/ }))
  expect(await asked.findByText('Another driver was closer')).toBeInTheDocument()
  const row = (await asked.findByRole('listitem')).textContent
  expect(row).toMatch(/5 min to the pickup.*Asked instead: Fabio Silva · 4 min to the pickup$/)
  expect(backend.calls.at(-1)).toEqual({
    name: 'driver_parts',
    input: { driver: 'driver', booking_id: ID },
  })
})
