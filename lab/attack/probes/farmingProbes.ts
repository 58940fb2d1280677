import { dbPaths } from '~/domain/data/databasePaths'
import { toJson } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import { createWallet } from './deletionProbes'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/** The drop-off of the probes' bookings. */
const DROP = { lat: -34.8855, lng: -56.1813 }
const TRIP_EVENTS = [
  { event: 'accept' },
  { event: 'arrive', lat: -34.9055, lng: -56.1913 },
  { event: 'start' },
  { event: 'reach', ...DROP },
]
/** Seconds in which no car can drive from the pickup to the drop-off. */
const TOO_FEW_SECONDS = 30

const readRider = async (scene: ProbeContext, { uid }: SignedInAccount): Promise<User> =>
  (await scene.database.get(dbPaths.user(uid))) as User

/** Lets a driver carry out a booking of the rider, who pays in cash. */
const completeBooking = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  driver: SignedInAccount,
): Promise<void> => {
  const paying = [{ event: 'finish' }, { event: 'collect' }]
  const { status } = await scene.createBooking(rider, driver, ...TRIP_EVENTS, ...paying)
  if (status !== 'PAID') throw new Error(`The booking is ${status} after its payment.`)
}

/** Returns true when a bonus of the rider waits for its payment, or for the review of its trip. */
const hasPendingBonus = async (scene: ProbeContext, { uid }: SignedInAccount): Promise<boolean> =>
  (await scene.database.get(internalPaths.pendingBonus(uid, uid))) !== null

const checkBonusSetting = async (scene: ProbeContext): Promise<void> => {
  if (!(Number(await scene.database.get('settings/bonus')) > 0))
    throw new Error('The settings have no bonus.')
}

/**
 * Returns the problem when a rider whom the referrer invited earns the bonus of a trip with a
 * driver who is tied to the referrer, or does not earn it of a trip with a stranger.
 */
const checkReferral = async (
  scene: ProbeContext,
  referrer: SignedInAccount,
  tiedDriver: SignedInAccount,
): Promise<string | undefined> => {
  await checkBonusSetting(scene)
  const rider = await scene.createUser({ signupViaReferral: referrer.uid })
  await completeBooking(scene, rider, tiedDriver)
  const { walletBalance, referralRewarded } = await readRider(scene, rider)
  if (walletBalance !== 0 || referralRewarded || (await hasPendingBonus(scene, rider)))
    return 'a trip among tied accounts earned a bonus'
  await completeBooking(scene, rider, await scene.createUser({ usertype: 'driver' }))
  const isEarned =
    (await readRider(scene, rider)).walletBalance > 0 || (await hasPendingBonus(scene, rider))
  return isEarned ? undefined : 'a trip with a stranger earned no bonus'
}

