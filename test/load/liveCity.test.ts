import { expect, it, onTestFinished } from 'vitest'
import { dbPaths } from '~/domain/data/databasePaths'
import { quoteFare } from '~/domain/money/fare'
import { startLiveCity } from '~/scripts/city/liveCity'
import { createActivityCounter } from '~/scripts/city/activityRecorder'
import { signIn, type SimulatedUser } from '~/scripts/city/simulatedUser'
import { DEMO_ACCOUNTS } from '~/seed/demoAccounts'
import { places } from '~/seed/places'
import { getSuite } from '../support/testSuite'
import { resolveExtras } from '~/domain/booking/bookedFields'
import type { Booking } from '~/domain/booking/types'
import type { Settings, VehicleType } from '~/domain/catalog/types'

const [PICKUP, DROP] = [places[0], places[5]]

/** Signs in someone who is not part of the live city. */
const signInOutsider = async (mobile: string): Promise<SimulatedUser> => {
  const end = new AbortController()
  const recorder = createActivityCounter((sentence) => expect.soft(sentence).toBe(''))
  const webConfig = getSuite().webConfig
  const person = await signIn(mobile, {
    webConfig,
    recorder,
    signal: end.signal,
    isFaultFree: true,
  })
  onTestFinished(async () => {
    end.abort()
    await person.close()
  })
  return person
}

const bookAndPayCash = async (person: SimulatedUser): Promise<string> => {
  if (!PICKUP || !DROP) throw new Error('The demo city has too few places.')
  const settings = await person.read<Settings>('settings')
  const [carType] = Object.values(
    (await person.read<Record<string, VehicleType>>('cartypes')) ?? {},
  )
  const route = await person.fetchRoute(PICKUP, DROP)
  if (!settings || !carType || !route) throw new Error('The demo city is incomplete.')
  const chosen = {
    ...(carType.parcelTypes?.length && { parcelTypeIndex: 0 }),
    ...(carType.options?.length && { optionIndex: 0 }),
  }
  const extras = resolveExtras(carType, chosen, settings)
  const { estimateFare } = quoteFare({
    carType,
    settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
    ...(extras.ok && extras.value),
  })
  const booking_id = person.createKey('bookings')
  const created = await person.callWithRetry('create_booking', {
    ...{ booking_id, pickup: PICKUP, drop: DROP, carType: carType.id, bookLater: false },
    ...chosen,
    ...{ estimateFare, deliveryPerson: 'Ana Paz', deliveryPersonPhone: '099 123 456' },
  })
  expect(created.ok ? {} : created.error).toEqual({})
  const payment = { booking_id, event: 'pay', payment_mode: 'cash' }
  const paid = await person.callWithRetry('advance_booking', payment)
  expect(paid.ok ? {} : paid.error).toEqual({})
  return booking_id
}

it('a simulated driver carries out the booking of a newcomer, and the demo accounts stay as they were', async () => {
  const admin = await signInOutsider(DEMO_ACCOUNTS[0].mobile)
  const readDemoAccounts = () =>
    Promise.all(DEMO_ACCOUNTS.map(({ uid }) => admin.read(dbPaths.user(uid))))
  const before = await readDemoAccounts()
  const messages: string[] = []
  const city = await startLiveCity(
    { webConfig: getSuite().webConfig },
    {
      plan: { riders: 1, drivers: 6, pace: 300 },
      onMessage: (line) => messages.push(line),
      officeDelayMs: 0,
    },
  )
  onTestFinished(() => city.stop())

  const newcomer = await signInOutsider('+15555559301')
  expect(await newcomer.callWithRetry('ensure_profile')).toMatchObject({ ok: true })
  const name = { id: newcomer.uid, firstName: 'Nina', lastName: 'Nueva' }
  const profile = { ...name, email: 'newcomer@kerbside.example' }
  expect(await newcomer.callWithRetry('save_user', profile)).toMatchObject({ ok: true })
  const id = await bookAndPayCash(newcomer)
  const readBooking = () => newcomer.read<Booking>(dbPaths.booking(id))
  await expect
    .poll(async () => (await readBooking())?.status, { timeout: 400_000 })
    .toMatch(/^(PAID|CANCELLED)$/)

  expect(await readBooking()).toMatchObject({ status: 'PAID' })
  expect(await readDemoAccounts()).toEqual(before)
  expect(messages.at(-1)).toBe('The city is live: 6 drivers are on the streets.')
}, 900_000)
