import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aBooking, PICKUP } from '~/domain/testing/builders'
import { positionUnknown } from '~/src/features/gps/gps'
import { ServiceError } from '~/src/services/services'
import { read } from '~/src/services/memory/tree'
import { connect, HERE, onTheRoad, place } from '../testing/road'

const ID = '-OAbcdefghijklmnopqr'
afterEach(() => void vi.useRealTimers())

const asked = (id = ID, over: Parameters<typeof aBooking>[0] = {}) =>
  aBooking({
    id,
    booking_id: id,
    requestedDrivers: { driver: true },
    askedDrivers: { driver: Date.now() },
    ...over,
  })
const cashBooking = (over: Parameters<typeof aBooking>[0] = {}) =>
  aBooking({ status: 'ACCEPTED', accepted_at: Date.now() - 60_000, ...over })
const press = async (
  { user }: Awaited<ReturnType<typeof onTheRoad>>,
  name: string | RegExp,
): Promise<void> => user.click(await screen.findByRole('button', { name }))

describe('going on and off duty', () => {
  test('a driver who switches on is listed with his place, and gone from the list when off', async () => {
    const app = await onTheRoad({ driver: { driverActiveStatus: false, fleetadmin: 'fleet' } })
    const duty = await screen.findByRole('switch', { name: 'On duty' })
    await app.user.click(duty)
    await waitFor(() => expect(duty.getAttribute('aria-checked')).toBe('true'))
    expect(read(app.world.tree(), 'available_drivers/driver')).toMatchObject({
      ...HERE,
      carType: 'van',
      // His fleet admin asks for the own ones only.
      fleetadmin: 'fleet',
      geohash: expect.stringMatching(/^[0-9b-hjkmnp-z]{9}$/) as string,
    })
    expect(read(app.world.tree(), 'users/driver/location')).toEqual(HERE)

    await app.user.click(duty)
    await waitFor(() => expect(duty.getAttribute('aria-checked')).toBe('false'))
    expect(read(app.world.tree(), 'available_drivers/driver')).toBeNull()
  })

  test('without a vehicle class he is told so and cannot switch on', async () => {
    // The records of a database hold no undefined; an empty class is no class.
    await onTheRoad({ driver: { driverActiveStatus: false, carType: '' } })
    expect(await screen.findByText(/has not set your vehicle’s class/)).toBeTruthy()
    expect(screen.getByRole('switch')).toHaveProperty('disabled', true)
  })

  test('a missing licence is asked for and uploaded on the spot', async () => {
    const app = await onTheRoad({ driver: { driverActiveStatus: false } })
    const file = new File(['picture'], 'licence.jpg', { type: 'image/jpeg' })
    await app.user.upload(await screen.findByLabelText('Add your licence'), file)
    await waitFor(() =>
      expect(read(app.world.tree(), 'users/driver/licenseImage')).toMatch(
        /users\/driver\/licenseImage\//,
      ),
    )
    await waitFor(() => expect(screen.queryByText(/driving licence is missing/)).toBeNull())
  })

  test('a device that does not tell where it is stays off duty and says why', async () => {
    place(null)
    const app = await onTheRoad({ driver: { driverActiveStatus: false } })
    await app.user.click(await screen.findByRole('switch'))
    expect(await screen.findByText(/may not see where you are/)).toBeTruthy()
    expect(read(app.world.tree(), 'users/driver/driverActiveStatus')).toBe(false)
    place(HERE)
    await press(app, 'Try again')
    await waitFor(() => expect(screen.queryByText(/may not see where you are/)).toBeNull())
  })

  test('a device that loses its place on a trip says so, and a step that needs it waits', async () => {
    place(null)
    const app = await onTheRoad({ bookings: [cashBooking()] })
    expect(await screen.findByText(/may not see where you are/)).toBeTruthy()
    await press(app, 'I’m at the pickup')
    expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('ACCEPTED')
    place(HERE)
    await press(app, 'Try again')
    await press(app, 'I’m at the pickup')
    await screen.findByRole('heading', { name: 'At the pickup' })
    await waitFor(() => expect(read(app.world.tree(), `tracking/${ID}`)).not.toBeNull())
  })

  test('where a driver was last is no place to be at the pickup', async () => {
    const app = await onTheRoad({ bookings: [cashBooking()] })
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    place(null)
    act(() => void app.store.dispatch(positionUnknown()))
    await screen.findByText(/cannot find out where you are/)
    await press(app, 'I’m at the pickup')
    await screen.findAllByText(/may not see where you are/)
    expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('ACCEPTED')
  })

  test('nobody on duty logs out before the office can hear that he has gone', async () => {
    const app = await onTheRoad()
    const logout = await screen.findByRole('button', { name: 'Log out' })
    connect(app.world, false)
    await waitFor(() => expect(logout).toHaveProperty('disabled', true))
    connect(app.world, true)
    await waitFor(() => expect(logout).toHaveProperty('disabled', false))
    await app.user.click(logout)
    await waitFor(() =>
      expect(read(app.world.tree(), 'users/driver/driverActiveStatus')).toBe(false),
    )
    expect(app.world.uid()).toBeNull()
  })
})

