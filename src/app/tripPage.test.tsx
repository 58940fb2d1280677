import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking, aRider, aSettings, aVehicleType } from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { MemoryOptions, Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const ID = aBooking().id
const HERE = { status: 'ACCEPTED', lat: -34.9, lng: -56.2 }

const open = (over: Partial<Booking>, more: Tree = {}, handlers: MemoryOptions['handlers'] = {}) =>
  renderApp(`/bookings/${ID}`, {
    as: 'rider',
    handlers: {
      advance_booking: () => ({}),
      'googleapis-getdistancematrix': () => ({
        data: [[{ found: true, distance_in_km: 4, time_in_secs: 660 }]],
      }),
      ...handlers,
    },
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(),
        cartypes: { van: aVehicleType() },
        users: { rider: aRider() },
        bookings: { [ID]: aBooking(over) },
        ...more,
      }),
    ) as Tree,
  })
const openAccepted = (tracking: Tree = {}) =>
  open({ status: 'ACCEPTED', driver: 'driver' }, { tracking: { [ID]: tracking } })

const RELEASE = { event: 'release', status: 'NEW', at: 2, by: 'driver', ref: 'driver', revision: 2 }
const DECLINE = { event: 'decline', status: 'NEW', at: 3, by: 'driver', revision: 3 }
test.each([
  ['that is new', {}, {}, /^We are looking for a driver near you/],
  [
    'whose first driver declined while another is asked',
    { decline: DECLINE },
    { other: true },
    /^We are looking for a driver near you/,
  ],
  ['that all drivers declined', { decline: DECLINE }, {}, /^No driver is free .* office/],
  [
    'whose driver released it while another is asked',
    { release: RELEASE },
    { other: true },
    /We are looking for another one/,
  ],
  [
    'whose driver released it and whom no other driver took',
    { release: RELEASE, decline: { ...DECLINE, by: 'other' } },
    {},
    /^Your driver had to give the booking back, and no other .* office/,
  ],
])('the rider reads on a booking %s who searches a driver', async (_, event_log, asked, text) => {
  await open({ status: 'NEW', event_log, requestedDrivers: asked } as Partial<Booking>)
  expect(await screen.findByText(text)).toBeInTheDocument()
})

test('a rider who waits for a driver reads when one can be there, and is asked whether to go on', async () => {
  const wait_until = Date.now() + 600_000
  const { backend, user } = await open({
    status: 'NEW',
    wait_until,
    expected_at: Date.now() + 245_000,
  })
  expect(await screen.findByText(/as soon as one is free/)).toBeInTheDocument()
  expect(screen.getByText(/A driver can be there in 4 min at the earliest/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Keep waiting' })).not.toBeInTheDocument()
  const asked_at = Date.now() - 1000
  backend.update({ [`bookings/${ID}/wait_until`]: asked_at })
  await user.click(await screen.findByRole('button', { name: 'Keep waiting' }))
  await waitFor(() =>
    expect(backend.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: ID, event: 'keep_waiting', asked_at },
    }),
  )
})

test('updates a booking’s page live, shows its code, and requests a rating at the end', async () => {
  const { backend, user } = await open(
    { status: 'NEW', otp: true },
    { booking_otps: { [ID]: 48213 } },
  )
  expect(await screen.findByText('48213')).toBeInTheDocument()
  backend.update({
    [`bookings/${ID}/status`]: 'ACCEPTED',
    [`bookings/${ID}/driver`]: 'driver',
    [`bookings/${ID}/driver_name`]: 'Beto Silva',
  })
  expect(await screen.findByText('Beto Silva')).toBeInTheDocument()
  backend.update({ [`bookings/${ID}/status`]: 'PAID' })
  const stars = await screen.findByRole('group', { name: 'How was it?' })
  await user.click(within(stars).getByRole('radio', { name: '3 stars' }))
  await user.click(screen.getByRole('button', { name: 'Send rating' }))
  await waitFor(() =>
    expect(backend.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: ID, event: 'rate', rating: 3 },
    }),
  )
  expect(screen.queryByText('48213')).not.toBeInTheDocument()
})

