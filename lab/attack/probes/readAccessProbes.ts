import { CUSTOMER_CONTACT_FIELDS } from '~/domain/booking/contactAccess'
import { toJson } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import { buildMessageUpdates } from '~/domain/access/rateLimitedWrites'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { firstProblem, createProbes } from './probe'
import { DOOR_CODE, type SignedInAccount, type ProbeContext } from './probeContext'
import type { Booking } from '~/domain/booking/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { NamedDevice, User } from '~/domain/accounts/types'

const COMPLETED_TRIP_EVENTS = [
  { event: 'accept' },
  { event: 'arrive', lat: -34.9055, lng: -56.1913 },
  { event: 'start' },
  { event: 'reach', lat: -34.8855, lng: -56.1813 },
  { event: 'finish' },
  { event: 'collect' },
]
const createRider = (scene: ProbeContext) =>
  scene.createUser({ pushToken: `push-${scene.createPushKey()}` })
const createDriver = (scene: ProbeContext) => scene.createUser({ usertype: 'driver' })

const readToken = async (scene: ProbeContext, { uid }: SignedInAccount): Promise<string> => {
  const device = (await scene.database.get(internalPaths.namedDevice(uid))) as NamedDevice | null
  return device?.token ?? ''
}

/**
 * Returns the rider contacts that an account can read through a booking it was offered or drove.
 */
const findReadableContact = async (
  scene: ProbeContext,
  { id }: Pick<Booking, 'id'>,
  who: SignedInAccount,
  rider: SignedInAccount,
): Promise<string[]> => {
  const { mobile, email } = (await scene.database.get(`users/${rider.uid}`)) as User
  const pushToken = await readToken(scene, rider)
  const places = ['bookings', 'booking_contacts', 'contacts', 'booking_details', 'chats']
  const fields = [...CUSTOMER_CONTACT_FIELDS].map((field) => `booking_contacts/${id}/${field}`)
  const paths = [...places.map((place) => `${place}/${id}`), ...fields]
  const read = await Promise.all(paths.map((path) => scene.rest(who, 'GET', path)))
  const readableText = JSON.stringify(
    read.filter(({ status }) => status === 200).map(({ body }) => body),
  )
  return [mobile, email, pushToken, DOOR_CODE].filter(
    (secret) => secret !== '' && readableText.includes(secret),
  )
}

/**
 * Runs `act` while all times of the booking say that it ended two hours ago, then restores them.
 */
const withEndedBooking = async <Result>(
  scene: ProbeContext,
  id: string,
  act: () => Promise<Result>,
): Promise<Result> => {
  const before = (await scene.database.get(`bookings/${id}`)) as Booking
  const back = (at: number | undefined) => (at === undefined ? undefined : at - 2 * HOUR_MS)
  const moved = {
    ...before,
    endTime: back(before.endTime),
    paid_at: back(before.paid_at),
    cancelled_at: back(before.cancelled_at),
    event_log: Object.fromEntries(
      Object.entries(before.event_log).map(([key, entry]) => [
        key,
        { ...entry, at: entry.at - 2 * HOUR_MS },
      ]),
    ),
  }
  await scene.database.put(`bookings/${id}`, toJson(moved))
  try {
    return await act()
  } finally {
    await scene.database.put(`bookings/${id}`, toJson(before))
  }
}

