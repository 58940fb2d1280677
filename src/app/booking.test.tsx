import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { referenceAt } from '~/domain/booking/search/reference'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import {
  aBooking,
  aVehicleType,
  aRider,
  aSettings,
  DROP,
  PICKUP,
  ROUTE,
} from '~/domain/testing/builders'
import { loadReferralCode, saveReferralCode } from '~/src/features/referral/referralCode'
import { ServiceError } from '~/src/services/services'
import { MEMORY_CODE } from '~/src/services/memory/memoryBackend'
import { saveUser } from '~/src/services/memory/saveUser'
import { renderApp } from './renderApp'
import type { MemoryBackend, Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const PLACES = { pickup: PICKUP, drop: DROP }
const rita = aRider({ id: 'rita', mobile: '+15555550103', walletBalance: 100 })
const seed = (over: Record<string, unknown> = {}) =>
  JSON.parse(
    JSON.stringify({
      settings: aSettings(),
      cartypes: { van: aVehicleType() },
      users: { rita },
      cancel_reason: [{ label: 'I changed my mind', value: 0 }],
      ...over,
    }),
  ) as Tree

const created = (input: CreateBookingInput, backend: MemoryBackend) => {
  const booking = aBooking({
    id: input.booking_id,
    booking_id: input.booking_id,
    customer: 'rita',
    status: 'PAYMENT_PENDING',
    estimate: input.estimateFare,
  })
  backend.update({ [`bookings/${input.booking_id}`]: JSON.parse(JSON.stringify(booking)) as Tree })
  return {
    booking_id: input.booking_id,
    status: 'PAYMENT_PENDING',
    revision: 1,
    estimate: input.estimateFare,
    reference: booking.reference,
  }
}
const paid = ({ booking_id }: { booking_id: string }, backend: MemoryBackend) => {
  backend.update({ [`bookings/${booking_id}/status`]: 'NEW' })
  return { booking_id, status: 'NEW', revision: 2 }
}
const handlers = {
  save_user: saveUser,
  validate_referrer: () => ({ valid: true }),
  'googleapis-autocomplete': ({ searchKeyword }: { searchKeyword: string }) => ({
    searchResults: Object.entries(PLACES)
      .filter(([, place]) => place.add.toLowerCase().startsWith(searchKeyword.toLowerCase()))
      .map(([place_id, { add }]) => ({ place_id, description: add })),
  }),
  'googleapis-getcoords': ({ place_id }: { place_id: 'pickup' | 'drop' }) => ({
    coords: { lat: PLACES[place_id].lat, lng: PLACES[place_id].lng },
  }),
  'googleapis-getdirections': () => ROUTE,
  create_booking: created,
  advance_booking: paid,
}

type App = Awaited<ReturnType<typeof renderApp>>
const choosePlaces = async ({ user }: App) => {
  for (const [label, letters, name] of [
    ['Pickup', 'plaza', 'Plaza Independencia'],
    ['Drop-off', 'tres', 'Tres Cruces'],
  ] as const) {
    await user.type(screen.getByRole('combobox', { name: label }), letters)
    await screen.findByRole('option', { name })
    await user.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(screen.getByRole('combobox', { name: label })).toHaveValue(name))
  }
}
const upToTheEstimate = async (app: App) => {
  await choosePlaces(app)
  await app.user.click(await screen.findByRole('radio', { name: /Van/ }))
  await app.user.click(screen.getByRole('button', { name: /Book now/ }))
  await app.user.click(await screen.findByRole('radio', { name: /Box/ }))
  await app.user.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('heading', { name: 'Your estimate' })
}

/**
 * Returns the error text of an invalid field; it is part of the field's description and also an
 * alert.
 */
const getErrorAt = (field: HTMLElement): string | undefined => {
  expect(field).toHaveAttribute('aria-invalid', 'true')
  return field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id))
    .find((text) => text?.getAttribute('role') === 'alert')
    ?.textContent?.trim()
}

test('shows an error at each empty field and focuses the first one', async () => {
  const { user } = await renderApp('/', { seed: seed() })
  await screen.findByRole('radio', { name: /Van/ })
  await user.click(screen.getByRole('button', { name: 'Book now' }))
  await screen.findByText('Please choose the pickup.')
  for (const [field, text] of [
    [screen.getByRole('combobox', { name: 'Pickup' }), 'Please choose the pickup.'],
    [screen.getByRole('combobox', { name: 'Drop-off' }), 'Please choose the drop-off.'],
    [screen.getByRole('group', { name: 'Select car' }), 'Please choose a vehicle type.'],
  ] as const)
    expect(getErrorAt(field)).toBe(text)
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Pickup' })).toHaveFocus())
})

const kept = (trip: object, draft: object = {}) =>
  sessionStorage.setItem(
    'kerbside.draft',
    JSON.stringify({
      draft,
      trip: { ...PLACES, waypoints: [], carType: 'van', selected: 'pickup', ...trip },
    }),
  )
const stopAt = (index: number) => ({
  ...PICKUP,
  lat: PICKUP.lat + index / 1000,
  add: `Stop ${index}`,
})
const pricesAsked = ({ backend }: App) =>
  backend.calls.filter(({ name }) => name === 'googleapis-getdirections')

/** Returns a search that responds when the test releases it. */
const slowSearch = () => {
  const answers: (() => void)[] = []
  const answer = handlers['googleapis-autocomplete']
  return {
    answers,
    handlers: {
      ...handlers,
      'googleapis-autocomplete': (request: { searchKeyword: string }) =>
        new Promise((done) => answers.push(() => done(answer(request)))),
    },
  }
}