export const farmingProbes = createProbes('farming', {
  'a referrer who drives the person whom they invited earns no bonus': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    return checkReferral(scene, driver, driver)
  },

  'a driver with the bank account of the referrer brings no bonus': async (scene) => {
    const bankAccount = `IBAN ${scene.createPushKey()}`
    const referrer = await scene.createUser({ bankAccount })
    const like = { bankAccount: bankAccount.replace(' ', '-').toLowerCase() }
    return checkReferral(scene, referrer, await scene.createUser({ usertype: 'driver', ...like }))
  },

  'a trip that no car can have driven in its time pays no bonus at once': async (scene) => {
    await checkBonusSetting(scene)
    const referrer = await scene.createUser()
    const rider = await scene.createUser({ signupViaReferral: referrer.uid })
    await completeBooking(scene, rider, await scene.createUser({ usertype: 'driver' }))
    const balances = await Promise.all(
      [rider, referrer].map(async (one) => (await readRider(scene, one)).walletBalance),
    )
    return firstProblem(
      balances.some((balance) => balance !== 0) && `the wallets have ${balances.join(' and ')}`,
      !(await hasPendingBonus(scene, rider)) && 'no bonus waits for the review of the trip',
    )
  },

  'a rider who owes more than the limit books nothing': async (scene) => {
    const debtor = await scene.createUser(createWallet(-100_000))
    const request = await scene.request(await scene.createUser())
    const { key } = await scene.call(debtor, 'create_booking', request)
    const booking = await scene.database.get(dbPaths.booking(request.booking_id))
    return firstProblem(
      booking !== null && 'a person with a debt of 100,000 made a booking',
      key !== 'debt_limit' && `the booking was answered with ${key ?? 'success'}`,
    )
  },

  'a trip that no car can have driven in its time waits for the office': async (scene) => {
    const [rider, driver] = [
      await scene.createUser(),
      await scene.createUser({ usertype: 'driver' }),
    ]
    const { id, total_trip_time } = await scene.createBooking(rider, driver, ...TRIP_EVENTS)
    const review = await scene.database.get(dbPaths.fareReview(id))
    for (const event of ['finish', 'collect'])
      await scene.call(driver, 'advance_booking', { booking_id: id, event })
    if ((total_trip_time ?? 0) > TOO_FEW_SECONDS)
      throw new Error(`The trip took ${total_trip_time} s, in which a car can drive it.`)
    return review === null
      ? `a trip of ${total_trip_time} s is paid without a look of the office`
      : undefined
  },

  'a parcel that is handed over far from its drop-off waits for the office': async (scene) => {
    const [rider, driver] = [
      await scene.createUser(),
      await scene.createUser({ usertype: 'driver' }),
    ]
    const far = { event: 'reach', lat: DROP.lat + 0.02, lng: DROP.lng + 0.02 }
    const { id } = await scene.createBooking(rider, driver, ...TRIP_EVENTS.slice(0, 3), far)
    const booking = (await scene.database.get(dbPaths.booking(id))) as Booking
    const review = await scene.database.get(dbPaths.fareReview(id))
    for (const event of ['finish', 'collect'])
      await scene.call(driver, 'advance_booking', { booking_id: id, event })
    return firstProblem(
      review === null && 'no review waits',
      !booking.distance_review?.reasons?.includes('drop_elsewhere') &&
        'the review does not name the place',
    )
  },

  'a trip whose driver skips a stop of its price waits for the office': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const rider = await scene.createUser()
    const { id } = await scene.createBooking(rider, driver, ...TRIP_EVENTS.slice(0, 3))
    const stop = { lat: -34.8955, lng: -56.1863, add: 'On the way' }
    await scene.database.put(`${dbPaths.booking(id)}/waypoints`, [stop])
    const { lat, lng } = stop
    const skip = { event: 'skip_stop', index: 0, stop: { lat, lng } }
    for (const event of [skip, { event: 'reach', ...DROP }, { event: 'finish' }]) {
      const { status, body } = await scene.call(driver, 'advance_booking', {
        booking_id: id,
        ...event,
      })
      if (status !== 200) throw new Error(JSON.stringify(body))
    }
    const booking = (await scene.database.get(dbPaths.booking(id))) as Booking
    await scene.call(driver, 'advance_booking', { booking_id: id, event: 'collect' })
    return firstProblem(
      (await scene.database.get(dbPaths.fareReview(id))) === null && 'no review waits',
      !booking.distance_review?.reasons?.includes('stops') && 'the review does not name the stop',
    )
  },

  'a promo pays no delivery of a driver whom its rider knows': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const rider = await scene.createUser({ signupViaReferral: driver.uid })
    const { id } = await scene.createBooking(rider, driver)
    await scene.database.put(`${dbPaths.booking(id)}/paymentPacket/promo_applied`, true)
    const accept = { booking_id: id, event: 'accept' }
    const { status, key } = await scene.call(driver, 'advance_booking', accept)
    return key === 'driver_not_available'
      ? undefined
      : `the driver’s acceptance is answered with ${key ?? status}`
  },

  'a share that waits for a fare review leaves no wallet': async (scene) => {
    const share = 100
    const driver = await scene.createUser({
      usertype: 'driver',
      ...createWallet(share),
      bankName: 'Bank',
      bankCode: '1',
      bankAccount: '2',
    })
    const rider = await scene.createUser()
    const { id } = await scene.createBooking(rider, driver, ...TRIP_EVENTS)
    if ((await scene.database.get(dbPaths.fareReview(id))) === null)
      throw new Error('The trip waits for no review.')
    const path = dbPaths.booking(id)
    const booking = (await scene.database.get(path)) as Booking
    // As after a payment by card; the cash of the probes' bookings would leave nothing to hold.
    const paid = { ...booking, status: 'PAID' as const, driver_share: share, cashPaymentAmount: 0 }
    await scene.database.put(path, toJson(paid))
    const request = { withdraw_id: scene.createPushKey(), amount: 1 }
    const { status, key } = await scene.call(driver, 'request_withdraw', request)
    // Its figures were never counted.
    await scene.database.put(path, toJson(booking))
    return key === 'withdraw_in_review'
      ? undefined
      : `the withdrawal is answered with ${key ?? status}`
  },
})
