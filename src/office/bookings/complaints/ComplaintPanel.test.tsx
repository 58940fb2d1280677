import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { aCardPacket, aPaymentAttempt } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { aBooking, anOfficeSeed, renderApp, toBookingKey } from '../../testing/officeFixtures'
import type { Booking } from '~/domain/booking/types'

const ID = toBookingKey(1)
const NOTE = { text: 'Called twice', by: 'admin', at: 1 }
type Options = Parameters<typeof renderApp>[1]

const openBooking = ({
  over = {},
  more = {},
  handlers = {},
}: {
  over?: Partial<Booking>
  more?: NonNullable<Parameters<typeof anOfficeSeed>[0]>['more']
  handlers?: NonNullable<Options>['handlers']
} = {}) =>
  renderApp(`/bookings/${ID}`, {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [
        aBooking({
          id: ID,
          booking_id: ID,
          status: 'COMPLETE',
          paymentPacket: aCardPacket({ cardPaymentAmount: 0, usedWalletMoney: 43.13 }),
          usedWalletMoney: 43.13,
          ...over,
        }),
      ],
      more: { booking_notes: { [ID]: { [toBookingKey(5)]: NOTE } }, ...more },
    }),
    handlers: {
      advance_booking: () => ({ booking_id: ID, status: 'COMPLETE', revision: 2 }),
      add_booking_note: () => ({ note_id: toBookingKey(6), at: 2 }),
      send_receipt: () => ({ at: 2 }),
      refund_payment: () => ({
        payment_id: 'pay1',
        status: 'partially_refunded',
        refunded: 5,
        refund: 'confirmed',
      }),
      ...handlers,
    },
  })

/** A booking whose rider has paid all by card. */
const PAID_BY_CARD = {
  over: {
    paymentPacket: aCardPacket(),
    usedWalletMoney: 0,
    cardPaymentAmount: 43.13,
    payment_mode: 'card' as const,
  },
  more: {
    payments: {
      pay1: toJson(
        aPaymentAttempt({
          status: 'paid',
          booking: ID,
          kind: 'booking',
          applied_to: 'booking',
        }),
      ),
    },
  },
}

const getField = (name: RegExp) => screen.findByRole('textbox', { name })