test('selects the place that a slow search finds when Enter was pressed during it', async () => {
  const slow = slowSearch()
  const { user } = await renderApp('/', { seed: seed(), handlers: slow.handlers })
  const field = await screen.findByRole('combobox', { name: 'Pickup' })
  await user.type(field, 'plaza')
  await user.keyboard('{ArrowDown}{Enter}')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(field).toHaveAttribute('aria-busy', 'true')
  await waitFor(() => expect(slow.answers).toHaveLength(1))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  slow.answers[0]?.()
  await waitFor(() => expect(field).toHaveValue(PICKUP.add))
  expect(field).not.toHaveAttribute('aria-busy')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('cancels the selection when letters are typed after Enter or the search finds nothing', async () => {
  const slow = slowSearch()
  const { user } = await renderApp('/', { seed: seed(), handlers: slow.handlers })
  const field = await screen.findByRole('combobox', { name: 'Pickup' })
  await user.type(field, 'plaza')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(slow.answers).toHaveLength(1))
  await user.type(field, ' x')
  slow.answers[0]?.()
  await waitFor(() => expect(slow.answers).toHaveLength(2))
  expect(field).not.toHaveAttribute('aria-busy')
  await user.keyboard('{ArrowDown}{Enter}')
  slow.answers[1]?.()
  await waitFor(() => expect(field).not.toHaveAttribute('aria-busy'))
  expect(field).toHaveValue('plaza x')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('does not let keys choose a result of the previous search during the next one', async () => {
  const slow = slowSearch()
  const { user } = await renderApp('/', { seed: seed(), handlers: slow.handlers })
  const field = await screen.findByRole('combobox', { name: 'Pickup' })
  await user.type(field, 'plaza')
  await waitFor(() => expect(slow.answers).toHaveLength(1))
  slow.answers[0]?.()
  await screen.findByRole('option', { name: PICKUP.add })
  await user.clear(field)
  await user.type(field, 'tres')
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(slow.answers.length).toBeGreaterThan(1))
  slow.answers.at(-1)?.()
  await waitFor(() => expect(field).toHaveValue(DROP.add))
})

test('lets a rider add up to 25 stops and then says that no more are possible', async () => {
  kept({ waypoints: Array.from({ length: 24 }, (_, index) => stopAt(index)) })
  const { user } = await renderApp('/', { seed: seed(), handlers })
  const add = await screen.findByRole('button', { name: 'Add a stop' })
  await screen.findByDisplayValue('Stop 23')
  expect(screen.queryByText(/at most 25 stops/)).not.toBeInTheDocument()
  await user.click(add)
  expect(add).toBeDisabled()
  const shown = document.getElementById(add.getAttribute('aria-describedby') ?? '')
  expect(shown?.textContent).toBe(
    'A booking can have at most 25 stops. Book a second trip for the others.',
  )
})

test('refuses a saved draft with too many stops before it requests a price', async () => {
  kept({ waypoints: Array.from({ length: 26 }, (_, index) => stopAt(index)) })
  const app = await renderApp('/', { seed: seed(), handlers })
  await screen.findByDisplayValue('Stop 25')
  await screen.findByRole('radio', { name: /Van/ })
  await app.user.click(screen.getByRole('button', { name: /^Book now/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/at most 25 stops/)
  expect(pricesAsked(app)).toEqual([])
  await app.user.click(screen.getAllByRole('button', { name: 'Remove stop' })[0]!)
  await waitFor(() => expect(pricesAsked(app)).toHaveLength(1))
})

test.each([
  ['Pickup', { pickup: { ...PICKUP, add: 'a'.repeat(501) } }],
  ['Drop-off', { drop: { ...DROP, add: 'a'.repeat(501) } }],
  ['Stop 1', { waypoints: [{ ...DROP, lat: -34.9, add: 'a'.repeat(501) }] }],
])('refuses an address that is too long at its own field: %s', async (name, trip) => {
  kept(trip)
  const { user } = await renderApp('/', { seed: seed(), handlers })
  await screen.findByRole('radio', { name: /Van/ })
  await user.click(screen.getByRole('button', { name: /^Book now/ }))
  await screen.findByText(/more than 500 characters/)
  expect(getErrorAt(screen.getByRole('combobox', { name }))).toBe(
    'This address has more than 500 characters. Choose another place.',
  )
  expect(screen.getAllByText(/more than 500 characters/)).toHaveLength(1)
})

test('refuses a trip at the drop-off when it ends where it begins', async () => {
  kept({ drop: PICKUP })
  const { user } = await renderApp('/', { seed: seed(), handlers })
  await screen.findByRole('radio', { name: /Van/ })
  await user.click(screen.getByRole('button', { name: /^Book now/ }))
  await screen.findByText(/the same place/)
  expect(getErrorAt(screen.getByRole('combobox', { name: 'Drop-off' }))).toBe(
    'Pickup and drop-off are the same place. Choose another drop-off or add a stop.',
  )
})

test('refuses a pickup more than a year ahead at its field', async () => {
  const tooFar = new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 16)
  kept({}, { later: true, when: tooFar })
  const { user } = await renderApp('/', { seed: seed(), handlers })
  await screen.findByRole('radio', { name: /Van/ })
  await user.click(screen.getByRole('button', { name: /^Book/ }))
  await screen.findByText('Please choose a time within the next 365 days.')
  expect(getErrorAt(screen.getByLabelText(/^Pickup date and time/))).toBe(
    'Please choose a time within the next 365 days.',
  )
})

test('lets a visitor fill in everything, log in at the end, and book what they filled in', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  const { user, backend } = app
  await upToTheEstimate(app)
  await user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await user.click(screen.getByRole('button', { name: /Log in to book/ }))

  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.click(await screen.findByLabelText('Six-digit code'))
  await user.paste(MEMORY_CODE)

  await screen.findByRole('heading', { name: 'Your estimate' })
  expect(screen.getByLabelText('Recipient’s phone')).toHaveValue('099 123 456')
  await user.click(screen.getByRole('button', { name: /Book for/ }))
  await user.click(await screen.findByRole('button', { name: /^Pay \$/ }))
  await screen.findByText(/Your booking was successful/)

  const create = backend.calls.find(({ name }) => name === 'create_booking')
    ?.input as CreateBookingInput
  expect(create).toMatchObject({
    pickup: PICKUP,
    drop: DROP,
    carType: 'van',
    bookLater: false,
    parcelTypeIndex: 1,
    optionIndex: 0,
    deliveryPersonPhone: '099 123 456',
  })
  expect(await screen.findByText(/Your booking was successful/)).toHaveTextContent(
    `Reference: ${referenceAt(create.booking_id, 0)}`,
  )
  expect(await screen.findByRole('heading', { name: 'Looking for a driver' })).toBeInTheDocument()
})

test('requires a time at least fifteen minutes ahead for a later booking', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  await choosePlaces(app)
  await app.user.click(await screen.findByRole('radio', { name: /Van/ }))
  await app.user.click(screen.getByRole('radio', { name: 'Later' }))
  await app.user.click(screen.getByRole('button', { name: /Book for later/ }))
  expect(await screen.findByText('Please choose the pickup date and time.')).toBeInTheDocument()
  await app.user.type(screen.getByLabelText('Pickup date and time'), '2020-01-01T10:00')
  await app.user.click(screen.getByRole('button', { name: /Book for later/ }))
  expect(
    await screen.findByText('Please choose a time at least 15 minutes from now.'),
  ).toBeInTheDocument()
  expect(getErrorAt(screen.getByLabelText('Pickup date and time'))).toMatch(/15 minutes/)
})

test('shows a failed search and an unknown place at their field', async () => {
  let works = false
  const app = await renderApp('/', {
    seed: seed(),
    handlers: {
      ...handlers,
      'googleapis-autocomplete': (request: { searchKeyword: string }) =>
        works ? handlers['googleapis-autocomplete'](request) : { error: 'down' },
      'googleapis-getcoords': () => ({ error: 'unknown' }),
    },
  })
  const field = screen.getByRole('combobox', { name: 'Pickup' })
  await app.user.type(field, 'plaza')
  await waitFor(() => expect(getErrorAt(field)).toMatch(/cannot reach the server/))
  works = true
  await app.user.type(field, ' ')
  await app.user.click(await screen.findByRole('option', { name: 'Plaza Independencia' }))
  await waitFor(() =>
    expect(getErrorAt(field)).toBe(
      'We could not find that place on the map. Choose another place.',
    ),
  )
})

test('shows a missing route at the drop-off', async () => {
  const app = await renderApp('/', {
    seed: seed(),
    handlers: { ...handlers, 'googleapis-getdirections': () => ({ error: 'No Route Found' }) },
  })
  await choosePlaces(app)
  await app.user.click(await screen.findByRole('radio', { name: /Van/ }))
  await app.user.click(screen.getByRole('button', { name: /Book now/ }))
  const drop = screen.getByRole('combobox', { name: 'Drop-off' })
  await waitFor(() => expect(getErrorAt(drop)).toMatch(/route/i))
  await waitFor(() => expect(drop).toHaveFocus())
})

test.each([true, false])(
  'shows that a distance was estimated without streets (%s)',
  async (guess) => {
    const route = { ...ROUTE, approximate: guess }
    const routed = { ...handlers, 'googleapis-getdirections': () => route }
    await upToTheEstimate(await renderApp('/', { seed: seed(), handlers: routed }))
    const shown = screen.queryByText(
      'The distance is an estimate because this area has no street map.',
    )
    expect(shown !== null).toBe(guess)
  },
)

test('shows at the pickup that the browser denied access to the position', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  const field = screen.getByRole('combobox', { name: 'Pickup' })
  await app.user.click(field)
  await app.user.click(await screen.findByRole('option', { name: 'Use my location' }))
  await waitFor(() => expect(getErrorAt(field)).toMatch(/location/i))
})