test('offers compliments with four stars and no longer with three, and a comment with both', async () => {
  const { backend, user } = await open({ status: 'PAID' })
  const stars = await screen.findByRole('group', { name: 'How was it?' })
  const comment = { name: 'Comment (optional)' }
  expect(screen.queryByRole('textbox', comment)).not.toBeInTheDocument()
  await user.click(within(stars).getByRole('radio', { name: '4 stars' }))
  await user.click(screen.getByRole('checkbox', { name: 'Friendly' }))
  await user.type(screen.getByRole('textbox', comment), 'Carried my bag')
  await user.click(within(stars).getByRole('radio', { name: '3 stars' }))
  expect(screen.queryByRole('checkbox', { name: 'Friendly' })).not.toBeInTheDocument()
  await user.click(within(stars).getByRole('radio', { name: '5 stars' }))
  expect(screen.getByRole('checkbox', { name: 'Friendly' })).toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Send rating' }))
  await waitFor(() =>
    expect(backend.calls).toContainEqual({
      name: 'advance_booking',
      input: {
        booking_id: ID,
        event: 'rate',
        rating: 5,
        compliments: ['friendly'],
        comment: 'Carried my bag',
      },
    }),
  )
})

test('shows a rating with its compliments and the comment', async () => {
  const entry = { by: 'rider', at: 1, status: 'COMPLETE', revision: 9, event: 'rate' } as const
  await open({
    status: 'COMPLETE',
    rating: 5,
    event_log: { rate: { ...entry, ref: 'friendly,on_time' } },
    words: { rate: 'Carried my bag' },
  })
  const heading = await screen.findByRole('heading', { name: 'Rating' })
  expect(heading.closest('section')).toHaveTextContent('★ 55 of 5 · Friendly · On time')
  expect(heading.closest('section')).toHaveTextContent('Carried my bag')
})

test('shows a party what the office wrote about their own complaint, and not the other’s', async () => {
  const log = {
    by: 'admin',
    at: 1,
    status: 'COMPLETE',
    event: 'compensate',
    reason: 'late',
  } as const
  await open({
    status: 'COMPLETE',
    event_log: {
      compensate_8: { ...log, revision: 8, ref: 'driver' },
      compensate_9: { ...log, revision: 9, ref: 'rider' },
    },
    adjustments: {
      driver: { reason: 'late', driver: -2, at: 1 },
      rider: { reason: 'late', rider: 2, at: 1 },
    },
    words: { compensate_8: 'You waited elsewhere', compensate_9: 'The driver came late' },
  })
  expect((await screen.findByText('The driver came late')).closest('p')).toHaveTextContent('Late')
  expect(screen.queryByText('You waited elsewhere')).not.toBeInTheDocument()
})