describe('the complaint of a completed booking', () => {
  test('is settled after a preview of what each party gets', async () => {
    const { user, backend } = await openBooking()
    await user.selectOptions(
      await screen.findByRole('combobox', { name: /Reason/ }),
      'Late arrival',
    )
    await user.type(await getField(/Credit to the rider/), '10')
    await user.type(await getField(/Take back from the driver/), '4')
    await user.type(await getField(/Explanation/), 'Half an hour late')
    await user.click(screen.getByRole('button', { name: 'Settle complaint' }))
    const preview = await screen.findByRole('dialog', { name: 'Settle this complaint?' })
    expect(preview).toHaveTextContent('Ana Lima+$10.00')
    expect(preview).toHaveTextContent('Beto Silva−$4.00')
    expect(preview).toHaveTextContent('Platform−$6.00')
    await user.click(within(preview).getByRole('button', { name: 'Settle complaint' }))
    expect(await screen.findByText('The complaint is settled.')).toBeInTheDocument()
    expect(backend.calls.at(-1)).toMatchObject({
      name: 'advance_booking',
      input: {
        booking_id: ID,
        event: 'compensate',
        request_id: expect.stringMatching(/^-/) as string,
        reason: 'late',
        text: 'Half an hour late',
        rider: 10,
        take_back: 4,
      },
    })
    await waitFor(async () => expect(await getField(/Credit to the rider/)).toHaveValue(''))
  })

  test('says beside the fields what is missing or too much, and sends nothing', async () => {
    const { user, backend } = await openBooking()
    const settle = await screen.findByRole('button', { name: 'Settle complaint' })
    await user.click(settle)
    const reason = screen.getByRole('combobox', { name: /Reason/ })
    await waitFor(() => expect(reason).toHaveAccessibleDescription('Please choose a reason.'))
    await user.selectOptions(reason, 'Late arrival')
    await user.click(settle)
    const rider = await getField(/Credit to the rider/)
    await waitFor(() => expect(rider).toHaveAccessibleDescription(/Enter at least one amount\./))
    await user.type(rider, '43.14')
    await user.click(settle)
    await waitFor(() => expect(rider).toHaveAccessibleDescription(/more than this booking allows/))
    expect(backend.calls.filter(({ name }) => name === 'advance_booking')).toEqual([])
  })

  test('keeps its values and shows a refusal at the field', async () => {
    const { user } = await openBooking({
      handlers: {
        advance_booking: () => {
          throw new ServiceError('failed-precondition', 'compensation_too_much', undefined, {
            field: 'rider',
          })
        },
      },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'Goodwill')
    const rider = await getField(/Credit to the rider/)
    await user.type(rider, '10')
    await user.click(screen.getByRole('button', { name: 'Settle complaint' }))
    const preview = await screen.findByRole('dialog')
    await user.click(within(preview).getByRole('button', { name: 'Settle complaint' }))
    await waitFor(() => expect(rider).toHaveAccessibleDescription(/more than this booking allows/))
    expect(rider).toHaveValue('10')
  })

  test('refunds the card part with the complaint', async () => {
    const { user, backend } = await openBooking({
      ...PAID_BY_CARD,
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'Wrong fare')
    await user.type(await getField(/Refund to the card/), '5')
    await user.click(screen.getByRole('button', { name: 'Settle complaint' }))
    const preview = await screen.findByRole('dialog')
    await user.click(within(preview).getByRole('button', { name: 'Settle complaint' }))
    expect(await screen.findByText('The complaint is settled.')).toBeInTheDocument()
    expect(backend.calls.at(-1)).toMatchObject({
      name: 'refund_payment',
      input: { payment_id: 'pay1', amount: 5, complaint: { reason: 'wrong_fare' } },
    })
    expect(backend.calls.filter(({ name }) => name === 'advance_booking')).toEqual([])
  })

  test('lists what went to the card beside what moved in wallets', async () => {
    await openBooking({
      over: {
        adjustments: { [toBookingKey(7)]: { at: 20, reason: 'late', rider: 3, driver: -2 } },
        fare_history: {
          refund: {
            kind: 'refund',
            at: 10,
            cause: 'wrong_fare',
            lines: [{ label: 'fare_refund', amount: -5 }],
            total: -5,
          },
          // A chargeback settles no complaint.
          chargeback: { kind: 'refund', at: 30, cause: 'chargeback', lines: [], total: -1 },
        },
      },
    })
    const settled = await screen.findByRole('list', { name: 'Settled complaints' })
    const rows = within(settled).getAllByRole('listitem')
    expect(rows).toHaveLength(2)
    expect(rows[0]).toHaveTextContent(/Wrong fare.*Refunded to the card: \$5\.00/)
    expect(rows[1]).toHaveTextContent(/Late arrival.*Customer: \$3\.00.*Driver: −\$2\.00/)
    const payments = screen.getByRole('list', { name: 'Payments' })
    expect(payments).toHaveTextContent(/Taken back from the driverLate arrival.*\$2\.00/)
    expect(payments).toHaveTextContent(/Compensation.*−\$3\.00/)
  })

  test('repeats a refund whose answer was lost with the same request id', async () => {
    let count = 0
    const { user, backend } = await openBooking({
      ...PAID_BY_CARD,
      handlers: {
        refund_payment: () => {
          count += 1
          if (count === 1) throw new ServiceError('unavailable', 'no_connection')
          return { payment_id: 'pay1', status: 'paid', refunded: 5, refund: 'confirmed' }
        },
      },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'Wrong fare')
    const card = await getField(/Refund to the card/)
    await user.type(card, '5')
    for (const expected of [1, 2]) {
      await user.click(screen.getByRole('button', { name: 'Settle complaint' }))
      const preview = await screen.findByRole('dialog')
      await user.click(within(preview).getByRole('button', { name: 'Settle complaint' }))
      await waitFor(() => expect(count).toBe(expected))
      if (expected === 1) await waitFor(() => expect(card).toBeInvalid())
    }
    const ids = backend.calls
      .filter(({ name }) => name === 'refund_payment')
      .map(({ input }) => (input as { request_id: string }).request_id)
    expect(ids).toEqual([expect.stringMatching(/^-/), ids[0]])
  })

  test('moves the wallets’ money once when the refund to the card fails', async () => {
    const { user, backend } = await openBooking({
      ...PAID_BY_CARD,
      handlers: {
        refund_payment: () => {
          throw new ServiceError('failed-precondition', 'refund_open', undefined, {
            field: 'payment_id',
          })
        },
      },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'Wrong fare')
    const rider = await getField(/Credit to the rider/)
    const card = await getField(/Refund to the card/)
    await user.type(rider, '3')
    await user.type(card, '5')
    await user.click(screen.getByRole('button', { name: 'Settle complaint' }))
    const preview = await screen.findByRole('dialog')
    await user.click(within(preview).getByRole('button', { name: 'Settle complaint' }))
    await waitFor(() => expect(card).toHaveAccessibleDescription(/refund of this payment/))
    expect(rider).toHaveValue('')
    expect(card).toHaveValue('5')
    expect(backend.calls.filter(({ name }) => name === 'advance_booking')).toHaveLength(1)
  })

  test('shows earlier ones, and the rest of what it allows', async () => {
    await openBooking({
      over: { adjustments: { [toBookingKey(7)]: { at: 1, reason: 'detour', rider: 40 } } },
    })
    const settled = await screen.findByRole('list', { name: 'Settled complaints' })
    expect(settled).toHaveTextContent('Detour')
    expect(settled).toHaveTextContent('$40.00')
    expect(await getField(/Credit to the rider/)).toHaveAccessibleDescription(/At most \$3\.13/)
  })

  test('is not offered during the trip', async () => {
    await openBooking({ over: { status: 'STARTED' } })
    expect(await screen.findByRole('heading', { name: 'Timeline' })).toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: 'Complaint' })).not.toBeInTheDocument()
  })
})

test('lists the office’s notes with their author and adds one', async () => {
  const { user, backend } = await openBooking()
  const notes = await screen.findByRole('list', { name: 'Notes' })
  expect(notes).toHaveTextContent('Called twice')
  expect(notes).toHaveTextContent('Alma Admin')
  const add = screen.getByRole('button', { name: 'Add note' })
  await user.click(add)
  const field = await getField(/^Note/)
  await waitFor(() => expect(field).toBeInvalid())
  await user.type(field, 'Promised a call')
  await user.click(add)
  expect(await screen.findByText('The note was added.')).toBeInTheDocument()
  expect(backend.calls.at(-1)).toMatchObject({
    name: 'add_booking_note',
    input: { booking_id: ID, text: 'Promised a call' },
  })
})

test('sends the receipt again', async () => {
  const { user, backend } = await openBooking()
  await user.click(await screen.findByRole('button', { name: 'Send receipt again' }))
  expect(await screen.findByText('The receipt was sent again.')).toBeInTheDocument()
  expect(backend.calls.at(-1)).toMatchObject({ name: 'send_receipt', input: { booking_id: ID } })
})
