import type { Booking } from '~/domain/entities'
import { encodeTime } from '~/domain/pushKeys'
import { formatDay } from '~/domain/zonedTime'
import { DAY_MS } from '~/domain/timeUnits'
import { createProbes } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

/** Saves a recurring booking with a trip in twelve hours, and returns its id and the trip's day. */
const saveCommute = async (scene: ProbeContext, rider: SignedInAccount) => {
  const timezone = (await scene.database.get('settings/timezone')) as string
  const at = Date.now() + DAY_MS / 2
  const date = formatDay(at, timezone)
  const request = await scene.request(rider)
  const { pickup, drop, carType, deliveryPerson, deliveryPersonPhone } = request
  const series_id = scene.createPushKey()
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone })
  const saved = await scene.call(rider, 'save_recurring', {
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

export const ownershipProbes = createProbes('ownership', {
  'a stranger cannot take the id of a commuter’s next trip': async (scene) => {
    const [rider, stranger] = [await scene.createUser(), await scene.createUser()]
    const { series_id, date } = await saveCommute(scene, rider)
    // Whoever saw one booking of the series knew this id.
    const booking_id = encodeTime(Date.parse(`${date}T00:00Z`) - 2 * DAY_MS) + series_id.slice(8)
    const request = { ...(await scene.request(stranger)), booking_id }
    const taken = await scene.call(stranger, 'create_booking', request)
    if (taken.status !== 200) throw new Error(JSON.stringify(taken.body))
    await scene.call(await scene.signIn('seed-admin'), 'run_sweep')
    return (await countBookings(scene, rider)) === 0
      ? 'the trip of the recurring booking was not booked'
      : undefined
  },
})
