import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { aBooking, aCardPacket, aDriver, aRider } from '~/domain/testing/builders'
import { anOfficeSeed, toBookingKey } from '~/src/office/testing/officeFixtures'
import { renderApp } from './renderApp'
import type { MemoryOptions } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const ID = toBookingKey(1)
const handlers: NonNullable<MemoryOptions['handlers']> = {
  advance_booking: () => ({ booking_id: ID, status: 'COMPLETE', revision: 2 }),
  get_providers: () => [{ name: 'stripe', link: 'https://fn.example/pay_stripe' }],
  start_payment: () => ({ payment_id: 'pay1', url: 'https://x', amount: 5, currency: 'UYU' }),
  request_withdraw: () => ({}),
  complete_withdraw: () => ({}),
  add_booking_note: () => ({ note_id: toBookingKey(6), at: 2 }),
  send_receipt: () => ({ at: 2 }),
  add_to_wallet: () => ({ uid: 'rider', amount: 25, walletBalance: 25 }),
  share_booking: () => ({ token: 'token', expires: Date.now() + 60_000 }),
  read_help: () => ({ case: null }),
  ask_help: () => ({
    case: {
      ...{ booking: ID, reference: 'K7M-4QX', customer: 'rider', name: 'Rita', revision: 1 },
      messages: [{ id: 'q', from: 'customer', by: 'rider', at: 1, text: 'My umbrella' }],
    },
  }),
  broadcast_notification: ({ notification_id }: { notification_id: string }) => ({
    ...{ notification_id, matched: 12, sent: 5, done: true },
  }),
}

type App = Awaited<ReturnType<typeof renderApp>>
type Role = 'rider' | 'driver' | 'admin'

const open = (path: string, as: Role, over: Partial<Booking> = {}) => {
  // jsdom cannot submit forms.
  HTMLFormElement.prototype.requestSubmit = () => undefined
  const booking = aBooking({ id: ID, booking_id: ID, customer: 'rider', ...over })
  return renderApp(path, {
    as,
    handlers,
    seed: anOfficeSeed({
      settings: { bank_fields: false },
      people: [aRider({ walletBalance: 50 }), aDriver({ walletBalance: 60 })],
      bookings: [booking],
      more: {
        withdraws: {
          a: toJson({ uid: 'driver', name: 'Beto', amount: 50, date: 1, processed: false }),
        },
      },
    }),
  })
}

const findButton = (name: string | RegExp) => screen.findByRole('button', { name })
const findInDialog = async (name: string | RegExp) =>
  within(await screen.findByRole('dialog')).findByRole('button', { name })
const PAID: Partial<Booking> = {
  status: 'COMPLETE',
  paymentPacket: aCardPacket({ cardPaymentAmount: 0, usedWalletMoney: 43.13 }),
  usedWalletMoney: 43.13,
  paid_at: Date.now() - 60_000,
  endTime: Date.now() - 60_000,
}

