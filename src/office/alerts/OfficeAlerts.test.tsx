import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { toPanicAlertId } from '~/domain/messages/officeAlert'
import { anOfficeSeed, renderApp } from '../testing/officeFixtures'

beforeEach(() => {
  tones.mockClear()
})

/** Called by each tone. The page keeps its first sound device, so all tests share this one. */
const tones = vi.fn()
const gain = { setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn() }
class FakeAudioContext {
  state = 'running'
  currentTime = 0
  destination = {}
  resume = () => Promise.resolve()
  createOscillator = () => ({
    frequency: { value: 0 },
    connect: (next: unknown) => next,
    start: tones,
    stop: () => undefined,
  })
  createGain = () => ({ gain, connect: (next: unknown) => next })
}
vi.stubGlobal('AudioContext', FakeAudioContext)

const ID = toPanicAlertId('b1', 'rider')
const PATH = `internal/admin/${ID}`
const aPanic = (over: object = {}) => ({
  event: 'panic',
  booking_id: 'b1',
  by: 'rider',
  role: 'rider',
  name: 'Rita Rider',
  reference: 'K7M-4QX',
  position: { lat: -34.90512, lng: -56.18234 },
  presses: 1,
  at: Date.now(),
  expires: Date.now() + 60_000,
  revision: 1,
  ...over,
})
const openOffice = async ({
  alerts = {},
  first = true,
}: { alerts?: Record<string, ReturnType<typeof aPanic>>; first?: boolean } = {}) => {
  const app = await renderApp('/cartypes', {
    as: 'admin',
    seed: anOfficeSeed({ more: { internal: { admin: alerts } } }),
    handlers: { answer_panic: () => ({ first }) },
  })
  await screen.findByRole('heading', { level: 1, name: 'Vehicle types' })
  // Browsers play no sound before the first touch.
  await app.user.click(document.body)
  return app
}
const findEmergencies = () => screen.findByRole('region', { name: 'Emergencies' })

test('shows an emergency on the open page at once, and sounds until an admin takes care of it', async () => {
  const { backend, user } = await openOffice()
  localStorage.setItem('kerbside.board-muted', 'yes')
  backend.update({ [PATH]: aPanic() })
  const list = await findEmergencies()
  expect(await within(list).findByText('Emergency: Rita Rider')).toBeInTheDocument()
  expect(within(list).getByRole('link', { name: /K7M-4QX/ })).toHaveAttribute(
    'href',
    '/bookings/b1',
  )
  expect(within(list).getByRole('link', { name: '-34.90512, -56.18234' })).toBeInTheDocument()
  await waitFor(() => expect(tones).toHaveBeenCalled())
  await user.click(within(list).getByRole('button', { name: 'I’ll take care of it' }))
  await waitFor(() =>
    expect(backend.calls).toContainEqual({
      name: 'answer_panic',
      input: { booking_id: 'b1', uid: 'rider', how: 'take', revision: 1 },
    }),
  )
  backend.update({ [PATH]: aPanic({ taken_by: 'admin', taken_name: 'Alma Admin', revision: 2 }) })
  expect(await within(list).findByText('Alma Admin is taking care of it.')).toBeInTheDocument()
  await user.click(within(list).getByRole('button', { name: 'Close emergency' }))
  await waitFor(() =>
    expect(backend.calls.at(-1)?.input).toMatchObject({ how: 'close', revision: 2 }),
  )
  backend.update({ [PATH]: null })
  await waitFor(() => expect(list).toBeEmptyDOMElement())
})

test('shows an emergency that came before the page was opened', async () => {
  await openOffice({ alerts: { [ID]: aPanic({ presses: 3 }) } })
  expect(await within(await findEmergencies()).findByText(/Presses: 3/)).toBeInTheDocument()
})

test('says that a colleague was faster', async () => {
  const { user } = await openOffice({ alerts: { [ID]: aPanic() }, first: false })
  await user.click(await screen.findByRole('button', { name: 'I’ll take care of it' }))
  expect(await screen.findByText('This emergency has changed. Look at it again.')).toBeVisible()
})

test('shows no emergency to a fleet admin', async () => {
  await renderApp('/dashboard', {
    as: 'fleet',
    seed: anOfficeSeed({ more: { internal: { admin: { [ID]: aPanic() } } } }),
  })
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  expect(await findEmergencies()).toBeEmptyDOMElement()
})

test.each([
  ['driver_signed_up', { driver: 'Juan' }, 'Juan signed up as a driver.', '/drivers'],
  [
    'payment_review',
    { payment: 'p1' },
    'Payment p1 needs a decision. Open the payments page.',
    '/payments',
  ],
])('announces %s with a sound, unless it is muted', async (event, params, text, path) => {
  const { backend, user } = await openOffice()
  const news = { event, params, at: Date.now(), expires: Date.now() + 60_000, revision: 1 }
  backend.update({ 'internal/admin/~news-a': news })
  const findAlert = () => screen.findByRole('link', { name: (name) => name.endsWith(` ${text}`) })
  expect(await findAlert()).toHaveAttribute('href', path)
  await waitFor(() => expect(tones).toHaveBeenCalledTimes(1))
  await user.click(screen.getByRole('button', { name: 'Alma Admin' }))
  await user.click(screen.getByRole('button', { name: 'Sounds', pressed: true }))
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  backend.update({ 'internal/admin/~news-b': { ...news, at: Date.now() + 1 } })
  await findAlert()
  expect(screen.getByRole('button', { name: 'Sounds', pressed: false })).toBeInTheDocument()
  expect(tones).toHaveBeenCalledTimes(1)
})
