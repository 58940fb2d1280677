import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { HelpCase } from '~/domain/help/helpCase'
import { aBooking, anOfficeSeed, renderApp, toBookingKey } from '../testing/officeFixtures'

const ID = toBookingKey(1)
const asked: HelpCase = {
  booking: ID,
  reference: 'K7M-4QX',
  customer: 'rider',
  name: 'Rita Rider',
  due: 1,
  revision: 1,
  messages: [
    { id: 'q', from: 'customer', by: 'rider', at: 1, topic: 'lost_item', text: 'My umbrella' },
  ],
}
const answered: HelpCase = {
  ...asked,
  revision: 2,
  messages: [
    ...asked.messages,
    { id: 'a', from: 'office', by: 'admin', at: 2, text: 'It is here.' },
  ],
}
const openOffice = (path: string, known: HelpCase | null = asked, as = 'admin') =>
  renderApp(path, {
    as,
    seed: anOfficeSeed({
      bookings: [aBooking({ id: ID, booking_id: ID, status: 'COMPLETE' })],
    }),
    handlers: {
      read_help: () => ({ case: known }),
      list_help: () => ({ cases: known ? [known] : [], next: null }),
      answer_help: () => ({ case: answered }),
    },
  })

test('the dashboard leads to the question of a customer, and the office answers it', async () => {
  const { user, backend } = await openOffice('/dashboard')
  const waiting = await screen.findByRole('region', { name: /Questions of customers/ })
  await user.click(within(waiting).getByRole('link', { name: /Rita Rider/ }))
  expect(await screen.findByText('My umbrella')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Send answer' }))
  const answer = screen.getByRole('textbox', { name: 'Answer' })
  await waitFor(() => expect(answer).toHaveAttribute('aria-invalid', 'true'))
  await user.type(answer, 'It is here.')
  await user.click(screen.getByRole('button', { name: 'Send answer' }))
  expect(await screen.findByText('Answer sent.')).toBeInTheDocument()
  await waitFor(() => expect(answer).toHaveValue(''))
  expect(backend.calls).toContainEqual({
    name: 'answer_help',
    input: { booking_id: ID, request_id: expect.any(String), text: 'It is here.', revision: 1 },
  })
})

test('a booking without a question shows no case', async () => {
  const { backend } = await openOffice(`/bookings/${ID}`, null)
  await waitFor(() => expect(backend.calls.map(({ name }) => name)).toContain('read_help'))
  expect(screen.queryByRole('heading', { name: 'Questions of customers' })).not.toBeInTheDocument()
})