interface Deed {
  path: string
  as: Role
  booking?: Partial<Booking>
  /** Fills in what is needed and returns the button. */
  reach: (app: App) => Promise<HTMLElement>
  call: string
  /** A text that shows that the action is over; null when it leaves the page. */
  done: string | RegExp | null
  /** True when the dialog stays open for more. */
  stays?: boolean
}
const deeds: Record<string, Deed> = {
  'tips a driver': {
    ...{ path: `/bookings/${ID}`, as: 'rider', booking: PAID },
    reach: async ({ user }) => {
      await user.type(await screen.findByRole('textbox', { name: /Amount/ }), '5')
      return findButton('Give tip')
    },
    ...{ call: 'advance_booking', done: /got your tip/ },
  },
  'rates a trip': {
    ...{ path: `/bookings/${ID}`, as: 'rider', booking: { status: 'PAID' } },
    reach: async ({ user }) => {
      await user.click(await screen.findByRole('radio', { name: '3 stars' }))
      return findButton('Send rating')
    },
    ...{ call: 'advance_booking', done: 'Thank you for rating.' },
  },
  'pays a booking': {
    ...{ path: `/bookings/${ID}`, as: 'rider', booking: { status: 'PAYMENT_PENDING' } },
    reach: async ({ user }) => {
      await user.click(await findButton(/Pay/))
      await user.click(await screen.findByRole('radio', { name: /Cash/ }))
      return findInDialog(/^Pay .* in cash$/)
    },
    ...{ call: 'advance_booking', done: null },
  },
  'cancels a booking': {
    ...{ path: `/bookings/${ID}`, as: 'rider', booking: { status: 'NEW' } },
    reach: async ({ user }) => {
      await user.click(await findButton('Cancel booking'))
      const dialog = within(await screen.findByRole('dialog'))
      await user.click((await dialog.findAllByRole('radio'))[0] as HTMLElement)
      return findInDialog('Cancel the booking')
    },
    ...{ call: 'advance_booking', done: null },
  },
  'creates a link': {
    ...{ path: `/bookings/${ID}`, as: 'rider', booking: { status: 'STARTED' } },
    reach: async ({ user }) => {
      await user.click(await findButton('Share'))
      return findInDialog('Create link')
    },
    ...{ call: 'share_booking', done: /^Link copied|^The link could not be copied/, stays: true },
  },
  'asks for help': {
    ...{ path: `/bookings/${ID}`, as: 'rider', booking: PAID },
    reach: async ({ user }) => {
      await user.click(await findButton('Ask the office'))
      const dialog = within(await screen.findByRole('dialog'))
      await user.selectOptions(dialog.getByRole('combobox'), 'lost_item')
      await user.type(dialog.getByRole('textbox'), 'My umbrella')
      return findInDialog('Ask the office')
    },
    ...{ call: 'ask_help', done: 'My umbrella' },
  },
  'tops up a wallet': {
    ...{ path: '/wallet?tab=topup', as: 'rider' },
    reach: async ({ user }) => {
      await screen.findByRole('radio', { name: 'Stripe' })
      await user.type(await screen.findByLabelText('Amount'), '25')
      return findButton('Top up $25.00')
    },
    ...{ call: 'start_payment', done: null },
  },
  'requests a withdrawal': {
    ...{ path: '/wallet?tab=withdraw', as: 'driver' },
    reach: async ({ user }) => {
      await user.type(await screen.findByRole('textbox', { name: 'Amount' }), '20')
      await user.click(await findButton('Request withdrawal'))
      return findInDialog('Request withdrawal')
    },
    ...{ call: 'request_withdraw', done: /Withdrawal requested/ },
  },
  'pays out a withdrawal': {
    ...{ path: '/withdraws', as: 'admin' },
    reach: async ({ user }) => {
      await user.click(await findButton('Process the request from Beto'))
      return findInDialog('Process')
    },
    ...{ call: 'complete_withdraw', done: 'Paid out' },
  },
  'credits a wallet': {
    ...{ path: '/addtowallet', as: 'admin' },
    reach: async ({ user }) => {
      await user.type(await screen.findByRole('combobox', { name: 'User' }), 'ana')
      await user.click(await screen.findByRole('option', { name: /Ana Lima/ }))
      await user.type(screen.getByLabelText(/^Amount/), '25')
      await user.click(await findButton('Add to wallet'))
      return findInDialog('Credit $25.00')
    },
    ...{ call: 'add_to_wallet', done: /was added to the wallet/ },
  },
  'settles a complaint': {
    ...{ path: `/bookings/${ID}`, as: 'admin', booking: PAID },
    reach: async ({ user }) => {
      const reason = await screen.findByRole('combobox', { name: /Reason/ })
      await user.selectOptions(reason, 'Late arrival')
      await user.type(screen.getByRole('textbox', { name: /Credit to the rider/ }), '10')
      await user.type(screen.getByRole('textbox', { name: /Explanation/ }), 'Half an hour late')
      await user.click(await findButton('Settle complaint'))
      return findInDialog('Settle complaint')
    },
    ...{ call: 'advance_booking', done: 'The complaint is settled.' },
  },
  'adds a note': {
    ...{ path: `/bookings/${ID}`, as: 'admin', booking: PAID },
    reach: async ({ user }) => {
      await user.type(await screen.findByRole('textbox', { name: /note/i }), 'Called')
      return findButton('Add note')
    },
    ...{ call: 'add_booking_note', done: 'The note was added.' },
  },
  'sends a receipt again': {
    ...{ path: `/bookings/${ID}`, as: 'admin', booking: PAID },
    reach: () => findButton('Send receipt again'),
    ...{ call: 'send_receipt', done: 'The receipt was sent again.' },
  },
  'notifies people': {
    ...{ path: '/notifications?edit=new', as: 'admin' },
    reach: async ({ user }) => {
      const panel = within(await screen.findByRole('dialog', { name: 'Send notification' }))
      await user.type(panel.getByLabelText('Title'), 'Hello')
      await user.type(panel.getByLabelText('Message'), 'World')
      return panel.findByRole('button', { name: 'Send' })
    },
    ...{ call: 'broadcast_notification', done: 'Sent to 12 people.' },
  },
}

test.each(Object.entries(deeds))(
  'a person who clicks twice %s once',
  async (_, { path, as, booking, reach, call, done, stays = false }) => {
    const app = await open(path, as, booking)
    const button = await reach(app)
    const count = () => app.backend.calls.filter(({ name }) => name === call).length
    // Both clicks come before React renders.
    act(() => {
      button.click()
      button.click()
    })
    await waitFor(() => expect(count()).toBeGreaterThan(0))
    if (done !== null) {
      await screen.findAllByText(done)
      if (stays) await app.user.click(await findInDialog('Close'))
      // A closing dialog goes back in the history, which the next test shares.
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    }
    expect(count()).toBe(1)
  },
)