test('a rider waits for the next driver where the platform allows it', async () => {
  const app = await renderApp('/', {
    seed: seed({ settings: aSettings({ allowWaiting: true }) }),
    as: 'rita',
    handlers: {
      ...handlers,
      create_booking: (input: CreateBookingInput, backend: MemoryBackend) => {
        if (input.wait) return created(input, backend)
        throw new ServiceError('failed-precondition', 'no_driver_found_alert_messege', 'nobody')
      },
    },
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await app.user.click(await screen.findByRole('button', { name: 'Book and wait' }))
  await screen.findByRole('button', { name: /^Pay \$/ })
})

test('says when no driver is nearby, keeps the draft, and still accepts a later time', async () => {
  const app = await renderApp('/', {
    seed: seed(),
    as: 'rita',
    handlers: {
      ...handlers,
      create_booking: (input: CreateBookingInput, backend: MemoryBackend) => {
        if (input.bookLater) return created(input, backend)
        throw new ServiceError('failed-precondition', 'no_driver_found_alert_messege', 'nobody')
      },
    },
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/driver/i)
  expect(screen.queryByRole('button', { name: 'Book and wait' })).not.toBeInTheDocument()
  await app.user.click(screen.getByRole('button', { name: 'Close' }))
  await app.user.click(screen.getByRole('radio', { name: 'Later' }))
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  await app.user.type(screen.getByLabelText('Pickup date and time'), tomorrow)
  await app.user.click(screen.getByRole('button', { name: /Book for later/ }))
  await app.user.click(await screen.findByRole('button', { name: 'Continue' }))
  expect(await screen.findByLabelText('Recipient’s phone')).toHaveValue('099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for \$/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
})

test('sends a rider without a phone number to their profile', async () => {
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, mobile: '' } } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Mobile number' })
  await app.user.click(within(dialog).getByRole('button', { name: 'Your profile' }))
  await waitFor(() => expect(window.location.pathname).toBe('/profile'))
})

test('tells an admin who tries the public form that only riders book there', async () => {
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, usertype: 'admin' } } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/contact/i)
  expect(app.backend.calls.some(({ name }) => name === 'create_booking')).toBe(false)
})

