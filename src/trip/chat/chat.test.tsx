import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { read } from '~/src/services/memory/tree'
import { onTheRoad } from '../testing/road'

const ID = '-OAbcdefghijklmnopqr'
const path = `/bookings/${ID}/chat`
const message = (text: string, at: number) => ({
  message: text,
  from: 'rider',
  type: 'msg',
  msgDate: '20 Nov 2026',
  msgTime: '12:00',
  source: 'rider',
  at,
})

test('the driver reads what the customer wrote and answers, by hand or with one tap', async () => {
  const app = await onTheRoad({
    bookings: [aBooking({ status: 'ACCEPTED' })],
    more: { chats: { [ID]: { '-a': message('Blue door', 1), '-b': message('Second floor', 2) } } },
    path,
  })
  expect(await screen.findByRole('heading', { name: 'Ana Lima' })).toBeTruthy()
  const log = await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(log.textContent).toMatch(/Blue door.*Second floor/))
  await app.user.type(screen.getByRole('textbox', { name: 'Write a message' }), 'Thanks{Enter}')
  await app.user.click(screen.getByRole('button', { name: 'I’m on my way.' }))
  await waitFor(() => expect(log.textContent).toMatch(/Thanks.*I’m on my way\./))
  expect(Object.values(read(app.world.tree(), `chats/${ID}`) ?? {})).toContainEqual(
    expect.objectContaining({ message: 'Thanks', from: 'driver', source: 'driver', type: 'msg' }),
  )
})

test('the chat of a booking that is over can only be read', async () => {
  await onTheRoad({ bookings: [aBooking({ status: 'COMPLETE' })], path })
  expect(await screen.findByText(/the chat is closed/)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})
