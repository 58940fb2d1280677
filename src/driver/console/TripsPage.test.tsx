import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aBooking, PICKUP } from '~/domain/testing/builders'
import { positionUnknown } from '~/src/features/gps/gps'
import { ServiceError } from '~/src/services/services'
import { offeredBooking } from '../testing/offeredBooking'
import { setTurnsSpoken } from './spokenTurns'
import {
  setConnected,
  DEVICE_POSITION,
  renderDriverApp,
  createDevicePosition,
  setDevicePosition,
} from '../testing/renderDriverApp'

const ID = '-OAbcdefghijklmnopqr'
afterEach(() => void vi.useRealTimers())

const cashBooking = (over: Parameters<typeof aBooking>[0] = {}) =>
  aBooking({ status: 'ACCEPTED', accepted_at: Date.now() - 60_000, ...over })
const press = async (
  { user }: Awaited<ReturnType<typeof renderDriverApp>>,
  name: string | RegExp,
): Promise<void> => user.click(await screen.findByRole('button', { name }))

describe('on-duty switch', () => {
  test('lists a driver with their position when they switch on, and removes them when they switch off', async () => {
    const app = await renderDriverApp({
      driver: { driverActiveStatus: false, fleetadmin: 'fleet' },
    })
    const duty = await screen.findByRole('switch', { name: 'On duty' })
    await app.user.click(duty)
    await waitFor(() => expect(duty).toHaveAttribute('aria-checked', 'true'))
    expect(app.backend.at('available_drivers/driver')).toMatchObject({
      ...DEVICE_POSITION,
      carType: 'van',
      // The fleet admin lists only their own drivers.
      fleetadmin: 'fleet',
      geohash: expect.stringMatching(/^[0-9b-hjkmnp-z]{9}$/) as string,
    })
    expect(app.backend.at('users/driver/location')).toEqual(DEVICE_POSITION)
    const cars = Object.values(app.backend.at('nearby_cars') ?? {})
    expect(cars).toMatchObject([{ ...DEVICE_POSITION, carType: 'van' }])
    // Riders must not see the driver's uid with the car.
    expect(JSON.stringify(app.backend.at('nearby_cars'))).not.toMatch(/driver|fleet/)

    await app.user.click(duty)
    await waitFor(() => expect(duty).toHaveAttribute('aria-checked', 'false'))
    for (const place of ['available_drivers/driver', 'users/driver/shift', 'nearby_cars'])
      expect(app.backend.at(place)).toBeNull()
  })

  test('is unavailable until the device has its position', async () => {
    const app = await renderDriverApp({ driver: { driverActiveStatus: false } })
    const duty = await screen.findByRole('switch', { name: 'On duty' })
    const getPosition = vi
      .spyOn(navigator.geolocation, 'getCurrentPosition')
      .mockReturnValue(undefined)
    await app.user.click(duty)
    expect(duty).toHaveAttribute('aria-disabled', 'true')
    await app.user.click(duty)
    expect(getPosition).toHaveBeenCalledTimes(1)
    const [found] = getPosition.mock.calls[0] ?? []
    act(() => found?.(createDevicePosition(DEVICE_POSITION)))
    await waitFor(() => expect(duty).toHaveAttribute('aria-checked', 'true'))
    await waitFor(() => expect(duty).not.toHaveAttribute('aria-disabled'))
  })

  test('tells a driver without a vehicle type why they cannot switch on', async () => {
    // The database stores no undefined; an empty vehicle type means none.
    await renderDriverApp({ driver: { driverActiveStatus: false, carType: '' } })
    expect(await screen.findByText(/has not set your vehicle type/)).toBeInTheDocument()
    expect(screen.getByRole('switch')).toBeDisabled()
  })

  test('asks for a missing license and uploads it in place', async () => {
    const app = await renderDriverApp({
      driver: { driverActiveStatus: false },
      settings: { driver_approval: false },
    })
    const file = new File(['picture'], 'licence.jpg', { type: 'image/jpeg' })
    await app.user.upload(await screen.findByLabelText('Add your license'), file)
    await waitFor(() =>
      expect(app.backend.at('users/driver/licenseImage')).toMatch(/users\/driver\/licenseImage\//),
    )
    await waitFor(() =>
      expect(screen.queryByText(/driver’s license is missing/)).not.toBeInTheDocument(),
    )
  })

  test('keeps the driver off duty when the device denies its position, and says why', async () => {
    setDevicePosition(null)
    const app = await renderDriverApp({ driver: { driverActiveStatus: false } })
    await app.user.click(await screen.findByRole('switch'))
    expect(await screen.findByText(/Location access is blocked/)).toBeInTheDocument()
    expect(app.backend.at('users/driver/driverActiveStatus')).toBe(false)
    setDevicePosition(DEVICE_POSITION)
    await press(app, 'Try again')
    await waitFor(() =>
      expect(screen.queryByText(/Location access is blocked/)).not.toBeInTheDocument(),
    )
  })

  test('says when the position is lost during a booking, and holds back an event that needs it', async () => {
    setDevicePosition(null)
    const app = await renderDriverApp({ bookings: [cashBooking()] })
    expect(await screen.findByText(/Location access is blocked/)).toBeInTheDocument()
    await press(app, 'I’m at the pickup')
    expect(app.backend.at(`bookings/${ID}/status`)).toBe('ACCEPTED')
    setDevicePosition(DEVICE_POSITION)
    await press(app, 'Try again')
    await press(app, 'I’m at the pickup')
    await screen.findByRole('heading', { name: 'At the pickup' })
    await waitFor(() => expect(app.backend.at(`tracking/${ID}`)).not.toBeNull())
  })

  test('does not use the driver’s last known position to arrive at the pickup', async () => {
    const app = await renderDriverApp({ bookings: [cashBooking()] })
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    setDevicePosition(null)
    act(() => void app.store.dispatch(positionUnknown()))
    await screen.findByText(/can’t find your location/)
    await press(app, 'I’m at the pickup')
    await screen.findAllByText(/Location access is blocked/)
    expect(app.backend.at(`bookings/${ID}/status`)).toBe('ACCEPTED')
  })

  test('disables logging out on duty until the server is reachable', async () => {
    const app = await renderDriverApp()
    await app.user.click(await screen.findByRole('link', { name: 'Profile' }))
    const logout = await screen.findByRole('button', { name: 'Log out' })
    setConnected(app.backend, false)
    await waitFor(() => expect(logout).toBeDisabled())
    setConnected(app.backend, true)
    await waitFor(() => expect(logout).toBeEnabled())
    await app.user.click(logout)
    await waitFor(() => expect(app.backend.at('users/driver/driverActiveStatus')).toBe(false))
    expect(app.backend.getUid()).toBeNull()
  })
})

test('turns on night mode with one tap and remembers it', async () => {
  const app = await renderDriverApp()
  await press(app, 'Dark')
  expect(document.documentElement.dataset.scheme).toBe('dark')
  expect(localStorage.getItem('kerbside.scheme')).toBe('dark')
  await press(app, 'Light')
  expect(document.documentElement.dataset.scheme).toBe('light')
})

describe('requests', () => {
  test('show the driver share, the places and the distance to the pickup', async () => {
    await renderDriverApp({
      bookings: [
        offeredBooking(),
        offeredBooking('-OAbcdefghijklmnopqs', { pickupAddress: 'Rambla 1' }),
      ],
    })
    expect(await screen.findByRole('heading', { name: '2 requests for you' })).toBeInTheDocument()
    const card = await screen.findByRole('article', { name: 'Request from Plaza Independencia' })
    expect(within(card).getByText('$37.50')).toBeInTheDocument()
    expect(within(card).getByText(/to the pickup/)).toBeInTheDocument()
    expect(
      await screen.findByRole('article', { name: 'Request from Rambla 1' }),
    ).toBeInTheDocument()
  })

  test('say why matching chose the driver', async () => {
    await renderDriverApp({
      settings: { autoDispatch: true, dispatchMode: 'matched' },
      bookings: [offeredBooking()],
      handlers: {
        explain_offer: () => ({
          explanation: {
            offer: { booking: ID, driver: 'driver', eta_s: 240, cost: 216, rank: 2 },
            at: 1,
            bookings: 1,
            weight: 200,
            total: 5,
            drivers: [
              {
                driver: 'driver',
                eta_s: 240,
                cost: 216,
                aboveMean: -0.12,
                wasAsked: false,
                offeredTo: ID,
              },
            ],
          },
        }),
      },
    })
    const card = await screen.findByRole('article', { name: 'Request from Plaza Independencia' })
    expect(
      await within(card).findByText(
        '4 min away. Number 2 of 5 by time to the pickup. 12% below the mean income per hour',
      ),
    ).toBeTruthy()
  })

  test('count down with automatic dispatch', async () => {
    await renderDriverApp({ settings: { autoDispatch: true }, bookings: [offeredBooking()] })
    expect(await screen.findByRole('timer', { name: /seconds left to answer/ })).toBeInTheDocument()
  })

  test('count down by the server’s clock on a device that slept and has a wrong clock', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const ahead = 3 * 3_600_000
    await renderDriverApp({
      settings: { autoDispatch: true },
      serverTimeOffset: ahead,
      bookings: [offeredBooking(ID, { askedDrivers: { driver: Date.now() + ahead - 10_000 } })],
    })
    await screen.findByRole('timer', { name: '20 seconds left to answer' })
    vi.setSystemTime(Date.now() + 7000)
    await screen.findByRole('timer', { name: '13 seconds left to answer' })
  })

  test('never count down from more than the whole time, although this clock is behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await renderDriverApp({
      settings: { autoDispatch: true },
      bookings: [offeredBooking(ID, { askedDrivers: { driver: Date.now() + 1500 } })],
    })
    expect(
      await screen.findByRole('timer', { name: '30 seconds left to answer' }),
    ).toBeInTheDocument()
  })

  test('become the current booking when accepted', async () => {
    const app = await renderDriverApp({ bookings: [offeredBooking()] })
    await press(app, 'Accept')
    expect(await screen.findByRole('heading', { name: 'Drive to the pickup' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Decline' })).not.toBeInTheDocument()
  })

  test('are not reported as lost when the driver accepted them and they leave the list later', async () => {
    const app = await renderDriverApp({
      bookings: [offeredBooking()],
      handlers: {
        advance_booking: (_: never, memoryBackend) =>
          memoryBackend.update({
            [`bookings/${ID}/status`]: 'ACCEPTED',
            [`bookings/${ID}/accepted_at`]: Date.now(),
            [`bookings/${ID}/driver`]: 'driver',
            [`bookings/${ID}/requestedDrivers`]: null,
          }),
      },
    })
    await press(app, 'Accept')
    expect(await screen.findByRole('heading', { name: 'Drive to the pickup' })).toBeInTheDocument()
    app.backend.update({ [`driver_tasks/driver/${ID}`]: null })
    await waitFor(() =>
      expect(screen.queryByRole('heading', { name: /request for you/ })).not.toBeInTheDocument(),
    )
    expect(screen.queryByText(/no longer available/)).not.toBeInTheDocument()
  })

  test('are not reported as lost when the driver accepts another one', async () => {
    const other = '-OAbcdefghijklmnopqs'
    const app = await renderDriverApp({
      bookings: [offeredBooking(), offeredBooking(other)],
      handlers: {
        advance_booking: ({ booking_id }: { booking_id: string }, memoryBackend) =>
          memoryBackend.update({
            [`bookings/${booking_id}/status`]: 'ACCEPTED',
            [`bookings/${booking_id}/accepted_at`]: Date.now(),
            [`bookings/${booking_id}/driver`]: 'driver',
            'users/driver/queue': true,
            'driver_tasks/driver': null,
          }),
      },
    })
    const [accept] = await screen.findAllByRole('button', { name: 'Accept' })
    if (accept) await app.user.click(accept)
    expect(await screen.findByRole('heading', { name: 'Drive to the pickup' })).toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: /requests? for you/ })).not.toBeInTheDocument()
    expect(screen.queryByText(/no longer available/)).not.toBeInTheDocument()
  })

  test('disappear without a notice when declined', async () => {
    const app = await renderDriverApp({ bookings: [offeredBooking()] })
    await press(app, 'Decline')
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument(),
    )
    expect(screen.queryByText(/no longer available/)).not.toBeInTheDocument()
  })

  test('show a friendly notice when another driver was faster', async () => {
    const app = await renderDriverApp({
      bookings: [offeredBooking()],
      handlers: {
        advance_booking: () => {
          throw new ServiceError('failed-precondition', 'booking_taken')
        },
      },
    })
    await press(app, 'Accept')
    expect(await screen.findByText(/Another driver accepted first/)).toBeInTheDocument()
  })

  test('show a notice when they end unanswered', async () => {
    const app = await renderDriverApp({ bookings: [offeredBooking()] })
    await screen.findByRole('button', { name: 'Accept' })
    app.backend.update({
      [`driver_tasks/driver/${ID}`]: null,
      [`bookings/${ID}/requestedDrivers`]: null,
    })
    expect(await screen.findByText(/This request is no longer available/)).toBeInTheDocument()
  })

  test('cannot be accepted while the driver is busy', async () => {
    await renderDriverApp({
      driver: { queue: true },
      bookings: [cashBooking({ id: ID }), offeredBooking('-OAbcdefghijklmnopqs')],
    })
    expect(
      await screen.findByText(/You can accept this request after you finish your current booking/),
    ).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Decline' })).toBeEnabled()
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  })

  test('keep their card and show any other refusal on it', async () => {
    const app = await renderDriverApp({
      driver: { walletBalance: -5 },
      bookings: [offeredBooking()],
    })
    await press(app, 'Accept')
    expect(await screen.findByRole('alert')).toHaveTextContent(/below zero/)
  })
})