export const readAccessProbes = createProbes('reads after a role ends', {
  'a driver with only an offer cannot read a phone number, email address or push token': async (
    scene,
  ) => {
    const [rider, driver] = [await createRider(scene), await createDriver(scene)]
    const booking = await scene.createBooking(rider, driver)
    const readableContacts = await findReadableContact(scene, booking, driver, rider)
    return readableContacts.length > 0
      ? `a driver with an offer reads ${readableContacts.length} of the rider’s contacts`
      : undefined
  },

  'a driver reads the door code only while they have the booking, and the track until its end':
    async (scene) => {
      const [rider, driver] = [await createRider(scene), await createDriver(scene)]
      const accepted = await scene.createBooking(rider, driver, { event: 'accept' })
      const early = await findReadableContact(scene, accepted, driver, rider)
      const ended = await scene.createBooking(
        rider,
        await createDriver(scene),
        ...COMPLETED_TRIP_EVENTS,
      )
      const token = await scene.signIn(ended.driver ?? '')
      const late = await findReadableContact(scene, ended, token, rider)
      const tracks = await Promise.all(
        [token, rider].map((who) => scene.rest(who, 'GET', `tracking/${ended.id}`)),
      )
      return firstProblem(
        !early.includes(DOOR_CODE) && 'the driver on the way has no instructions',
        late.includes(DOOR_CODE) && 'the driver of an ended trip reads the door code',
        tracks.some(({ status }) => status === 200) && 'the track is readable after the trip',
      )
    },

  'a driver cannot read contacts two hours after the end': async (scene) => {
    const [rider, driver] = [await createRider(scene), await createDriver(scene)]
    const booking = await scene.createBooking(rider, driver, ...COMPLETED_TRIP_EVENTS)
    const readableContacts = await withEndedBooking(scene, booking.id, () =>
      findReadableContact(scene, booking, driver, rider),
    )
    return readableContacts.length > 0
      ? `the driver still reads ${readableContacts.length} of the contacts`
      : undefined
  },

  'neither party can write to the other two hours after the end': async (scene) => {
    const [rider, driver] = [await createRider(scene), await createDriver(scene)]
    const { id } = await scene.createBooking(rider, driver, ...COMPLETED_TRIP_EVENTS)
    return withEndedBooking(scene, id, async () => {
      const createMessage = (from: string, source: 'rider' | 'driver') =>
        buildMessageUpdates(id, scene.createPushKey(), {
          message: 'Still here',
          from,
          type: 'msg',
          msgDate: 'today',
          msgTime: 'now',
          source,
        })
      const written = await scene.rest(driver, 'PATCH', '', createMessage(driver.uid, 'driver'))
      const pushToken = await readToken(scene, rider)
      const pushed = await scene.post(
        'send_notification',
        { token: pushToken, title: 'Your card was refused', msg: 'Pay here', booking_id: id },
        { Authorization: `Bearer ${driver.token}` },
      )
      return firstProblem(
        written.status === 200 && 'the driver’s chat message was accepted',
        pushed.status === 200 && 'the driver’s push was sent',
      )
    })
  },

  'a party cannot send a notification with their own words': async (scene) => {
    const [rider, driver] = [await createRider(scene), await createDriver(scene)]
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const pushToken = await readToken(scene, rider)
    await scene.post(
      'send_notification',
      { token: pushToken, title: 'Kerbside: card refused', msg: 'Pay here', booking_id: id },
      { Authorization: `Bearer ${driver.token}` },
    )
    const inbox = JSON.stringify(await scene.database.get(`inbox/${rider.uid}`))
    return inbox.includes('card refused') ? 'a driver’s own words reached the inbox' : undefined
  },

  'a name cannot carry words or a link into another person’s notification': async (scene) => {
    const rider = await createRider(scene)
    const driver = await scene.createUser({
      usertype: 'driver',
      firstName: 'Refused:',
      lastName: 'pay at evil.example',
    })
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const { status } = await scene.post(
      'send_notification',
      { title: 'push_here_title', msg: 'push_here_msg', booking_id: id },
      { Authorization: `Bearer ${driver.token}` },
    )
    const inbox = Object.values(
      ((await scene.database.get(`inbox/${rider.uid}`)) ?? {}) as Record<string, InboxEntry>,
    )
    const inboxMessage = inbox.find(({ title }) => title === 'push_here_title')
    return firstProblem(
      !inboxMessage && `the fixed text did not arrive (${status})`,
      /evil|pay/.test(JSON.stringify(inboxMessage)) && 'the driver’s own words reached the inbox',
    )
  },

  'a shared link shows no address after the end, and nothing an hour later': async (scene) => {
    const [rider, driver] = [await createRider(scene), await createDriver(scene)]
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const shared = await scene.call(rider, 'share_booking', { booking_id: id })
    const { token } = (shared.body as { result: { token: string } }).result
    const open = () => scene.get(`track?token=${token}`)
    const before = await open()
    await scene.call(rider, 'advance_booking', {
      booking_id: id,
      event: 'cancel',
      reason: 'Changed plans',
    })
    const over = await open()
    const later = await withEndedBooking(scene, id, open)
    return firstProblem(
      !JSON.stringify(before.body).includes('From here') && 'the link shows no booking at all',
      /From here|To there/.test(JSON.stringify(over.body)) && 'addresses are shown after the end',
      later.status === 200 && 'the link works two hours after the end',
    )
  },

  'a rider cannot follow a driver by name or list the fleet': async (scene) => {
    const rider = await scene.createUser()
    const driverKeys = (await scene.database.get('available_drivers', {
      orderBy: '"$key"',
      limitToFirst: '5',
    })) as Record<string, { driver?: string }> | null
    const [uid = 'seed-driver'] = Object.keys(driverKeys ?? {})
    const ask = (query: string) =>
      scene.rest(rider, 'GET', 'available_drivers', undefined, encodeURI(query))
    const named = await ask(`orderBy="$key"&equalTo="${uid}"&limitToFirst=1`)
    const all = await ask('orderBy="$key"&limitToFirst=1000')
    const users = new Set(
      Object.keys((await scene.database.get('users', { shallow: 'true' })) ?? {}),
    )
    const near = await ask('orderBy="geohash"&startAt="6"&endAt="7~"&limitToFirst=25')
    const names = near.status === 200 ? Object.keys(near.body ?? {}) : []
    return firstProblem(
      named.status === 200 && JSON.stringify(named.body) !== '{}' && `${uid} was found by name`,
      all.status === 200 && 'the whole fleet was listed',
      names.some((name) => users.has(name)) && 'the nearby drivers are listed under their uids',
    )
  },

  'a fleet admin cannot read the push token of their own driver': async (scene) => {
    const fleet = await scene.createUser({ usertype: 'fleetadmin' })
    const token = `push-${scene.createPushKey()}`
    const driver = await scene.createUser({ usertype: 'driver', fleetadmin: fleet.uid })
    const registered = await scene.call(driver, 'register_push_token', { token })
    if (registered.status !== 200) throw new Error(JSON.stringify(registered.body))
    const paths = [`users/${driver.uid}`, internalPaths.namedDevice(driver.uid), 'push_tokens']
    const answers = await Promise.all(paths.map((path) => scene.rest(fleet, 'GET', path)))
    return JSON.stringify(answers).includes(token)
      ? 'the fleet admin reads the push token'
      : undefined
  },

  'a fleet admin cannot read another fleet’s driver or booking': async (scene) => {
    const [rider, driver] = [await createRider(scene), await createDriver(scene)]
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const other = await scene.createUser({ usertype: 'fleetadmin' })
    const readablePaths: string[] = []
    for (const path of [`users/${driver.uid}`, `bookings/${id}`, `tracking/${id}`, `chats/${id}`])
      if ((await scene.rest(other, 'GET', path)).status === 200) readablePaths.push(path)
    return readablePaths.length > 0 ? `read: ${readablePaths.join(', ')}` : undefined
  },
})