test('uses one search session per place, in the language of the page', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  await choosePlaces(app)
  const inputs = (name: string) =>
    app.backend.calls
      .filter((call) => call.name === name)
      .map(({ input }) => input as { sessionToken: string; language?: string })
  const searched = inputs('googleapis-autocomplete')
  const [pickup, drop] = inputs('googleapis-getcoords').map(({ sessionToken }) => sessionToken)
  expect(pickup).toMatch(/^[\da-f-]{36}$/)
  expect(drop).not.toBe(pickup)
  expect(new Set(searched.map(({ sessionToken }) => sessionToken))).toEqual(new Set([pickup, drop]))
  expect(searched.map(({ language }) => language)).toEqual(searched.map(() => 'en'))
})

test('requests the new route after the pickup and drop-off are swapped or the stops reordered', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  await choosePlaces(app)
  await app.user.click(screen.getByRole('button', { name: 'Swap pickup and drop-off' }))
  expect(screen.getByRole('combobox', { name: 'Pickup' })).toHaveValue(DROP.add)
  expect(screen.getByRole('combobox', { name: 'Drop-off' })).toHaveValue(PICKUP.add)
  await waitFor(() =>
    expect(app.backend.calls.at(-1)).toMatchObject({
      name: 'googleapis-getdirections',
      input: { start: `${DROP.lat},${DROP.lng}`, dest: `${PICKUP.lat},${PICKUP.lng}` },
    }),
  )
})

test('fills in a place at its new position when it is moved during the lookup', async () => {
  const answers: (() => void)[] = []
  const app = await renderApp('/', {
    seed: seed(),
    handlers: {
      ...handlers,
      'googleapis-getcoords': async (request: { place_id: 'pickup' | 'drop' }) => {
        await new Promise<void>((resolve) => answers.push(resolve))
        return handlers['googleapis-getcoords'](request)
      },
    },
  })
  const { user } = app
  const choose = async (name: string, letters: string, text: string) => {
    await user.type(screen.getByRole('combobox', { name }), letters)
    await user.click(await screen.findByRole('option', { name: text }))
  }
  const getFieldValue = (name: string) =>
    screen.getByRole<HTMLInputElement>('combobox', { name }).value
  await choose('Pickup', 'plaza', PICKUP.add)
  await user.click(screen.getByRole('button', { name: 'Swap pickup and drop-off' }))
  await user.click(screen.getByRole('button', { name: 'Add a stop' }))
  await user.click(screen.getByRole('button', { name: 'Add a stop' }))
  await choose('Stop 2', 'tres', DROP.add)
  await user.click(screen.getByRole('button', { name: 'Move stop up' }))
  await waitFor(() => expect(answers).toHaveLength(2))
  for (const answer of answers) answer()
  await waitFor(() => {
    expect(getFieldValue('Drop-off')).toBe(PICKUP.add)
    expect(getFieldValue('Stop 1')).toBe(DROP.add)
  })
  expect(getFieldValue('Pickup')).toBe('')
  expect(getFieldValue('Stop 2')).toBe('')
})

test('lists saved addresses first, then the places chosen last on this device', async () => {
  const savedAddresses = { home: { description: 'Casa', lat: -34.9, lng: -56.2, count: 3 } }
  localStorage.setItem('kerbside.recent', JSON.stringify([DROP]))
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, savedAddresses } } }),
    handlers,
    as: 'rita',
  })
  await screen.findAllByRole('link', { name: 'My account' })
  await app.user.click(screen.getByRole('combobox', { name: 'Pickup' }))
  await screen.findByRole('option', { name: 'Set work' })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Use my location',
    'Home Casa',
    DROP.add,
    'Set work',
    'Choose on the map',
  ])
})