test('shows the map over the whole screen with the arrival time, and returns to the page', async () => {
  const { user } = await openAccepted({ p1: { ...HERE, at: Date.now() } })
  await user.click(await screen.findByRole('button', { name: 'Map over the whole screen' }))
  const whole = await screen.findByRole('dialog', { name: 'Map of the booking' })
  expect(await within(whole).findByText('until your driver is here')).toBeInTheDocument()
  await user.click(await within(whole).findByRole('button', { name: 'Close the whole-screen map' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  await screen.findByRole('button', { name: 'Map over the whole screen' })
})

test('says on the map that the vehicle has sent no position, until it sends one', async () => {
  const { backend } = await openAccepted()
  const missing = 'No location available for this booking yet.'
  expect(await screen.findByText(missing)).toBeInTheDocument()
  backend.update({ [`tracking/${ID}/p1`]: { ...HERE, at: 1 } })
  await waitFor(() => expect(screen.queryByText(missing)).not.toBeInTheDocument())
})

test('says how old the position is when the driver has been offline', async () => {
  const { backend } = await openAccepted({ p1: { ...HERE, at: Date.now() - 30 * 60_000 } })
  const arrival = (await screen.findByText('until your driver is here')).closest('p')
  expect(arrival).toHaveTextContent('11 min')
  expect(arrival).toHaveTextContent(/Last position from/)
  backend.update({ [`tracking/${ID}/p2`]: { ...HERE, at: Date.now(), lat: -34.91 } })
  await waitFor(() => expect(arrival).not.toHaveTextContent(/Last position from/))
})

test('asks the office for help with an ended booking, and shows its answer', async () => {
  const sent = {
    booking: ID,
    reference: 'K7M-4QX',
    customer: 'rider',
    name: 'Rita',
    revision: 2,
    messages: [
      { id: 'q', from: 'customer', by: 'rider', at: 1, topic: 'lost_item', text: 'My umbrella' },
      { id: 'a', from: 'office', by: 'admin', at: 2, text: 'It is here.' },
    ],
  }
  const { backend, user } = await open(
    { status: 'COMPLETE', endTime: Date.now() - 60_000 },
    {},
    { read_help: () => ({ case: null }), ask_help: () => ({ case: sent }) },
  )
  await user.click(await screen.findByRole('button', { name: 'Ask the office' }))
  expect(screen.getByText(/^You can ask here until /)).toBeInTheDocument()
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Ask the office' }))
  expect(await within(dialog).findByText('Please choose what it is about.')).toBeInTheDocument()
  await user.selectOptions(
    within(dialog).getByRole('combobox', { name: /What is it about/ }),
    'lost_item',
  )
  await user.type(within(dialog).getByRole('textbox', { name: /What happened/ }), 'My umbrella')
  await user.click(within(dialog).getByRole('button', { name: 'Ask the office' }))
  expect(await screen.findByText('It is here.')).toBeInTheDocument()
  expect(dialog).not.toBeInTheDocument()
  expect(backend.calls).toContainEqual({
    name: 'ask_help',
    input: {
      booking_id: ID,
      request_id: expect.any(String),
      topic: 'lost_item',
      text: 'My umbrella',
    },
  })
})

test('says that the time for help is over, and where to write', async () => {
  const settings = aSettings({ contact_email: 'hello@kerbside.example' })
  await open(
    { status: 'COMPLETE', endTime: Date.now() - 91 * 86_400_000 },
    { settings },
    { read_help: () => ({ case: null }) },
  )
  const hint = await screen.findByText(/^You could ask here until /)
  expect(within(hint).getByRole('link')).toHaveAttribute('href', 'mailto:hello@kerbside.example')
  expect(screen.queryByRole('button', { name: 'Ask the office' })).not.toBeInTheDocument()
})

test('offers no help before the end of a trip', async () => {
  await open({ status: 'STARTED', driver: 'driver' })
  await screen.findByRole('heading', { name: 'Booking' })
  expect(screen.queryByRole('button', { name: 'Ask the office' })).not.toBeInTheDocument()
})

const PAID = {
  kind: 'charge',
  at: 1,
  cause: 'pay',
  total: 137.79,
  lines: { 0: { label: 'payment_card', amount: 137.79 } },
}
test.each([
  ['that nobody paid', {}, /^You were not charged\.$/],
  [
    'whose payment came back',
    { paid: PAID, back: { ...PAID, kind: 'return', at: 2, cause: 'cancel' } },
    /^You paid .*137\.79 and got all of it back\.$/,
  ],
])('the rider reads what they paid on a canceled booking %s', async (_, fare_history, text) => {
  await open({
    status: 'CANCELLED',
    reason: 'Plans have changed',
    fare_history,
  } as Partial<Booking>)
  expect(await screen.findByText(text)).toBeInTheDocument()
})
