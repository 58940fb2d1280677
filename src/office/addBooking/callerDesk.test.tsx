import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CallerCardData } from '~/src/features/calls/calls'
import { aBooking, DROP, PICKUP, ROUTE } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { anOfficeSeed, aRider, renderApp } from '../testing/officeFixtures'
import type { CallerTrip } from '~/domain/booking/types'

const GIL = aRider({ id: 'gil', firstName: 'Gil', lastName: 'Paz', mobile: '+59899123456' })
const TRIP: CallerTrip = {
  booking_id: 'b1',
  pickup: PICKUP,
  drop: DROP,
  carTypeId: 'van',
  deliveryPerson: 'Ana Paz',
  deliveryPersonPhone: '099 111 222',
}
const OTHER_TRIP: CallerTrip = { ...TRIP, booking_id: 'b2', drop: { ...DROP, add: 'Harbor' } }
const CARD = {
  person: GIL,
  trips: [TRIP, OTHER_TRIP],
  open: [aBooking({ id: 'b9', reference: 'K7M-4QX', status: 'NEW' })],
  note: { text: 'Rings the wrong bell', revision: 3 },
}
const UNKNOWN = { person: null, trips: [], open: [], note: { text: '', revision: 0 } }

const openDesk = async ({
  path = '/addbookings',
  card = CARD,
  calls = {},
  saveNote = () => ({ revision: 4 }),
  answer = () => ({ first: true }),
}: {
  path?: string
  card?: CallerCardData
  calls?: Record<string, Record<string, string | number>>
  saveNote?: () => unknown
  answer?: () => unknown
} = {}) => {
  const app = await renderApp(path, {
    as: 'admin',
    seed: anOfficeSeed({
      people: [GIL],
      more: { internal: { admin: calls } },
    }),
    handlers: {
      'googleapis-getdirections': () => ROUTE,
      create_booking: () => ({ booking_id: '-Obooked' }),
      find_caller: () => card,
      save_note: saveNote,
      answer_call: answer,
    },
  })
  const sent = (name: string) =>
    app.backend.calls.filter((call) => call.name === name).map(({ input }) => input)
  return { ...app, sent }
}
const aCall = (over: object = {}) => ({
  number: GIL.mobile,
  at: Date.now(),
  expires: Date.now() + 60_000,
  revision: 1,
  ...over,
})

test('books a repeat caller by keyboard: number, person, last trip, book', async () => {
  const { user, sent } = await openDesk()
  await user.click(await screen.findByRole('combobox', { name: 'Rider' }))
  await user.keyboard('099 123 456')
  await screen.findByRole('option', { name: /Gil Paz/ })
  await user.keyboard('{Enter}')
  const card = await screen.findByRole('region', { name: 'What we know about Gil Paz' })
  const first = await within(card).findByRole('button', { name: /Plaza.*Tres/ })
  await waitFor(() => expect(first).toHaveFocus())
  within(card).getByRole('link', { name: 'K7M-4QX' })
  expect(within(card).getByLabelText('Note for the office')).toHaveValue('Rings the wrong bell')
  await user.keyboard('1')
  await screen.findByText('Total')
  const button = screen.getByRole('button', { name: 'Book' })
  expect(button).toHaveFocus()
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
  await user.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: 'Booked' })
  expect(sent('create_booking')).toMatchObject([
    {
      customer: 'gil',
      pickup: PICKUP,
      drop: DROP,
      carType: 'van',
      deliveryPerson: 'Ana Paz',
      deliveryPersonPhone: '099 111 222',
    },
  ])
})

test('takes the trip of the pressed number, and leaves the digits of the note alone', async () => {
  const { user } = await openDesk()
  await user.type(await screen.findByRole('combobox', { name: 'Rider' }), 'Gil')
  await user.click(await screen.findByRole('option', { name: /Gil Paz/ }))
  await user.type(await screen.findByLabelText('Note for the office'), ' 2')
  expect(screen.getByRole('combobox', { name: 'Drop-off' })).toHaveValue('')
  screen.getByRole('button', { name: /Harbor/ }).focus()
  await user.keyboard('2')
  expect(screen.getByRole('combobox', { name: 'Drop-off' })).toHaveValue('Harbor')
})