test('a tap on “Use this place” waits for the address below the pin', async () => {
  const answers: ((answer: { address: string }) => void)[] = []
  const app = await renderApp('/', {
    seed: seed(),
    handlers: {
      ...handlers,
      'googleapis-getaddress': () => new Promise((resolve) => answers.push(resolve)),
    },
  })
  const field = await screen.findByRole('combobox', { name: 'Pickup' })
  await app.user.click(field)
  await app.user.click(await screen.findByRole('option', { name: 'Choose on the map' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pickup' }))
  const take = dialog.getByRole('button', { name: 'Use this place' })
  await dialog.findByRole('application', undefined, { timeout: 60_000 })
  await app.user.click(dialog.getByRole('button', { name: 'Zoom in' }))
  await waitFor(() => expect(answers).toHaveLength(1))
  await app.user.click(take)
  expect(take).toHaveAttribute('aria-busy', 'true')

  // A zoom keeps the center, so the address is not looked up again.
  await app.user.click(dialog.getByRole('button', { name: 'Zoom out' }))
  answers[0]?.({ address: 'Sarandí 500' })
  await waitFor(() => expect(field).toHaveValue('Sarandí 500'))
  expect(screen.queryByRole('dialog', { name: 'Pickup' })).not.toBeInTheDocument()
  expect(answers).toHaveLength(1)
})

test('books in a browser whose local storage is full', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  onTestFinished(() => full.mockRestore())
  await upToTheEstimate(await renderApp('/', { seed: seed(), handlers }))
})

test('offers to load the vehicle types again after a failure', async () => {
  const app = await renderApp('/about-us', { seed: seed(), handlers })
  const { database } = app.backend.services
  const { subscribe } = database
  let isLost = true
  database.subscribe = (query, onValue, onError) => {
    if (query.path !== 'cartypes' || !isLost) return subscribe(query, onValue, onError)
    queueMicrotask(() => onError(new ServiceError('unavailable', 'unavailable')))
    return () => undefined
  }
  await app.user.click((await screen.findAllByRole('link', { name: 'Home' }))[0] as HTMLElement)
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByRole('group', { name: 'Select car' })).toHaveTextContent(
    'We cannot reach the server.',
  )
  isLost = false
  await app.user.click(again)
  await screen.findByRole('radio', { name: /Van/ })
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('opens the options with the arrow keys at the first and at the last one', async () => {
  localStorage.setItem('kerbside.recent', JSON.stringify([PICKUP, DROP]))
  const { user } = await renderApp('/', { seed: seed(), handlers })
  const field = await screen.findByRole('combobox', { name: 'Pickup' })
  const pointedAt = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  field.focus()
  await user.keyboard('{ArrowUp}')
  expect(pointedAt()).toBe('Choose on the map')
  await user.keyboard('{ArrowDown}')
  expect(pointedAt()).toBe('Use my location')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(pointedAt()).toBe(DROP.add)
  await user.keyboard('{Escape}{ArrowDown}')
  expect(pointedAt()).toBe('Use my location')
})

test('refuses a recipient’s phone number that cannot be dialed at its field', async () => {
  const app = await renderApp('/', { seed: seed(), handlers, as: 'rita' })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '12 34')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  const field = screen.getByLabelText('Recipient’s phone')
  await waitFor(() => expect(field).toHaveAttribute('aria-invalid', 'true'))
  expect(app.backend.calls.some(({ name }) => name === 'create_booking')).toBe(false)
})

test('requires a name from a nameless rider before booking, and saves it', async () => {
  const nameless = { ...rita, firstName: '', email: '' }
  const app = await renderApp('/', {
    seed: seed({ users: { rita: nameless } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await waitFor(() =>
    expect(screen.getByLabelText('First name')).toHaveAttribute('aria-invalid', 'true'),
  )
  await app.user.type(screen.getByLabelText('First name'), 'Rita')
  await app.user.type(screen.getByLabelText('Email'), 'rita@kerbside.example')
  await app.user.type(screen.getByLabelText('Referral code'), 'ana1234')
  await screen.findByText('This code is valid.')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
  expect(app.backend.getTree().users).toMatchObject({
    rita: {
      firstName: 'Rita',
      email: 'rita@kerbside.example',
      signupViaReferral: 'of-ana1234',
    },
  })
})

test('saves who invited a new rider whose profile is complete', async () => {
  saveReferralCode('?ref=ana1234')
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, createdAt: new Date().toISOString() } } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  expect(screen.getByLabelText('Referral code')).toHaveValue('ana1234')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
  expect(app.backend.getTree().users).toMatchObject({ rita: { signupViaReferral: 'of-ana1234' } })
})

test('books without a code that does not count, and forgets it', async () => {
  saveReferralCode('?ref=ana1234')
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, createdAt: new Date().toISOString() } } }),
    handlers: {
      ...handlers,
      save_user: () => {
        const field = { field: 'referralId' }
        throw new ServiceError('permission-denied', 'not_allowed', 'booked before', field)
      },
    },
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
  expect(loadReferralCode()).toBe('')
})

test('shows a price that changed meanwhile, and sends the new price with the next attempt', async () => {
  let first = true
  const app = await renderApp('/', {
    seed: seed(),
    as: 'rita',
    handlers: {
      ...handlers,
      create_booking: (input: CreateBookingInput, backend: MemoryBackend) => {
        if (!first) return created(input, backend)
        first = false
        backend.update({ 'cartypes/van/base_fare': 30 })
        throw new ServiceError('failed-precondition', 'estimate_changed', 'changed', {
          field: 'estimateFare',
        })
      },
    },
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByText(/The price is now/)
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
  const [before, after] = app.backend.calls
    .filter(({ name }) => name === 'create_booking')
    .map(({ input }) => input as CreateBookingInput)
  expect(after?.booking_id).toBe(before?.booking_id)
  expect(after?.estimateFare).toBeGreaterThan(before?.estimateFare ?? 0)
})

/** Books at the end of the form, and has the booking refused with this error. */
const beRefused = async (error: ServiceError) => {
  const refuse = () => {
    throw error
  }
  const app = await renderApp('/', {
    seed: seed(),
    as: 'rita',
    handlers: { ...handlers, create_booking: refuse },
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
}

test('says that a debt is too high, with a way to pay it', async () => {
  await beRefused(new ServiceError('failed-precondition', 'debt_limit'))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('You owe more than the limit. Pay it to book again.')
  expect(within(alert).getByRole('link', { name: 'Add money to the wallet' })).toHaveAttribute(
    'href',
    '/wallet?tab=topup',
  )
})

test('says at the instructions why their text is refused', async () => {
  const at = { field: 'pickUpInstructions' }
  await beRefused(new ServiceError('invalid-argument', 'text_not_allowed', 'hidden', at))
  const field = screen.getByLabelText('Pickup instructions')
  await waitFor(() => expect(getErrorAt(field)).toMatch(/a hidden character/))
})

test('shows that the reasons are loading, and cancels a booking only with one of them', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'NEW' })
  const { backend, user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers: { ...handlers, advance_booking: () => ({}) },
  })
  const { subscribe } = backend.services.database
  let arrive = () => {}
  backend.services.database.subscribe = (query, ...listener) => {
    if (query.path !== 'cancel_reason') return subscribe(query, ...listener)
    arrive = () => void subscribe(query, ...listener)
    return () => {}
  }
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  const cancel = await screen.findByRole('button', { name: 'Cancel the booking' })
  expect(screen.getByText('Loading…')).toBeInTheDocument()
  await user.click(cancel)
  expect(screen.getByRole('alert')).toHaveTextContent('Please choose a reason.')
  expect(backend.calls.map(({ name }) => name)).not.toContain('advance_booking')
  arrive()
  await user.click(await screen.findByRole('radio', { name: 'I changed my mind' }))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  await user.click(cancel)
  await waitFor(() =>
    expect(backend.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: 'b1', event: 'cancel', reason: 'I changed my mind' },
    }),
  )
})

test('lets a rider cancel when the back office has configured no reasons', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'NEW' })
  const { backend, user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking }, cancel_reason: null }),
    as: 'rita',
    handlers: { ...handlers, advance_booking: () => ({}) },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  await user.click(await screen.findByRole('radio', { name: 'Another reason' }))
  await user.click(screen.getByRole('button', { name: 'Cancel the booking' }))
  await waitFor(() =>
    expect(backend.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: 'b1', event: 'cancel', reason: 'Another reason' },
    }),
  )
})

