import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { ServiceError } from '~/src/services/services'
import { offeredBooking } from '../testing/offeredBooking'
import { renderDriverApp } from '../testing/renderDriverApp'
import type { MemoryBackend } from '~/src/services/memory/backendTypes'

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

test('shows the rider’s messages and lets the driver answer by typing or with one tap', async () => {
  const app = await renderDriverApp({
    bookings: [aBooking({ status: 'ACCEPTED' })],
    extraSeed: {
      chats: { [ID]: { '-a': message('Blue door', 1), '-b': message('Second floor', 2) } },
    },
    path,
  })
  expect(await screen.findByRole('heading', { name: 'Ana Lima' })).toBeInTheDocument()
  const log = await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(log).toHaveTextContent(/Blue door.*Second floor/))
  await app.user.type(screen.getByRole('textbox', { name: 'Write a message' }), 'Thanks{Enter}')
  await app.user.click(screen.getByRole('button', { name: 'I’m on my way.' }))
  await waitFor(() => expect(log).toHaveTextContent(/Thanks.*I’m on my way\./))
  const sent = Object.entries(app.backend.at(`chats/${ID}`) ?? {})
  expect(sent.map(([, one]) => one)).toContainEqual(
    expect.objectContaining({ message: 'Thanks', from: 'driver', source: 'driver', type: 'msg' }),
  )
  expect(app.backend.at(`newest/chats/${ID}/driver`)).toBe(sent.at(-1)?.[0])
})

test('scrolls to a new message also when the chat shows as many as it can', async () => {
  const keys = Array.from({ length: 200 }, (_, i) => `-m${String(i).padStart(3, '0')}`)
  const app = await renderDriverApp({
    bookings: [aBooking({ status: 'ACCEPTED' })],
    extraSeed: {
      chats: { [ID]: Object.fromEntries(keys.map((key, i) => [key, message(`Text ${i}`, i + 1)])) },
    },
    path,
  })
  const log = await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(log).toHaveTextContent('Text 199'))
  const scrollIntoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  app.backend.update({ [`chats/${ID}/-n`]: message('The newest', 201) })
  await waitFor(() => expect(log).toHaveTextContent('The newest'))
  expect(within(log).getAllByRole('listitem')).toHaveLength(200)
  expect(scrollIntoView).toHaveBeenCalledWith({ block: 'end' })
  scrollIntoView.mockRestore()
})

test('refuses hidden characters beside the field, and shows older messages without them', async () => {
  const app = await renderDriverApp({
    bookings: [aBooking({ status: 'ACCEPTED' })],
    extraSeed: { chats: { [ID]: { '-a': message('Blue\u202e\u0000 door', 1) } } },
    path,
  })
  const log = await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(log.querySelector('li p')?.textContent).toBe('Blue door'))
  const field = screen.getByRole('textbox', { name: 'Write a message' })
  await app.user.type(field, 'Pay\u202e me{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('a hidden character')
  expect(field).toHaveValue('Pay\u202e me')
  expect(Object.keys(app.backend.at(`chats/${ID}`) ?? {})).toEqual(['-a'])
})