test('night mode is one touch away, and stays', async () => {
  const app = await onTheRoad()
  await press(app, 'Dark')
  expect(document.documentElement.dataset.scheme).toBe('dark')
  expect(localStorage.getItem('kerbside.scheme')).toBe('dark')
  await press(app, 'Light')
  expect(document.documentElement.dataset.scheme).toBe('light')
})

describe('requests', () => {
  test('each says the share, the places and the way to the pickup', async () => {
    await onTheRoad({
      bookings: [asked(), asked('-OAbcdefghijklmnopqs', { pickupAddress: 'Rambla 1' })],
    })
    expect(await screen.findByRole('heading', { name: '2 requests for you' })).toBeTruthy()
    const card = await screen.findByRole('article', { name: 'Request from Plaza Independencia' })
    expect(within(card).getByText('$37.50')).toBeTruthy()
    expect(within(card).getByText(/to the pickup/)).toBeTruthy()
    expect(await screen.findByRole('article', { name: 'Request from Rambla 1' })).toBeTruthy()
  })

  test('count down while the platform asks by itself', async () => {
    await onTheRoad({ settings: { autoDispatch: true }, bookings: [asked()] })
    expect(await screen.findByRole('timer', { name: /seconds left to answer/ })).toBeTruthy()
  })

  test('count down by the platform’s time, on a device whose clock is wrong and that slept', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const ahead = 3 * 3_600_000
    await onTheRoad({
      settings: { autoDispatch: true },
      more: { '.info': { serverTimeOffset: ahead } },
      bookings: [asked(ID, { askedDrivers: { driver: Date.now() + ahead - 10_000 } })],
    })
    await screen.findByRole('timer', { name: '20 seconds left to answer' })
    vi.setSystemTime(Date.now() + 7000)
    await screen.findByRole('timer', { name: '13 seconds left to answer' })
  })

  test('an accepted one becomes the current booking', async () => {
    const app = await onTheRoad({ bookings: [asked()] })
    await press(app, 'Accept')
    expect(await screen.findByRole('heading', { name: 'Drive to the pickup' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Decline' })).toBeNull()
  })

  test('an accepted one that leaves the list a moment later is not called lost', async () => {
    const app = await onTheRoad({
      bookings: [asked()],
      handlers: {
        advance_booking: (_: never, world) =>
          world.change({
            [`bookings/${ID}/status`]: 'ACCEPTED',
            [`bookings/${ID}/driver`]: 'driver',
            [`bookings/${ID}/requestedDrivers`]: null,
          }),
      },
    })
    await press(app, 'Accept')
    expect(await screen.findByRole('heading', { name: 'Drive to the pickup' })).toBeTruthy()
    app.world.change({ [`driver_tasks/driver/${ID}`]: null })
    await waitFor(() =>
      expect(screen.queryByRole('heading', { name: /request for you/ })).toBeNull(),
    )
    expect(screen.queryByText(/no longer open/)).toBeNull()
  })

  test('a declined one goes without a word', async () => {
    const app = await onTheRoad({ bookings: [asked()] })
    await press(app, 'Decline')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull())
    expect(screen.queryByText(/no longer open/)).toBeNull()
  })

  test('losing the race is told kindly', async () => {
    const app = await onTheRoad({
      bookings: [asked()],
      handlers: {
        advance_booking: () => {
          throw new ServiceError('failed-precondition', 'booking_taken')
        },
      },
    })
    await press(app, 'Accept')
    expect(await screen.findByText(/Another driver was a moment faster/)).toBeTruthy()
  })

  test('one that ends unanswered says so', async () => {
    const app = await onTheRoad({ bookings: [asked()] })
    await screen.findByRole('button', { name: 'Accept' })
    app.world.change({
      [`driver_tasks/driver/${ID}`]: null,
      [`bookings/${ID}/requestedDrivers`]: null,
    })
    expect(await screen.findByText(/That request is no longer open/)).toBeTruthy()
  })

  test('whoever is on a booking can take another one only after it', async () => {
    await onTheRoad({
      driver: { queue: true },
      bookings: [cashBooking({ id: ID }), asked('-OAbcdefghijklmnopqs')],
    })
    expect(
      await screen.findByText(/You can take this one when your booking is finished/),
    ).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Accept' })).toHaveProperty('disabled', true)
    expect(screen.getByRole('button', { name: 'Decline' })).toHaveProperty('disabled', false)
  })

  test('another refusal stays on the card', async () => {
    const app = await onTheRoad({ driver: { walletBalance: -5 }, bookings: [asked()] })
    await press(app, 'Accept')
    expect((await screen.findByRole('alert')).textContent).toMatch(/below zero/)
  })
})

describe('the current booking', () => {
  test('goes from the pickup to the cash, one button after the other', async () => {
    const app = await onTheRoad({ bookings: [cashBooking()] })
    await press(app, 'I’m at the pickup')
    await press(app, 'Start')
    const dialog = await screen.findByRole('dialog')
    await app.user.type(within(dialog).getByRole('textbox', { name: 'Trip code' }), '11111')
    await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
    expect(await within(dialog).findByText('That code is not right.')).toBeTruthy()
    await app.user.clear(within(dialog).getByRole('textbox'))
    await app.user.type(within(dialog).getByRole('textbox'), '12345')
    await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
    await press(app, 'I’m at the drop-off')
    await press(app, 'Finish')
    expect(await screen.findByText('Collect in cash')).toBeTruthy()
    expect(screen.getByText('$43.13')).toBeTruthy()
    await press(app, 'I have the cash')
    const done = await screen.findByRole('region', { name: 'Done' })
    expect(within(done).getByText('$37.50')).toBeTruthy()
    expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('PAID')
    expect(read(app.world.tree(), 'users/driver/walletBalance')).toBeCloseTo(37.5 - 43.13)
  })

  test('says the next turn, and lists all of them beside the map', async () => {
    const pickup = { lat: PICKUP.lat, lng: PICKUP.lng }
    const step = (maneuver: string, street: string, distance_in_km: number, at = HERE) => ({
      maneuver,
      street,
      distance_in_km,
      time_in_secs: 60,
      at,
    })
    const app = await onTheRoad({
      bookings: [cashBooking()],
      handlers: {
        'googleapis-getdirections': () => ({
          distance_in_km: 2.4,
          time_in_secs: 400,
          // From where the driver is to the pickup.
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
    // Streets are asked for in the language of the page.
    await waitFor(() =>
      expect(app.world.calls.filter(({ name }) => name === 'googleapis-getdirections')).toEqual([
        expect.objectContaining({ input: expect.objectContaining({ language: 'en' }) as unknown }),
      ]),
    )
    expect(await screen.findByText('0.3 km · Roundabout, exit 2 · Bulevar Artigas')).toBeTruthy()
    const list = await screen.findByRole('list', { name: 'Map of the way' })
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

  test('runs its time by the platform’s clock, however long the device slept', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const behind = -50 * 60_000
    await onTheRoad({
      more: { '.info': { serverTimeOffset: behind } },
      bookings: [cashBooking({ status: 'STARTED', startTime: Date.now() + behind - 65_000 })],
    })
    const time = await screen.findByRole('timer', { name: 'Running time' })
    await waitFor(() => expect(time.textContent).toMatch(/^1:05/))
    vi.setSystemTime(Date.now() + 3_600_000)
    await waitFor(() => expect(time.textContent).toMatch(/^1:01:05/), { timeout: 5000 })
  })

  test('measures the whole of a long way', async () => {
    place({ lat: -34.9 + 0.899, lng: -56.18 })
    const way = Array.from({ length: 900 }, (_, index) => [
      `-p${String(index).padStart(4, '0')}`,
      { at: index, status: 'STARTED', lat: -34.9 + index * 0.001, lng: -56.18 },
    ])
    await onTheRoad({
      bookings: [cashBooking({ status: 'STARTED', startTime: Date.now() - 5_400_000 })],
      more: { tracking: { [ID]: Object.fromEntries(way) } },
    })
    const meter = await screen.findByRole('timer', { name: 'Running time' })
    await waitFor(() => expect(meter.textContent).toMatch(/100 km$/))
  })

  test('writes points of its way in the status it has', async () => {
    const app = await onTheRoad({ bookings: [cashBooking()] })
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    await waitFor(() =>
      expect(Object.values(read(app.world.tree(), `tracking/${ID}`) ?? {})).toEqual([
        expect.objectContaining({ ...HERE, status: 'ACCEPTED' }),
      ]),
    )
  })

  test('locks the code with the seconds that are left', async () => {
    const app = await onTheRoad({
      bookings: [cashBooking({ status: 'ARRIVED' })],
      more: { otp_attempts: { [ID]: { tries: 5, locked_until: Date.now() + 42_000 } } },
    })
    await press(app, 'Start')
    const dialog = await screen.findByRole('dialog')
    await app.user.type(within(dialog).getByRole('textbox'), '12345')
    await app.user.click(within(dialog).getByRole('button', { name: 'Start' }))
    expect(await within(dialog).findByText(/Try again in 4\d seconds/)).toBeTruthy()
  })

  test('asks for the photos the settings want, and sends their links', async () => {
    const app = await onTheRoad({
      settings: { AllowDeliveryPickupImageCapture: true, otp_secure: false },
      bookings: [cashBooking({ status: 'ARRIVED', otp: false })],
    })
    await press(app, 'Start')
    const dialog = await screen.findByRole('dialog')
    const go = within(dialog).getByRole('button', { name: 'Start' })
    expect(go).toHaveProperty('disabled', true)
    const file = new File(['picture'], 'box.jpg', { type: 'image/jpeg' })
    await app.user.upload(within(dialog).getByLabelText('Photograph what you pick up'), file)
    await within(dialog).findByRole('img', { name: 'Photo of what you pick up' })
    await app.user.click(go)
    await screen.findByRole('button', { name: 'I’m at the drop-off' })
    expect(read(app.world.tree(), `bookings/${ID}/pickup_image`)).toMatch(
      new RegExp(`bookings/${ID}/driver/pickup_image-\\w+\\.jpg$`),
    )
  })

  test('is given up with one of the office’s reasons', async () => {
    const app = await onTheRoad({ bookings: [cashBooking()] })
    await press(app, 'Cancel the booking')
    const dialog = await screen.findByRole('dialog')
    const sure = within(dialog).getByRole('button', { name: 'Cancel the booking' })
    expect(sure).toHaveProperty('disabled', true)
    await app.user.click(await within(dialog).findByRole('radio', { name: 'Nobody at the pickup' }))
    await app.user.click(sure)
    await screen.findByRole('switch')
    expect(read(app.world.tree(), `bookings/${ID}`)).toMatchObject({
      status: 'CANCELLED',
      reason: 'Nobody at the pickup',
      cancelledBy: 'driver',
    })
  })

  test('shows who receives it, what to mind, and hands the way over to maps apps', async () => {
    const app = await onTheRoad({
      bookings: [
        cashBooking({
          deliveryPerson: 'Carla',
          deliveryPersonPhone: '099 123 456',
          pickUpInstructions: 'Side door',
        }),
      ],
    })
    expect((await screen.findByRole('link', { name: '099 123 456' })).getAttribute('href')).toBe(
      'tel:099123456',
    )
    expect(screen.getByText('Side door')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+15555550199')
    await press(app, 'Navigate')
    expect(
      (await screen.findByRole('link', { name: 'Google Maps' })).getAttribute('href'),
    ).toContain(`destination=${PICKUP.lat},${PICKUP.lng}`)
  })

  test('in a taxi asks for no photos, and has the emergency number at hand', async () => {
    const app = await onTheRoad({
      settings: { appcat: 'taxi', panic: '+598 911', AllowDeliveryPickupImageCapture: true },
      bookings: [cashBooking({ status: 'ARRIVED', otp: false })],
    })
    expect((await screen.findByRole('link', { name: 'Emergency' })).getAttribute('href')).toBe(
      'tel:+598911',
    )
    await press(app, 'Start')
    expect(await screen.findByRole('heading', { name: 'Drive to the drop-off' })).toBeTruthy()
  })

  test('ticks stops off, and remembers them on the device', async () => {
    const stop = { lat: -34.9, lng: -56.17, add: 'Bulevar 100' }
    const app = await onTheRoad({
      bookings: [cashBooking({ status: 'STARTED', waypoints: [stop], startTime: Date.now() })],
    })
    const box = await screen.findByRole('checkbox', { name: /Bulevar 100/ })
    await app.user.click(box)
    expect(box).toHaveProperty('checked', true)
    expect(localStorage.getItem(`kerbside.stops.${ID}`)).toBe('[0]')
  })

  test('that somebody else gave up is told with the reason, until it is read', async () => {
    const app = await onTheRoad({ bookings: [cashBooking()] })
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    app.world.change({
      [`bookings/${ID}/status`]: 'CANCELLED',
      [`bookings/${ID}/reason`]: 'Changed my mind',
      [`bookings/${ID}/cancelledBy`]: 'rider',
      [`bookings/${ID}/cancelled_at`]: Date.now(),
    })
    const told = await screen.findByRole('region', { name: 'Booking cancelled' })
    expect(within(told).getByText('Reason: Changed my mind')).toBeTruthy()
    await press(app, 'Ready for the next one')
    await screen.findByRole('switch')
    expect(screen.queryByRole('region', { name: 'Booking cancelled' })).toBeNull()
  })

  test('what is written to the driver is a toast on his console, and in the inbox behind the bell', async () => {
    const app = await onTheRoad({ bookings: [cashBooking()], more: { inbox: { driver: {} } } })
    await screen.findByRole('button', { name: 'Messages' })
    const push = (screenName: string, name: string, params = {}) => ({
      title: `push_${name}_title`,
      msg: `push_${name}_msg`,
      screen: screenName,
      booking_id: ID,
      at: Date.now(),
      params,
    })
    app.world.change({ 'inbox/driver/-a': push('DriverTrips', 'task', { carType: 'Van' }) })
    app.world.change({ 'inbox/driver/-b': push('onlineChat', 'message', { sender: 'Ana' }) })
    const toast = await screen.findByRole('link', { name: /Ana/ })
    expect(toast.getAttribute('href')).toBe(`/bookings/${ID}/chat`)
    // The request itself stands on the console: no toast before it.
    expect(screen.queryByRole('link', { name: /Van/ })).toBeNull()
    expect(await screen.findByRole('button', { name: 'Messages, 2 new' })).toBeTruthy()
  })

  test('says that nothing is to be collected when it is paid', async () => {
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
    const app = await onTheRoad({
      bookings: [cashBooking({ status: 'REACHED', prepaid: true, paymentPacket: packet })],
    })
    expect(await screen.findByText(/nothing to collect/)).toBeTruthy()
    await press(app, 'Finish')
    expect(await screen.findByRole('region', { name: 'Done' })).toBeTruthy()
  })
})