test('cancels an unpaid booking with the fixed reason, without asking its rider why', async () => {
  const booking = {
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'PAYMENT_PENDING',
  } as const
  const { backend, user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: aBooking(booking) } }),
    as: 'rita',
    handlers: { ...handlers, advance_booking: () => ({}) },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' })
  expect(within(dialog).getByText(/canceled as “Incomplete booking”/)).toBeInTheDocument()
  expect(within(dialog).queryByRole('radio')).not.toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'Cancel the booking' }))
  await waitFor(
    () =>
      expect(backend.calls).toContainEqual({
        name: 'advance_booking',
        input: { booking_id: 'b1', event: 'cancel', reason: 'incomplete_booking' },
      }),
    { timeout: 5000 },
  )
})

test('says in words in the bookings table why the system ended a booking', async () => {
  const booking = aBooking({ id: 'b1', customer: 'rita', status: 'CANCELLED', reason: 'no_driver' })
  await renderApp('/bookings?view=table&tab=all', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
  })
  expect((await screen.findAllByText('No driver was found.')).length).toBeGreaterThan(0)
  expect(screen.queryByText('no_driver')).not.toBeInTheDocument()
})

test('shows when an offline event happened and when the server received it', async () => {
  const at = Date.parse('2026-11-20T15:04:00Z')
  const entry = (event: string, revision: number, received_at?: number) => ({
    event,
    by: 'beto',
    at: at + revision * 1000,
    ...(received_at && { received_at }),
    status: 'ARRIVED',
    revision,
  })
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'STARTED',
    event_log: {
      a: entry('accept', 1),
      b: entry('arrive', 2, at + 5 * 60_000),
      c: entry('start', 3, at + 4000),
    } as never,
  })
  await renderApp('/bookings/b1', {
    seed: seed({
      bookings: { b1: booking },
      settings: aSettings({ timezone: 'America/Montevideo' }),
    }),
    as: 'rita',
    handlers,
  })
  const heading = await screen.findByRole('heading', { name: 'Timeline' })
  // Uses the city's time zone after the settings load.
  await waitFor(() => {
    const lines = within(heading.closest('section') as HTMLElement).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Driver accepted.*12:04 ?PM$/),
      expect.stringMatching(/^Driver arrived.*12:04 ?PM · received 12:09 ?PM$/),
      expect.stringMatching(/^Started.*12:04 ?PM$/),
    ])
  })
})

test.each([
  ['cash', ['Booked']],
  ['card', ['Booked', 'Payment']],
] as const)(
  'lists for a rider who pays by %s only what concerns them',
  async (payment_mode, names) => {
    const entry = { by: 'rita', at: 1, status: 'NEW' } as const
    const booking = aBooking({
      id: 'b1',
      customer: 'rita',
      status: 'NEW',
      payment_mode,
      event_log: {
        create: { ...entry, event: 'create', revision: 1 },
        pay: { ...entry, event: 'pay', revision: 2 },
        dispatch: { ...entry, event: 'dispatch', revision: 3 },
        decline: { ...entry, event: 'decline', revision: 4 },
      },
    })
    await renderApp('/bookings/b1', {
      seed: seed({ bookings: { b1: booking } }),
      as: 'rita',
      handlers,
    })
    const heading = await screen.findByRole('heading', { name: 'Timeline' })
    const lines = within(heading.closest('section') as HTMLElement).getAllByRole('listitem')
    expect(lines.map(({ firstElementChild }) => firstElementChild?.textContent)).toEqual(names)
  },
)

test('prints a finished booking with what was paid', async () => {
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'COMPLETE',
    cashPaymentAmount: 43.13,
    payment_mode: 'cash',
  })
  const { user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers,
  })
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  await user.click(await screen.findByRole('button', { name: 'Print receipt' }))
  expect(print).toHaveBeenCalledTimes(1)
  const receipt = document.querySelector('[data-print]')?.textContent
  for (const shown of [
    'Receipt',
    booking.reference,
    PICKUP.add,
    DROP.add,
    'Beto Silva',
    'Paid: Cash',
    '43.13',
  ])
    expect(receipt).toContain(shown)
})

