import { createPushKey } from '~/domain/data/pushKeys'
import { buildTrackPointUpdates } from '~/domain/access/rateLimitedWrites'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { firstProblem, createProbes } from './probe'
import type { SignedInAccount, ProbeContext } from './probeContext'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'

const ROUNDS = 4
/** How much farther than planned a taxi may charge without the office: a share, and kilometers. */
const MAX_PLANNED_FACTOR = 1.5
const MAX_EXTRA_KM = 1

const readBalance = async (scene: ProbeContext, { uid }: SignedInAccount): Promise<number> =>
  Number(await scene.database.get(`users/${uid}/walletBalance`))

/** Pays with the test provider's card and returns the payment's id. */
const payByCard = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  purpose: { payment_mode: 'topup'; amount: number } | { payment_mode: 'card'; booking_id: string },
): Promise<string> => {
  const started = await scene.call(rider, 'start_payment', { ...purpose, provider: 'test' })
  const { result } = started.body as { result?: { payment_id: string; url: string } }
  if (!result) throw new Error(`start_payment: ${JSON.stringify(started.body)}`)
  const { payment_id, url } = result
  const fields = {
    order_id: payment_id,
    cust_id: rider.uid,
    step: 'card',
    choice: 'pay',
    card: 'pays',
  }
  await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return payment_id
}

const topUpWallet = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  amount: number,
): Promise<string> => {
  const payment_id = await payByCard(scene, rider, { payment_mode: 'topup', amount })
  if ((await readBalance(scene, rider)) < amount)
    throw new Error('The wallet was not topped up. Check that the test provider is enabled.')
  return payment_id
}

/**
 * Pays a booking by card, moves its drop-off near the pickup, and lets a driver begin the trip.
 * Returns the payment's id.
 */
const payAmendAndStart = async (scene: ProbeContext, rider: SignedInAccount): Promise<string> => {
  const [driver, admin] = [
    await scene.createUser({ usertype: 'driver' }),
    await scene.signIn('seed-admin'),
  ]
  const request = await scene.request(rider)
  const { booking_id } = request
  await scene.call(rider, 'create_booking', request)
  const payment = await payByCard(scene, rider, { payment_mode: 'card', booking_id })
  const sendEvent = async (who: SignedInAccount, event: object) => {
    const { status, body } = await scene.call(who, 'advance_booking', { booking_id, ...event })
    if (status !== 200) throw new Error(`${JSON.stringify(event)}: ${JSON.stringify(body)}`)
  }
  const drop = { lat: -34.9035, lng: -56.1903, add: 'Next door' }
  await sendEvent(rider, { event: 'amend', drop })
  await sendEvent(admin, { event: 'assign', driver: driver.uid })
  await sendEvent(driver, { event: 'accept' })
  await sendEvent(driver, { event: 'arrive', lat: -34.9055, lng: -56.1913 })
  const otp = (await scene.database.get(`booking_otps/${booking_id}`)) as number
  await sendEvent(driver, { event: 'start', otp })
  return payment
}

/** Runs `act` on a platform with taxi settings, then restores them. */
const withTaxiSettings = async <Result>(
  scene: ProbeContext,
  act: () => Promise<Result>,
): Promise<Result> => {
  const before = (await scene.database.get('settings/appcat')) as string
  await scene.database.put('settings/appcat', 'taxi')
  try {
    return await act()
  } finally {
    await scene.database.put('settings/appcat', before)
  }
}

/** Drives a booking with positions far off the route and returns the booking as charged. */
const driveDetour = async (
  scene: ProbeContext,
  far: (n: number) => { lat: number; lng: number },
): Promise<Pick<Booking, 'estimateDistance' | 'distance'>> => {
  const [rider, driver] = [await scene.createUser(), await scene.createUser({ usertype: 'driver' })]
  const { id } = await scene.createBooking(
    rider,
    driver,
    { event: 'accept' },
    { event: 'arrive', lat: -34.9055, lng: -56.1913 },
    { event: 'start' },
  )
  const now = Date.now()
  for (let n = 0; n < 50; n++)
    await scene.rest(
      driver,
      'PATCH',
      '',
      buildTrackPointUpdates(id, driver.uid, scene.createPushKey(), {
        at: now + n * 1000,
        status: 'STARTED',
        ...far(n),
      }),
    )
  const sendEvent = (event: object) =>
    scene.call(driver, 'advance_booking', { booking_id: id, ...event })
  await sendEvent({ event: 'reach', lat: -34.8855, lng: -56.1813 })
  const reached = (await scene.database.get(`bookings/${id}`)) as Booking
  await sendEvent({ event: 'finish' })
  await sendEvent({ event: 'collect' })
  return reached
}
const describeOvercharge = ({
  estimateDistance,
  distance,
}: Awaited<ReturnType<typeof driveDetour>>) =>
  distance > estimateDistance * MAX_PLANNED_FACTOR + MAX_EXTRA_KM
    ? `${distance} km are charged for a route of ${estimateDistance} km`
    : undefined