test('offers an unknown number as a new caller, and goes to the name', async () => {
  const { user } = await openDesk()
  await user.type(await screen.findByRole('combobox', { name: 'Rider' }), '099 000 111')
  await screen.findByRole('option', { name: 'New caller +59899000111' })
  await user.keyboard('{Enter}')
  const name = await screen.findByLabelText('Name')
  await waitFor(() => expect(name).toHaveFocus())
  expect(screen.getByLabelText('Mobile number')).toHaveValue('+59899000111')
})

test('saves a note, and after a refusal replaces the note of a colleague', async () => {
  let refused = false
  const { user, sent } = await openDesk({
    saveNote: () => {
      if (refused) return { revision: 6 }
      refused = true
      throw new ServiceError('failed-precondition', 'changed_meanwhile', 'changed_meanwhile', {
        field: 'text',
        params: { revision: 5 },
      })
    },
  })
  await user.type(await screen.findByRole('combobox', { name: 'Rider' }), 'Gil')
  await user.click(await screen.findByRole('option', { name: /Gil Paz/ }))
  const note = await screen.findByLabelText('Note for the office')
  await user.clear(note)
  await user.type(note, 'Blue door')
  await user.click(screen.getByRole('button', { name: 'Save note' }))
  await waitFor(() => expect(note).toHaveAttribute('aria-invalid', 'true'))
  await user.click(screen.getByRole('button', { name: 'Save note' }))
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Save note' })).not.toBeInTheDocument(),
  )
  expect(sent('save_note')).toEqual([
    { uid: 'gil', text: 'Blue door', revision: 3 },
    { uid: 'gil', text: 'Blue door', revision: 5 },
  ])
})

test('shows a call on every page, and Enter opens the form filled in', async () => {
  const { user, backend, sent } = await openDesk({ path: '/riders' })
  await screen.findByRole('heading', { name: 'Riders', level: 1 })
  backend.update({ 'internal/admin/call1': aCall({ extension: '12' }) })
  await screen.findByText(/^Call from .*\+59899123456/)
  const calls = screen.getByRole('region', { name: 'Incoming calls' })
  await within(calls).findByText('Gil Paz')
  within(calls).getByText('Extension 12')
  const button = within(calls).getByRole('button', { name: 'Book for this caller' })
  await waitFor(() => expect(button).toHaveFocus())
  await user.keyboard('{Enter}')
  const card = await screen.findByRole('region', { name: 'What we know about Gil Paz' })
  const first = await within(card).findByRole('button', { name: /Plaza.*Tres/ })
  await waitFor(() => expect(first).toHaveFocus())
  expect(sent('answer_call')).toEqual([{ call_id: 'call1' }])
  backend.update({ 'internal/admin/call1/number': null })
  await waitFor(() => expect(within(calls).queryByText('Gil Paz')).not.toBeInTheDocument())
})

test('opens the form for an unknown number with the number filled in', async () => {
  const { user } = await openDesk({
    path: '/riders',
    card: UNKNOWN,
    calls: { call1: aCall({ number: '+59899000111' }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Book for this caller' }))
  const name = await screen.findByLabelText('Name')
  await waitFor(() => expect(name).toHaveFocus())
  expect(screen.getByLabelText('Mobile number')).toHaveValue('+59899000111')
})

test('shows neither expired nor answered calls, and says when a colleague was faster', async () => {
  const { user } = await openDesk({
    path: '/riders',
    answer: () => ({ first: false }),
    calls: {
      old: aCall({ number: '+59899000001', expires: Date.now() - 1 }),
      answered: { at: Date.now(), expires: Date.now() + 60_000, revision: 2 },
      ringing: aCall(),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Dismiss call' }))
  expect(await screen.findByText('A colleague has already taken this call.')).toBeInTheDocument()
  expect(screen.queryByText(/99000001/)).not.toBeInTheDocument()
})