/** A completed booking with everything that a rider can choose. */
const earlier = aBooking({
  id: 'b1',
  booking_id: 'b1',
  customer: 'rita',
  status: 'COMPLETE',
  waypoints: [stopAt(1), stopAt(2)],
  deliveryPerson: 'Elena',
  parcelTypeSelected: { description: 'Box', amount: 7.5 },
  optionSelected: { description: 'Carry upstairs', amount: 12.25 },
})
const bookAgain = async (over: Partial<Booking>, walletBalance = 100) => {
  const app = await renderApp('/bookings/b1', {
    seed: seed({
      bookings: { b1: { ...earlier, ...over } },
      booking_contacts: {
        b1: {
          deliveryPersonPhone: '+59899000001',
          pickUpInstructions: 'Ring twice',
          deliveryInstructions: 'Second floor',
        },
      },
      users: { rita: { ...rita, walletBalance } },
      cartypes: { bike: aVehicleType({ id: 'bike', name: 'Bike' }), van: aVehicleType() },
    }),
    as: 'rita',
    handlers: { ...handlers, get_providers: () => [{ name: 'test', link: 'https://fn.example' }] },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Book again' }))
  await waitFor(() => expect(window.location.pathname).toBe('/'))
  return app
}

test('books again with stops, vehicle type, options, recipient and instructions', async () => {
  const { user } = await bookAgain({})
  const readPlaces = () =>
    screen.getAllByRole('combobox').map((field) => (field as HTMLInputElement).value)
  await waitFor(() => expect(readPlaces()).toEqual([PICKUP.add, 'Stop 1', 'Stop 2', DROP.add]))
  expect(await screen.findByRole('radio', { name: /Van/ })).toBeChecked()
  await user.click(screen.getByRole('button', { name: /Book now/ }))
  expect(await screen.findByRole('radio', { name: /Box/ })).toBeChecked()
  expect(screen.getByRole('radio', { name: /Carry upstairs/ })).toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByLabelText('Recipient')).toHaveValue('Elena')
  expect(screen.getByLabelText('Recipient’s phone')).toHaveValue('+59899000001')
  expect(screen.getByLabelText(/Pickup instructions/)).toHaveValue('Ring twice')
  expect(screen.getByLabelText(/Delivery instructions/)).toHaveValue('Second floor')
  // The estimate says which trip it is for.
  const facts = within(screen.getByRole('dialog')).getAllByRole('definition')
  expect(facts.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([PICKUP.add, 'Stop 1', 'Stop 2', DROP.add, 'Now']),
  )
})

test.each([
  ['the card', 'card', 100, /^Card/],
  ['the wallet', 'wallet', 100, /^Wallet/],
  ['cash when the wallet no longer has enough', 'wallet', 1, /^Cash/],
  ['cash', 'cash', 100, /^Cash/],
] as const)('preselects %s when a booking is booked again', async (_, method, balance, name) => {
  const { user } = await bookAgain({ payment_mode: method }, balance)
  await user.click(await screen.findByRole('button', { name: /Book now/ }))
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await user.click(await screen.findByRole('button', { name: /^Book for/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'How would you like to pay?' }))
  await waitFor(() => expect(dialog.getByRole('radio', { name })).toBeChecked())
})

test.each([
  ['ok', {}, null],
  ['capped', {}, /Only the explained part is charged/],
  ['flagged', {}, /at most the planned price until the office has checked it/],
  ['flagged', { decision: 'driven' }, /charged as driven/],
  ['flagged', { decision: 'driven', credited: 9 }, /kept its price/],
] as const)(
  'shows the rider the planned, driven and charged values of a metered booking: %s %o',
  async (verdict, decided, note) => {
    const booking = aBooking({
      id: 'b1',
      booking_id: 'b1',
      customer: 'rita',
      status: 'PAID',
      estimateDistance: 5.2,
      estimateTime: 900,
      driven_distance: 9,
      total_trip_time: 1800,
      distance: 6,
      distance_review: { verdict, dropped_points: 0, charged_time: 1200, ...decided },
    })
    await renderApp('/bookings/b1', {
      seed: seed({ bookings: { b1: booking } }),
      as: 'rita',
      handlers,
    })
    const panel = (await screen.findByRole('heading', { name: 'Booking' })).closest('section')
    const facts = within(panel as HTMLElement)
    expect(facts.getByText('Planned distance').nextSibling?.textContent).toBe('5.2 km · 15 min')
    expect(facts.getByText('Driven distance').nextSibling?.textContent).toBe('9 km · 30 min')
    expect(facts.getByText('Charged distance').nextSibling?.textContent).toBe('6 km · 20 min')
    if (note) expect(facts.getByText(note)).toBeInTheDocument()
    else expect(facts.queryByText(/office|explained/)).not.toBeInTheDocument()
    const receipt = document.querySelector('[data-print]')?.textContent
    for (const shown of ['Planned distance', 'Driven distance', 'Charged distance'])
      expect(receipt).toContain(shown)
  },
)

test('shows a refund on the receipt and among the payments, next to the unchanged fare', async () => {
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'COMPLETE',
    cardPaymentAmount: 43.13,
    payment_mode: 'card',
    refunded: 10,
  })
  const refund = {
    kind: 'refund' as const,
    at: booking.bookingDate + 1,
    cause: 'refund',
    lines: [{ label: 'fare_refund', amount: -10 }],
    total: -10,
  }
  const fare_history = { ...booking.fare_history, '-later': refund }
  await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: { ...booking, fare_history } } }),
    as: 'rita',
    handlers,
  })
  const payments = await screen.findByRole('list', { name: 'Payments' })
  expect(payments).toHaveTextContent(/Paid: Card.*43\.13.*Refunded to the card.*10\.00/)
  const receipt = document.querySelector('[data-print]')?.textContent
  for (const shown of ['43.13', 'Refunded to the card', '-$10.00'])
    expect(receipt?.replace('−', '-')).toContain(shown)
})

test('shows the time until the driver arrives, even while they move, and then the time until the drop-off', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'ACCEPTED' })
  const point = (lng: number) => ({ at: Date.now(), status: 'ACCEPTED', lat: -34.9, lng })
  const answers: Record<string, () => void> = {}
  const pickup = `${PICKUP.lat},${PICKUP.lng}`
  const drop = `${DROP.lat},${DROP.lng}`
  const { backend, store } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking }, tracking: { b1: { a: point(-56.2) } } }),
    as: 'rita',
    handlers: {
      ...handlers,
      'googleapis-getdistancematrix': async ({ dest }: { dest: string }) => {
        await new Promise<void>((done) => (answers[dest] = done))
        const time_in_secs = dest === pickup ? 420 : 120
        return { data: [[{ found: true, distance_in_km: 1, time_in_secs }]] }
      },
    },
  })
  await waitFor(() => expect(answers).toHaveProperty([pickup]))
  backend.update({ 'tracking/b1/b': point(-56.17) })
  await waitFor(() => expect(JSON.stringify(store.getState())).toContain('-56.17'))
  answers[pickup]?.()
  const routed = (await screen.findByText('until your driver is here')).closest('p')
  expect(routed).toHaveTextContent(/^7 min/)
  expect(routed).toHaveAttribute('aria-live', 'polite')
  backend.update({ 'bookings/b1/status': 'STARTED' })
  await waitFor(() => expect(answers).toHaveProperty([drop]))
  // The time to the pickup must not appear as the time to the drop-off.
  expect(screen.queryByText('until the drop-off')).not.toBeInTheDocument()
  answers[drop]?.()
  expect((await screen.findByText('until the drop-off')).closest('p')).toHaveTextContent(/^2 min/)
})