test('queues messages that are sent faster than the rules allow, visible and in order', async () => {
  const app = await renderDriverApp({ bookings: [aBooking({ status: 'ACCEPTED' })], path })
  const { database } = app.backend.services
  const update = database.update.bind(database)
  const times: number[] = []
  // Like the rules, this refuses a second message within a second.
  database.update = async (changes) => {
    const now = Date.now()
    if (Object.keys(changes).some((name) => name.startsWith('chats/'))) {
      if (now - (times.at(-1) ?? 0) < 1000)
        throw new ServiceError('permission-denied', 'not_allowed')
      times.push(now)
    }
    return update(changes)
  }
  const field = await screen.findByRole('textbox', { name: 'Write a message' })
  await app.user.type(field, 'One{Enter}')
  await app.user.type(field, 'Two{Enter}')
  await app.user.type(field, 'Three{Enter}')
  const log = await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(log).toHaveTextContent(/One.*Two.*Sending….*Three.*Sending…/))
  await waitFor(() => expect(times).toHaveLength(3))
  await waitFor(() => expect(log).not.toHaveTextContent('Sending…'))
  expect(log).toHaveTextContent(/One.*Two.*Three/)
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('resends a message that was refused because another page had just sent one', async () => {
  const app = await renderDriverApp({ bookings: [aBooking({ status: 'ACCEPTED' })], path })
  const { database } = app.backend.services
  const update = database.update.bind(database)
  let refusals = 1
  database.update = async (changes) => {
    const isMessage = Object.keys(changes).some((name) => name.startsWith('chats/'))
    if (isMessage && refusals-- > 0) throw new ServiceError('permission-denied', 'not_allowed')
    return update(changes)
  }
  const field = await screen.findByRole('textbox', { name: 'Write a message' })
  await app.user.type(field, 'Hello{Enter}')
  const sent = () => Object.values(app.backend.at(`chats/${ID}`) ?? {})
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('tells a sender who has left the chat that a message was refused', async () => {
  const app = await renderDriverApp({ bookings: [aBooking({ status: 'ACCEPTED' })], path })
  const { database } = app.backend.services
  const update = database.update.bind(database)
  let refuse = () => {}
  const answered = new Promise<void>((resolve) => (refuse = resolve))
  database.update = async (changes) => {
    if (!Object.keys(changes).some((name) => name.startsWith('chats/'))) return update(changes)
    await answered
    throw new ServiceError('unavailable', 'network')
  }
  const field = await screen.findByRole('textbox', { name: 'Write a message' })
  await app.user.type(field, 'Blue door{Enter}')
  await screen.findByText('Blue door')
  await app.user.click(screen.getByRole('link', { name: 'Back' }))
  await waitFor(() => expect(field).not.toBeInTheDocument())
  refuse()
  expect(await screen.findByText('Your message was not sent: Blue door')).toBeInTheDocument()
})

describe('a message without an answer when the page is reloaded', () => {
  /** Sends a message that the database receives or not, without an answer, and closes the page. */
  const sendAndClose = async ({ isReceived }: { isReceived: boolean }) => {
    const app = await renderDriverApp({ bookings: [aBooking({ status: 'ACCEPTED' })], path })
    const { database } = app.backend.services
    const update = database.update.bind(database)
    database.update = async (changes) => {
      if (isReceived) await update(changes)
      await new Promise(() => {})
    }
    const field = await screen.findByRole('textbox', { name: 'Write a message' })
    await app.user.type(field, 'Blue door{Enter}')
    await screen.findByText('Blue door')
    const chats = app.backend.at('chats')
    app.unmount()
    return chats
  }
  const reopen = async (
    options: Parameters<typeof renderDriverApp>[0],
  ): ReturnType<typeof renderDriverApp> => {
    vi.resetModules()
    const reloaded = await import('../testing/renderDriverApp')
    return reloaded.renderDriverApp(options)
  }
  const listSent = ({ backend }: { backend: MemoryBackend }) =>
    Object.values(backend.at(`chats/${ID}`) ?? {})
  const listUnsent = () => Object.keys(localStorage).filter((key) => key.includes('.message.'))

  test('is sent by the next page, whichever it is', async () => {
    await sendAndClose({ isReceived: false })
    expect(listUnsent()).toHaveLength(1)
    const app = await reopen({ bookings: [aBooking({ status: 'ACCEPTED' })], path: '/trips' })
    await waitFor(() =>
      expect(listSent(app)).toMatchObject([{ message: 'Blue door', from: 'driver' }]),
    )
    await waitFor(() => expect(listUnsent()).toEqual([]))
  })

  test('is sent although the device has stored another one incompletely', async () => {
    await sendAndClose({ isReceived: false })
    const [stored = ''] = listUnsent()
    const damaged = `${stored}~`
    localStorage.setItem(damaged, '{"message":')
    const app = await reopen({ bookings: [aBooking({ status: 'ACCEPTED' })], path: '/trips' })
    await waitFor(() => expect(listSent(app)).toMatchObject([{ message: 'Blue door' }]))
    await waitFor(() => expect(listUnsent()).toEqual([damaged]))
  })

  test('is not sent twice', async () => {
    const chats = await sendAndClose({ isReceived: true })
    const app = await reopen({
      bookings: [aBooking({ status: 'ACCEPTED' })],
      extraSeed: { chats },
      path,
    })
    // The in-memory database counts its keys from one again.
    app.backend.services.database.newKey = async () => '-zSecond000000000000'
    const field = await screen.findByRole('textbox', { name: 'Write a message' })
    await app.user.type(field, 'Second floor{Enter}')
    await waitFor(() =>
      expect(listSent(app)).toMatchObject([{ message: 'Blue door' }, { message: 'Second floor' }]),
    )
    await waitFor(() => expect(listUnsent()).toEqual([]))
    expect(screen.queryByText(/was not sent/)).not.toBeInTheDocument()
  })

  test('is shown to its sender when the chat has closed meanwhile', async () => {
    await sendAndClose({ isReceived: false })
    const booking = aBooking({ status: 'COMPLETE', endTime: ended(61) })
    const app = await reopen({ bookings: [booking], path: '/trips' })
    expect(await screen.findByText('Your message was not sent: Blue door')).toBeInTheDocument()
    expect(listSent(app)).toEqual([])
    expect(listUnsent()).toEqual([])
  })
})

const ended = (minutes: number) => Date.now() - minutes * MINUTE_MS

test.each(['PENDING', 'PAID', 'COMPLETE'] as const)(
  'makes the chat of a booking that is %s read-only one hour after the end',
  async (status) => {
    await renderDriverApp({ bookings: [aBooking({ status, endTime: ended(61) })], path })
    expect(await screen.findByText(/the chat is closed/)).toBeInTheDocument()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  },
)

test('lets the rider write about lost property within the hour', async () => {
  await renderDriverApp({ bookings: [aBooking({ status: 'COMPLETE', endTime: ended(30) })], path })
  expect(await screen.findByRole('textbox', { name: 'Write a message' })).toBeInTheDocument()
})

describe('an offer that comes while the driver writes a message', () => {
  const TALKED = '-OAbcdefghijklmnopqt'
  const chatPath = `/bookings/${TALKED}/chat`
  const OFFERED = '-OAbcdefghijklmnopqs'
  /** Types a message on the chat page of a trip that has just ended; then an offer comes. */
  const writeUntilOffer = async () => {
    const app = await renderDriverApp({
      bookings: [
        aBooking({ id: TALKED, booking_id: TALKED, status: 'COMPLETE', endTime: Date.now() }),
      ],
      path: chatPath,
    })
    const field = await screen.findByRole('textbox', { name: 'Write a message' })
    await app.user.type(field, 'You forgot your')
    app.backend.update({
      [`bookings/${OFFERED}`]: JSON.parse(JSON.stringify(offeredBooking(OFFERED))),
      [`driver_tasks/driver/${OFFERED}`]: true,
    })
    const offer = await screen.findByRole('dialog', { name: '1 request for you' })
    return { ...app, field, offer }
  }

  test('covers the chat, and closed, gives the driver the unfinished message back', async () => {
    const { user, field, offer, backend } = await writeUntilOffer()
    expect(await within(offer).findByRole('button', { name: 'Accept' })).toBeEnabled()
    expect(field).toHaveValue('You forgot your')
    await user.click(within(offer).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(offer).not.toBeInTheDocument())
    expect(window.location.pathname).toBe(chatPath)
    await user.type(screen.getByRole('textbox', { name: 'Write a message' }), ' bag{Enter}')
    await waitFor(() =>
      expect(Object.values(backend.at(`chats/${TALKED}`) ?? {})).toEqual([
        expect.objectContaining({ message: 'You forgot your bag' }),
      ]),
    )
  })

  test('keeps the unfinished message when the driver accepts', async () => {
    const { user, offer, backend } = await writeUntilOffer()
    await user.click(await within(offer).findByRole('button', { name: 'Accept' }))
    await waitFor(() => expect(backend.at(`bookings/${OFFERED}/status`)).toBe('ACCEPTED'))
    await waitFor(() => expect(offer).not.toBeInTheDocument())
    expect(screen.getByRole('textbox', { name: 'Write a message' })).toHaveValue('You forgot your')
  })
})
