import { encodeTime } from '~/domain/data/pushKeys'
import { formatDay } from '~/domain/language/zonedTime'
import { DAY_MS } from '~/domain/language/timeUnits'
import { createWallet } from './deletionProbes'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/**
 * Saves a recurring booking with a trip in twelve hours, and returns its id and the trip's day.
 * `admin` saves it for the rider, if given.
 */
const saveCommute = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  admin?: SignedInAccount,
) => {
  const timezone = (await scene.database.get('settings/timezone')) as string
  const at = Date.now() + DAY_MS / 2
  const date = formatDay(at, timezone)
  const request = await scene.request(rider)
  const { pickup, drop, carType, deliveryPerson, deliveryPersonPhone } = request
  const series_id = scene.createPushKey()
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone })
  const saved = await scene.call(admin ?? rider, 'save_recurring', {
    ...(admin && { customer: rider.uid }),
    ...{ pickup, drop, carType, deliveryPerson, deliveryPersonPhone },
    series_id,
    days: [1, 2, 3, 4, 5, 6, 7],
    time: time.format(at),
    from: date,
    payment: 'cash',
  })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  return { series_id, date }
}

const countBookings = async (scene: ProbeContext, { uid }: SignedInAccount): Promise<number> => {
  const query = { orderBy: '"customer"', equalTo: `"${uid}"` }
  const bookings = (await scene.database.get('bookings', query)) as Record<string, Booking> | null
  return Object.keys(bookings ?? {}).length
}

/** Returns the bookings of a rider that have the rights of the office. */
const listOfficeBookings = async (scene: ProbeContext, { uid }: SignedInAccount) => {
  const query = { orderBy: '"customer"', equalTo: `"${uid}"` }
  const bookings = (await scene.database.get('bookings', query)) as Record<string, Booking> | null
  return Object.values(bookings ?? {}).filter((booking) => booking.booking_type_admin)
}

export const ownershipProbes = createProbes('ownership', {
  'a stranger cannot take the id of a commuter’s next trip': async (scene) => {
    const [rider, stranger] = [await scene.createUser(), await scene.createUser()]
    const { series_id, date } = await saveCommute(scene, rider)
    // A person who saw one booking of the series knew this id.
    const booking_id = encodeTime(Date.parse(`${date}T00:00Z`) - 2 * DAY_MS) + series_id.slice(8)
    const request = { ...(await scene.request(stranger)), booking_id }
    const creation = await scene.call(stranger, 'create_booking', request)
    if (creation.status !== 200) throw new Error(JSON.stringify(creation.body))
    await scene.call(await scene.signIn('seed-admin'), 'run_sweep')
    return (await countBookings(scene, rider)) === 0
      ? 'the trip of the recurring booking was not booked'
      : undefined
  },

  'a recurring booking of an admin who has left has no rights of the office': async (scene) => {
    const [rider, admin] = [await scene.createUser(), await scene.createUser({ usertype: 'admin' })]
    await saveCommute(scene, rider, admin)
    await scene.database.put(`users/${admin.uid}/approved`, false)
    await scene.database.put(`roles/${admin.uid}`, null)
    await scene.call(await scene.signIn('seed-admin'), 'run_sweep')
    if ((await countBookings(scene, rider)) === 0) throw new Error('No trip was booked.')
    return (await listOfficeBookings(scene, rider)).length > 0
      ? 'the job booked with the rights of the office'
      : undefined
  },

  'a fleet admin neither redirects nor destroys the money of a driver': async (scene) => {
    const fleet = await scene.createUser({ usertype: 'fleetadmin' })
    const driver = await scene.createUser({
      usertype: 'driver',
      fleetadmin: fleet.uid,
      bankAccount: 'OWN',
      ...createWallet(400),
    })
    await scene.call(fleet, 'save_user', { id: driver.uid, bankAccount: 'EVIL' })
    await scene.rest(fleet, 'PUT', `users/${driver.uid}/bankAccount`, 'EVIL')
    const waiver = { id: driver.uid, waive_balance: true, balance: 400 }
    await scene.call(fleet, 'delete_user', waiver)
    const { bankAccount, walletBalance } = ((await scene.database.get(`users/${driver.uid}`)) ??
      {}) as Partial<User>
    return firstProblem(
      walletBalance !== 400 && 'the money of the driver is gone',
      bankAccount !== 'OWN' && `payouts of the driver go to ${bankAccount}`,
    )
  },

  'a wrong recipient loses the link when the number is corrected': async (scene) => {
    const [rider, driver] = [
      await scene.createUser(),
      await scene.createUser({ usertype: 'driver' }),
    ]
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    await scene.call(await scene.signIn('seed-admin'), 'run_sweep')
    const links = (await scene.database.get(`share_links/${id}`)) as Record<
      string,
      Record<string, string>
    > | null
    // The rider has a link of their own.
    const tokens = Object.entries(links ?? {})
      .filter(([name]) => name !== rider.uid)
      .flatMap(([, levels]) => Object.values(levels))
    if (tokens.length === 0) throw new Error('The recipient got no link.')
    const amended = await scene.call(rider, 'advance_booking', {
      booking_id: id,
      event: 'amend',
      deliveryPersonPhone: '099 765 432',
    })
    if (amended.status !== 200) throw new Error(JSON.stringify(amended.body))
    const opened = await Promise.all(tokens.map((token) => scene.get(`track?token=${token}`)))
    return opened.some(({ status }) => status === 200)
      ? 'the first recipient still follows the trip'
      : undefined
  },

  'a name that every object has is no id': async (scene) => {
    const rider = await scene.createUser()
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    const answers = await Promise.all(
      names.flatMap((name) => [
        scene.call(rider, 'change_recurring', { series_id: name, action: 'end' }),
        scene.call(rider, 'change_recurring', { series_id: name, action: 'resume' }),
        scene.call(rider, 'advance_booking', { booking_id: name, event: 'accept' }),
      ]),
    )
    const others = answers.filter(({ status }) => status !== 400)
    return others.length > 0
      ? `answered with ${others.map(({ status }) => status).join()}`
      : undefined
  },

  'an export names no booking of another fleet to a fleet admin': async (scene) => {
    const fleet = await scene.createUser({ usertype: 'fleetadmin' })
    const rider = await scene.createUser()
    const { booking_id } = await scene.request(rider).then(async (request) => {
      await scene.call(rider, 'create_booking', request)
      return request
    })
    const query = { customer: rider.uid, limit: 1 }
    const { body } = await scene.call(fleet, 'export_bookings', query)
    return JSON.stringify(body).includes(booking_id)
      ? 'the page names a booking of another fleet'
      : undefined
  },

  'a payout waits after a change of bank details': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver', ...createWallet(400) })
    const withdraw_id = scene.createPushKey()
    await scene.rest(driver, 'PUT', `users/${driver.uid}/bankAccount`, 'EVIL')
    await scene.call(driver, 'save_user', { id: driver.uid, bankAccount: 'EVIL' })
    await scene.call(driver, 'request_withdraw', { withdraw_id, amount: 400 })
    const admin = await scene.signIn('seed-admin')
    const { key } = await scene.call(admin, 'complete_withdraw', { withdraw_id })
    return key === 'payout_waits' ? undefined : `the payout was answered with ${key ?? 'success'}`
  },
})