test('shows at most two messages over the page, each with its title, and lists all in the inbox', async () => {
  const { backend, user, waitForInbox } = await renderApp('/bookings', {
    seed: seed({}),
    as: 'rita',
    handlers,
  })
  await waitForInbox()
  const messages = ['Anna', 'Beto', 'Carla'].map((sender, index) => ({
    title: 'push_message_title',
    msg: 'push_message_msg',
    params: { sender },
    screen: 'onlineChat',
    booking_id: `b${index}`,
    at: Date.now() + index,
  }))
  backend.update(
    Object.fromEntries(messages.map((message, index) => [`inbox/rita/n${index}`, message])),
  )
  const toasts = await screen.findAllByRole('link', { name: /^New message From/ })
  expect(toasts).toHaveLength(2)
  await user.click(await screen.findByRole('button', { name: 'Messages, 3 new' }))
  const inbox = within(await screen.findByRole('dialog', { name: 'Messages' }))
  for (const { params } of messages)
    expect(inbox.getByText(`From ${params.sender}`)).toBeInTheDocument()
})

test('says that the driver finishes another trip first, and when they are probably there', async () => {
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'ACCEPTED',
    follows: 'b0',
    // Half a minute more than the shown minutes, so that a slow machine shows the same.
    expected_at: Date.now() + 9.5 * 60_000,
  })
  const { backend } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers,
  })
  const line = (await screen.findByText(/finishes another trip first/)).closest('p')
  expect(line).toHaveTextContent(/^(9|10) min/)
  backend.update({ 'bookings/b1/follows': null, 'bookings/b1/expected_at': null })
  await waitFor(() =>
    expect(screen.queryByText(/finishes another trip first/)).not.toBeInTheDocument(),
  )
})

test('shows a push message as a toast that links to its booking, and counts it until it is read', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'ACCEPTED' })
  const { backend, user, waitForInbox } = await renderApp('/bookings', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers,
  })
  await waitForInbox()
  backend.update({
    'inbox/rita/n1': {
      title: 'push_accepted_title',
      msg: 'push_accepted_msg',
      params: { driver: 'Beto', vehicle: 'SBA 1234' },
      screen: 'BookedCab',
      booking_id: 'b1',
      at: Date.now(),
    },
  })
  const toast = await screen.findByRole('link', {
    name: 'Driver on the way Beto is coming in SBA 1234.',
  })
  expect(toast).toHaveAttribute('href', '/bookings/b1')
  await user.click(screen.getByRole('button', { name: 'Messages, 1 new' }))
  const inbox = await screen.findByRole('dialog', { name: 'Messages' })
  expect(within(inbox).getByText('Driver on the way')).toBeInTheDocument()
  await user.click(within(inbox).getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('button', { name: 'Messages' })).toBeInTheDocument()
})

test('a rider without a home saves it from the drop-off, which it then fills', async () => {
  const app = await renderApp('/', {
    seed: seed(),
    as: 'rita',
    handlers: { ...handlers, save_place: () => ({ success: true }) },
  })
  const { user, backend } = app
  const pickup = await screen.findByRole('combobox', { name: 'Pickup' })
  await user.type(pickup, 'tres')
  await screen.findByRole('option', { name: 'Tres Cruces' })
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(pickup).toHaveValue('Tres Cruces'))
  const drop = screen.getByRole('combobox', { name: 'Drop-off' })
  await user.click(drop)
  expect(await screen.findByRole('option', { name: 'Set work' })).toBeVisible()
  await user.click(screen.getByRole('option', { name: 'Set home' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Home' }))
  await user.type(dialog.getByRole('combobox', { name: 'Address' }), 'plaza')
  await user.click(await dialog.findByRole('option', { name: 'Plaza Independencia' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(drop).toHaveValue('Plaza Independencia'))
  expect(pickup).toHaveValue('Tres Cruces')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  const { add, lat, lng } = PICKUP
  expect(backend.calls).toContainEqual({
    name: 'save_place',
    input: { name: 'home', place: { add, lat, lng } },
  })
})

test('keeps the booking form as it was when no home is saved after all', async () => {
  const { user } = await renderApp('/', { seed: seed(), as: 'rita', handlers })
  const drop = await screen.findByRole('combobox', { name: 'Drop-off' })
  await user.click(drop)
  await user.click(await screen.findByRole('option', { name: 'Set home' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Home' }))
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  await waitFor(() => expect(drop).toHaveValue(''))
  expect(drop).not.toBeInvalid()
})

test.each<[string, object | undefined]>([
  ['a visitor', undefined],
  [
    'a rider who has saved both',
    {
      home: { lat: 1, lng: 1, description: 'Ejido 1275', count: 2 },
      work: { lat: 1, lng: 2, description: 'Plaza Matriz', count: 1 },
    },
  ],
])('offers %s no entry for home and work', async (_, savedAddresses) => {
  const users = { rita: { ...rita, ...(savedAddresses && { savedAddresses }) } }
  const { user } = await renderApp('/', {
    seed: seed({ users }),
    ...(savedAddresses && { as: 'rita' }),
    handlers,
  })
  await user.click(await screen.findByRole('combobox', { name: 'Drop-off' }))
  if (savedAddresses) await screen.findByRole('option', { name: /Ejido/ })
  await screen.findByRole('option', { name: 'Choose on the map' })
  expect(screen.queryByRole('option', { name: /^Set / })).not.toBeInTheDocument()
})

test('two clicks on the last button create one booking', async () => {
  const app = await renderApp('/', { seed: seed(), handlers, as: 'rita' })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  const book = screen.getByRole('button', { name: /Book for/ })
  // Both come before React renders.
  act(() => {
    book.click()
    book.click()
  })
  await screen.findByRole('dialog', { name: 'How would you like to pay?' })
  expect(app.backend.calls.filter(({ name }) => name === 'create_booking')).toHaveLength(1)
})