/** Two places of the probes: the far end of their bookings, and one beside the pickup. */
const FAR_END = { lat: -34.8855, lng: -56.1813 }
const BESIDE_PICKUP = { lat: -34.9035, lng: -56.1903, add: 'Next door' }

/** Starts a trip, and lets its car drive to the far end in ten minutes. */
const driveToFarEnd = async (scene: ProbeContext): Promise<[SignedInAccount, Booking]> => {
  const [rider, driver] = [await scene.createUser(), await scene.createUser({ usertype: 'driver' })]
  const booking = await scene.createBooking(
    rider,
    driver,
    { event: 'accept' },
    { event: 'arrive', lat: -34.9055, lng: -56.1913 },
    { event: 'start' },
  )
  const startTime = Date.now() - 10 * MINUTE_MS
  const toPoint = (at: number, { lat, lng }: LatLng) => ({ at, status: 'STARTED', lat, lng })
  await scene.database.put(`bookings/${booking.id}/startTime`, startTime)
  await scene.database.put(`tracking/${booking.id}`, {
    [createPushKey(startTime, 0)]: toPoint(startTime, booking.pickup),
    [createPushKey(startTime, 1)]: toPoint(Date.now(), FAR_END),
  })
  await scene.database.put(`users/${driver.uid}/location`, FAR_END)
  return [rider, { ...booking, startTime }]
}

export const moneyProbes = createProbes('money', {
  'a refund and a payment from the same wallet do not both use its balance': async (scene) => {
    const admin = await scene.signIn('seed-admin')
    for (let round = 0; round < ROUNDS; round++) {
      const rider = await scene.createUser()
      const request = await scene.request(rider)
      const price = Number(request['estimateFare'])
      const payment_id = await topUpWallet(scene, rider, Math.ceil(price))
      const created = await scene.call(rider, 'create_booking', request)
      if (created.status !== 200) throw new Error(JSON.stringify(created.body))
      const { booking_id } = request
      await Promise.all([
        scene.call(admin, 'refund_payment', { payment_id }),
        scene.call(rider, 'advance_booking', { booking_id, event: 'pay', payment_mode: 'wallet' }),
      ])
      const left = await readBalance(scene, rider)
      if (left < 0) return `the wallet holds ${left}`
    }
    return undefined
  },

  'ten concurrent refunds return the money once': async (scene) => {
    const admin = await scene.signIn('seed-admin')
    const rider = await scene.createUser()
    const payment_id = await topUpWallet(scene, rider, 40)
    await Promise.all(
      Array.from({ length: 10 }, () => scene.call(admin, 'refund_payment', { payment_id })),
    )
    const left = await readBalance(scene, rider)
    const { refunded = 0 } = (await scene.database.get(`payments/${payment_id}`)) as {
      refunded?: number
    }
    return firstProblem(
      left !== 0 && `the wallet holds ${left}`,
      refunded !== 40 && `${refunded} of 40 were refunded`,
    )
  },

  'card money that an amendment returned to the wallet does not go back to the card too': async (
    scene,
  ) => {
    const [rider, admin] = [await scene.createUser(), await scene.signIn('seed-admin')]
    const payment_id = await payAmendAndStart(scene, rider)
    const returned = await readBalance(scene, rider)
    if (returned <= 0) throw new Error('The amendment returned no money.')
    await scene.call(admin, 'refund_payment', { payment_id })
    await scene.call(admin, 'refund_payment', { payment_id })
    const { amount, refunded = 0 } = (await scene.database.get(`payments/${payment_id}`)) as {
      amount: number
      refunded?: number
    }
    const back = refunded + (await readBalance(scene, rider))
    return back > amount + 0.001 ? `${back} of ${amount} went back` : undefined
  },

  'a driven trip does not become cheap by a drop-off beside the pickup': async (scene) => {
    for (const appcat of ['delivery', 'taxi'] as const) {
      const act = async () => {
        const [rider, { id, trip_cost }] = await driveToFarEnd(scene)
        const amended = await scene.call(rider, 'advance_booking', {
          booking_id: id,
          event: 'amend',
          drop: BESIDE_PICKUP,
        })
        const after = (await scene.database.get(`bookings/${id}/trip_cost`)) as number
        const isRefused = amended.key === 'estimate_changed'
        if (amended.status !== 200 && !isRefused) throw new Error(JSON.stringify(amended.body))
        return after < trip_cost ? `${appcat}: ${trip_cost} became ${after}` : undefined
      }
      const problem = await (appcat === 'taxi' ? withTaxiSettings(scene, act) : act())
      if (problem) return problem
    }
    return undefined
  },

  'positions at the ends of the earth do not make a taxi more expensive': (scene) =>
    withTaxiSettings(scene, async () =>
      describeOvercharge(
        await driveDetour(scene, (n) => ({ lat: n % 2 ? 60 : -60, lng: n % 2 ? 120 : -56 })),
      ),
    ),

  'positions a few kilometers off the route do not make a taxi more expensive': (scene) =>
    withTaxiSettings(scene, async () =>
      describeOvercharge(
        await driveDetour(scene, (n) => ({ lat: -34.9 + (n % 2 ? 0.05 : 0), lng: -56.18 })),
      ),
    ),
})