describe('the next booking', () => {
  const NEXT = '-OAbcdefghijklmnopqt'
  const trip = (over: Parameters<typeof aBooking>[0] = {}) =>
    cashBooking({ id: ID, booking_id: ID, status: 'STARTED', startTime: Date.now(), ...over })
  const onTrip = (ending: object = {}) => ({
    busy_drivers: { driver: { booking: ID, carType: 'van', name: 'Dario Driver', ...ending } },
  })
  const settings = { autoDispatch: true, dispatchMode: 'nearest', followOnMinutes: 5 } as const

  test('can be accepted during a trip, and is shown below it', async () => {
    const app = await renderDriverApp({
      driver: { queue: true },
      settings,
      bookings: [trip(), offeredBooking(NEXT)],
      extraSeed: onTrip({ ends_at: Date.now(), lat: PICKUP.lat, lng: PICKUP.lng }),
    })
    expect(await screen.findByText('You drive it after your current booking.')).toBeInTheDocument()
    await press(app, 'Accept')
    const next = await screen.findByRole('region', { name: 'Next booking' })
    expect(within(next).getByText(/Pickup at about/)).toBeInTheDocument()
    expect(screen.getByRole('article', { name: 'Current booking' })).toBeInTheDocument()
    expect(app.backend.at(`bookings/${ID}/next`)).toBe(NEXT)
    expect(app.backend.at(`bookings/${NEXT}`)).toMatchObject({ status: 'ACCEPTED', follows: ID })
  })

  test('cannot be accepted before the start of the trip', async () => {
    await renderDriverApp({
      driver: { queue: true },
      settings,
      bookings: [cashBooking({ id: ID }), offeredBooking(NEXT)],
      extraSeed: onTrip(),
    })
    expect(await screen.findByRole('button', { name: 'Decline' })).toBeEnabled()
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  })

  test('can be given up while the trip goes on', async () => {
    const app = await renderDriverApp({
      driver: { queue: true },
      settings,
      bookings: [
        trip({ next: NEXT }),
        cashBooking({ id: NEXT, booking_id: NEXT, follows: ID, expected_at: Date.now() + 600_000 }),
      ],
      extraSeed: onTrip(),
    })
    const next = await screen.findByRole('region', { name: 'Next booking' })
    await app.user.click(within(next).getByRole('button', { name: 'Release booking' }))
    const dialog = await screen.findByRole('dialog')
    await app.user.click(await within(dialog).findByRole('radio', { name: 'Nobody at the pickup' }))
    await app.user.click(within(dialog).getByRole('button', { name: 'Release booking' }))
    await waitFor(() => expect(app.backend.at(`bookings/${NEXT}/status`)).toBe('NEW'))
    expect(app.backend.at(`bookings/${ID}`)).toMatchObject({ status: 'STARTED' })
    expect(app.backend.at(`bookings/${ID}/next`)).toBeNull()
    expect(app.backend.at('users/driver/queue')).toBe(true)
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Next booking' })).not.toBeInTheDocument(),
    )
  })
})

describe('the current booking', () => {
  test('goes from the pickup to the cash payment, one button at a time', async () => {
    const app = await renderDriverApp({ bookings: [cashBooking()] })
    await press(app, 'I’m at the pickup')
    await press(app, 'Start')
    const dialog = await screen.findByRole('dialog')
    await app.user.type(within(dialog).getByRole('textbox', { name: 'Trip code' }), '11111')
    await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
    expect(
      await within(dialog).findByText('The code is incorrect. Please try again.'),
    ).toBeInTheDocument()
    await app.user.clear(within(dialog).getByRole('textbox'))
    await app.user.type(within(dialog).getByRole('textbox'), '12345')
    await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
    await press(app, 'I’m at the drop-off')
    await press(app, 'Finish')
    expect(await screen.findByText('Collect in cash')).toBeInTheDocument()
    expect(screen.getByText('$43.13')).toBeInTheDocument()
    await press(app, 'I have the cash')
    const done = await screen.findByRole('region', { name: 'Done' })
    expect(within(done).getByText('$37.50')).toBeInTheDocument()
    expect(app.backend.at(`bookings/${ID}/status`)).toBe('PAID')
    expect(app.backend.at('users/driver/walletBalance')).toBeCloseTo(37.5 - 43.13)
  })

  test('shows and says the next turn, and lists all turns beside the map', async () => {
    const speak = vi.fn()
    vi.stubGlobal('speechSynthesis', { speak, cancel: vi.fn() })
    vi.stubGlobal(
      'SpeechSynthesisUtterance',
      class {
        lang = ''
        constructor(readonly text: string) {}
      },
    )
    setTurnsSpoken(true)
    const pickup = { lat: PICKUP.lat, lng: PICKUP.lng }
    const step = (
      maneuver: string,
      street: string,
      distance_in_km: number,
      at = DEVICE_POSITION,
    ) => ({
      maneuver,
      street,
      distance_in_km,
      time_in_secs: 60,
      at,
    })
    const app = await renderDriverApp({
      bookings: [cashBooking()],
      handlers: {
        'googleapis-getdirections': () => ({
          distance_in_km: 2.4,
          time_in_secs: 400,
          // The route from the driver's position to the pickup.
          polylinePoints: '~k_tE~s{uIfc@reA',
          approximate: false,
          steps: [
            step('depart', 'Canelones', 0.3),
            { ...step('roundabout', 'Bulevar Artigas', 2.1), exit: 2 },
            step('arrive', 'Bulevar Artigas', 0, pickup),
          ],
        }),
      },
    })
    // Routes are requested in the language of the page.
    await waitFor(() =>
      expect(app.backend.calls.filter(({ name }) => name === 'googleapis-getdirections')).toEqual([
        expect.objectContaining({ input: expect.objectContaining({ language: 'en' }) as unknown }),
      ]),
    )
    const turn = await screen.findByText('Roundabout, exit 2 · Bulevar Artigas')
    expect(turn).toHaveTextContent(/^0\.3 km/)
    expect(speak.mock.calls).toEqual([
      [
        expect.objectContaining({
          text: '0.3 km, Roundabout, exit 2, Bulevar Artigas',
          lang: 'en',
        }),
      ],
    ])
    const list = await screen.findByRole('list', { name: 'Route map' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      expect.stringContaining('Roundabout, exit 2'),
      expect.stringContaining('Arrive'),
      expect.stringContaining('Pickup'),
      expect.stringContaining('Drop-off'),
    ])
  })

  test('measures its time by the server’s clock, however long the device slept', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const behind = -50 * 60_000
    await renderDriverApp({
      serverTimeOffset: behind,
      bookings: [cashBooking({ status: 'STARTED', startTime: Date.now() + behind - 65_000 })],
    })
    const time = await screen.findByRole('timer', { name: 'Trip time' })
    await waitFor(() => expect(time).toHaveTextContent(/^Trip time *1:05/))
    vi.setSystemTime(Date.now() + 3_600_000)
    await waitFor(() => expect(time).toHaveTextContent(/^Trip time *1:01:05/), { timeout: 5000 })
  })

  test('measures the whole length of a long track', async () => {
    setDevicePosition({ lat: -34.9 + 0.899, lng: -56.18 })
    const way = Array.from({ length: 900 }, (_, index) => [
      `-p${String(index).padStart(4, '0')}`,
      { at: index * 5000, status: 'STARTED', lat: -34.9 + index * 0.001, lng: -56.18 },
    ])
    await renderDriverApp({
      bookings: [cashBooking({ status: 'STARTED', startTime: Date.now() - 5_400_000 })],
      extraSeed: { tracking: { [ID]: Object.fromEntries(way) } },
    })
    const meter = await screen.findByRole('timer', { name: 'Trip time' })
    await waitFor(() => expect(meter).toHaveTextContent(/100 km$/))
  })

  test('writes track points with its current status', async () => {
    const app = await renderDriverApp({ bookings: [cashBooking()] })
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    await waitFor(() =>
      expect(Object.values(app.backend.at(`tracking/${ID}`) ?? {})).toEqual([
        expect.objectContaining({ ...DEVICE_POSITION, status: 'ACCEPTED' }),
      ]),
    )
  })

  test('locks the code input and shows the seconds left', async () => {
    const app = await renderDriverApp({
      bookings: [cashBooking({ status: 'ARRIVED' })],
      extraSeed: { otp_attempts: { [ID]: { tries: 5, locked_until: Date.now() + 42_000 } } },
    })
    await press(app, 'Start')
    const dialog = await screen.findByRole('dialog')
    await app.user.type(within(dialog).getByRole('textbox'), '12345')
    await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
    expect(await within(dialog).findByText(/Try again in 4\d seconds/)).toBeInTheDocument()
  })

  test('requires the photos that the settings demand, and sends their links', async () => {
    const app = await renderDriverApp({
      settings: { AllowDeliveryPickupImageCapture: true, otp_secure: false },
      bookings: [cashBooking({ status: 'ARRIVED', otp: false })],
    })
    await press(app, 'Start')
    const dialog = await screen.findByRole('dialog')
    const go = within(dialog).getByRole('button', { name: 'Start' })
    expect(go).toBeDisabled()
    const file = new File(['picture'], 'box.jpg', { type: 'image/jpeg' })
    await app.user.upload(within(dialog).getByLabelText('Take a photo of the pickup'), file)
    await within(dialog).findByRole('img', { name: 'Photo of the pickup' })
    await app.user.click(go)
    await screen.findByRole('button', { name: 'I’m at the drop-off' })
    expect(app.backend.at(`bookings/${ID}/pickup_image`)).toMatch(
      new RegExp(`bookings/${ID}/driver/pickup_image-\\w+\\.jpg$`),
    )
  })

  test('can be given up with one of the configured reasons', async () => {
    const app = await renderDriverApp({ bookings: [cashBooking()] })
    await press(app, 'Release booking')
    const dialog = await screen.findByRole('dialog')
    const sure = within(dialog).getByRole('button', { name: 'Release booking' })
    expect(dialog).toHaveTextContent('We look for another driver and notify the customer.')
    await app.user.click(sure)
    expect(within(dialog).getByRole('alert')).toHaveTextContent('Please choose a reason.')
    await app.user.click(await within(dialog).findByRole('radio', { name: 'Nobody at the pickup' }))
    await app.user.click(sure)
    await screen.findByRole('switch')
    expect(app.backend.at(`bookings/${ID}`)).toMatchObject({
      status: 'NEW',
      event_log: { [`release_${cashBooking().revision + 1}`]: { by: 'driver' } },
      words: { [`release_${cashBooking().revision + 1}`]: 'Nobody at the pickup' },
    })
  })

  test('ends as a no-show once the customer’s minutes are over', async () => {
    const app = await renderDriverApp({
      bookings: [cashBooking({ status: 'ARRIVED', driver_arrive_time: Date.now() - 6 * 60_000 })],
    })
    await press(app, 'Customer does not come')
    const dialog = await screen.findByRole('dialog')
    await app.user.click(within(dialog).getByRole('button', { name: 'End the booking' }))
    await screen.findByRole('switch')
    expect(app.backend.at(`bookings/${ID}`)).toMatchObject({
      status: 'CANCELLED',
      reason: 'no_show',
      cancelledBy: 'driver',
    })
  })

  test('says from when it can end as a no-show', async () => {
    await renderDriverApp({
      bookings: [cashBooking({ status: 'ARRIVED', driver_arrive_time: Date.now() })],
    })
    const button = await screen.findByRole('button', { name: /^Customer does not come \(from / })
    expect(button).toBeDisabled()
  })

  test('shows the recipient and the notes, and links the route to maps apps', async () => {
    const app = await renderDriverApp({
      bookings: [
        cashBooking({
          deliveryPerson: 'Carla',
        }),
      ],
      contacts: { deliveryPersonPhone: '099 123 456', pickUpInstructions: 'Side door' },
    })
    expect(await screen.findByRole('link', { name: '099 123 456' })).toHaveAttribute(
      'href',
      'tel:099123456',
    )
    expect(screen.getByText('Side door')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+15555550199')
    await press(app, 'Navigate')
    expect(
      (await screen.findByRole('link', { name: 'Google Maps' })).getAttribute('href'),
    ).toContain(`destination=${PICKUP.lat},${PICKUP.lng}`)
  })

  test('says what the rider or the office changed after the driver accepted it', async () => {
    const entry = { event: 'amend', by: 'rider', at: Date.now(), status: 'ACCEPTED' as const }
    const before = { ...entry, at: Date.now() - 3_600_000, ref: 'carType', revision: 2 }
    await renderDriverApp({
      bookings: [
        cashBooking({
          event_log: { amend_2: before, amend_5: { ...entry, ref: 'drop,waypoints', revision: 5 } },
        }),
      ],
    })
    expect(await screen.findByText(/^Changed at .*: Drop-off · Stops$/)).toBeInTheDocument()
    expect(screen.queryByText(/^Changed at .*Vehicle type/)).not.toBeInTheDocument()
  })

  test('requires no photos for a taxi, and shows the emergency number', async () => {
    const app = await renderDriverApp({
      settings: { appcat: 'taxi', panic: '+598 911', AllowDeliveryPickupImageCapture: true },
      bookings: [cashBooking({ status: 'ARRIVED', otp: false })],
    })
    await press(app, 'Emergency')
    const dialog = await screen.findByRole('dialog', { name: 'Emergency' })
    expect(within(dialog).getByRole('link', { name: /Call/ })).toHaveAttribute(
      'href',
      'tel:+598911',
    )
    await app.user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await press(app, 'Start')
    expect(
      await screen.findByRole('heading', { name: 'Drive to the drop-off' }),
    ).toBeInTheDocument()
  })

  test('shows planned, driven and charged values at the end of a taxi booking', async () => {
    const app = await renderDriverApp({
      settings: { appcat: 'taxi' },
      bookings: [
        cashBooking({
          status: 'PENDING',
          driven_distance: 9,
          distance: 5.2,
          distance_review: { verdict: 'flagged', dropped_points: 0, charged_time: 840 },
        }),
      ],
    })
    expect(await screen.findByText('Driven distance')).toBeInTheDocument()
    expect(screen.getByText('9 km · 14 min')).toBeInTheDocument()
    expect(screen.getByText(/not plausible/)).toBeInTheDocument()
    await press(app, 'I have the cash')
    const done = await screen.findByRole('region', { name: 'Done' })
    expect(within(done).getByText('Charged distance')).toBeInTheDocument()
    expect(within(done).getByText(/until the office has checked it/)).toBeInTheDocument()
  })

  test('shows the reason when someone else cancels it, until the driver has read it', async () => {
    const app = await renderDriverApp({ bookings: [cashBooking()] })
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    app.backend.update({
      [`bookings/${ID}/status`]: 'CANCELLED',
      [`bookings/${ID}/reason`]: 'Changed my mind',
      [`bookings/${ID}/cancelledBy`]: 'rider',
      [`bookings/${ID}/cancelled_at`]: Date.now(),
    })
    const notice = await screen.findByRole('region', { name: 'Booking canceled' })
    expect(within(notice).getByText('Reason: Changed my mind')).toBeInTheDocument()
    await press(app, 'Ready for the next booking')
    await screen.findByRole('switch')
    expect(screen.queryByRole('region', { name: 'Booking canceled' })).not.toBeInTheDocument()
  })

  test('shows a message to the driver as a toast on the console and in the inbox', async () => {
    const app = await renderDriverApp({
      bookings: [cashBooking()],
      extraSeed: { inbox: { driver: {} } },
    })
    await app.waitForInbox()
    const push = (screenName: string, name: string, params = {}) => ({
      title: `push_${name}_title`,
      msg: `push_${name}_msg`,
      screen: screenName,
      booking_id: ID,
      at: Date.now(),
      params,
    })
    app.backend.update({ 'inbox/driver/-a': push('DriverTrips', 'task', { carType: 'Van' }) })
    app.backend.update({ 'inbox/driver/-b': push('onlineChat', 'message', { sender: 'Ana' }) })
    const toast = await screen.findByRole('link', { name: /Ana/ })
    expect(toast).toHaveAttribute('href', `/bookings/${ID}/chat`)
    // The console already shows the request, so it gets no toast.
    expect(screen.queryByRole('link', { name: /Van/ })).not.toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Messages, 2 new' })).toBeInTheDocument()
  })

  test('says that there is nothing to collect when it is paid', async () => {
    const packet = {
      appcat: 'delivery' as const,
      payment_mode: 'wallet' as const,
      customer_paid: 43.13,
      discount_amount: 0,
      usedWalletMoney: 43.13,
      cardPaymentAmount: 0,
      cashPaymentAmount: 0,
      payableAmount: 0,
      promo_applied: false,
      promo_details: null,
    }
    const app = await renderDriverApp({
      bookings: [cashBooking({ status: 'REACHED', prepaid: true, paymentPacket: packet })],
    })
    expect(await screen.findByText(/nothing to collect/)).toBeInTheDocument()
    await press(app, 'Finish')
    expect(await screen.findByRole('region', { name: 'Done' })).toBeInTheDocument()
  })
})
