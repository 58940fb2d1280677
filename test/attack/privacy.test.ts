import { get, ref, update } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAvailabilityUpdates } from '~/domain/dispatch/dispatch'
import { createPushKey } from '~/domain/data/pushKeys'
import { CUSTOMER_CONTACT_FIELDS } from '~/domain/booking/contactAccess'
import { dbPaths } from '~/domain/data/databasePaths'
import { buildMessageUpdates } from '~/domain/access/rateLimitedWrites'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { NAMESPACE } from '~/scripts/local/localDatabase'
import { createWallet } from '~/lab/attack/probes/deletionProbes'
import type { TestClient } from '../support/testClients'
import {
  advanceBooking,
  openTestPlatform,
  postEndpoint,
  expectRefusal,
  type TestPlatform,
  toPosition,
} from '../functions/testPlatform'
import { getSuite } from '../support/testSuite'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import type { FormerUser, User } from '~/domain/accounts/types'
import type { Promo } from '~/domain/catalog/types'

let platform: TestPlatform
let rider: TestClient
let admin: TestClient
let driver: TestClient
let drivers: User
let riders: User
beforeAll(async () => {
  platform = openTestPlatform()
  // These tests use their own admin, whose rate limits no other test has used up.
  const [office = ''] = await platform.createUsers(1, { usertype: 'admin' })
  ;[rider, admin] = await Promise.all([platform.signInAs('seed-rider'), platform.signInAs(office)])
  const carType = (await platform.read<string>('users/seed-driver/carType')) ?? ''
  const [uid = ''] = await platform.createUsers(1, {
    usertype: 'driver',
    carType,
    firstName: 'Beto',
    // The driver needs enough money for the cash bookings.
    ...createWallet(5000),
  })
  driver = await platform.signInAs(uid)
  await platform.write({
    'internal/named_devices/seed-rider': { token: 'seed-rider-phone', revision: 9 },
  })
  drivers = (await platform.read<User>(`users/${uid}`))!
  riders = (await platform.read<User>('users/seed-rider'))!
})
afterAll(() => platform.close())

const canRead = (client: TestClient, path: string) =>
  get(ref(client.database, path)).then(
    () => true,
    () => false,
  )
const canWrite = (client: TestClient, updates: Record<string, unknown>) =>
  update(ref(client.database), updates).then(
    () => true,
    () => false,
  )
const createBearerHeader = async (client: TestClient) => ({
  Authorization: `Bearer ${await client.idToken()}`,
})

/** Creates a booking of the seeded rider and offers it to the driver; returns its id. */
const createOfferedBooking = async (): Promise<string> => {
  const { booking_id } = await platform.createBooking(admin, { customer: 'seed-rider' })
  await advanceBooking(admin, booking_id, 'assign', { driver: driver.uid })
  return booking_id
}
/** Creates the same booking, accepted, finished and unpaid; returns its id. */
const createFinishedBooking = async (): Promise<string> => {
  const id = await createOfferedBooking()
  const { lat, lng } = await platform.getPickup()
  await advanceBooking(driver, id, 'accept')
  await advanceBooking(driver, id, 'arrive', { lat, lng })
  await advanceBooking(driver, id, 'start', {
    otp: await platform.read<number>(`booking_otps/${id}`),
  })
  await advanceBooking(driver, id, 'reach', { lat, lng })
  await advanceBooking(driver, id, 'finish')
  return id
}
/** Moves the end of the trip `ago` milliseconds into the past. */
const moveTripEnd = (id: string, ago: number) =>
  platform.write({ [`bookings/${id}/endTime`]: Date.now() - ago })

const createMessage = (client: TestClient, source: 'rider' | 'driver') => ({
  message: 'Where do you live?',
  from: client.uid,
  type: 'msg' as const,
  msgDate: '1 January',
  msgTime: '10:00',
  source,
})
let messageText = 0
const sendMessage = async (client: TestClient, source: 'rider' | 'driver', id: string) => {
  // No earlier message delays this one, so only the booking's state can refuse it.
  await platform.write({ [dbPaths.newestEntryKey('chats', id, client.uid)]: null })
  const key = createPushKey(Date.now(), (messageText += 1))
  return canWrite(client, buildMessageUpdates(id, key, createMessage(client, source)))
}
const sendNotification = async (client: TestClient, booking_id: string, more: object = {}) => {
  const text = { title: 'push_here_title', msg: 'push_here_msg', booking_id, ...more }
  const { status, body } = await postEndpoint(
    'send_notification',
    text,
    await createBearerHeader(client),
  )
  return status === 200 ? 'sent' : body.key
}

describe('a driver who requests more data than the trip needs', () => {
  it('reads places and price from an offer, but no phone, email address or push token', async () => {
    const id = await createOfferedBooking()
    const seen = (await get(ref(driver.database, `bookings/${id}`))).val() as Booking
    expect(seen).toMatchObject({ pickupAddress: 'From here', customer_name: expect.any(String) })
    expect(seen.trip_cost).toBeGreaterThan(0)
    const record = JSON.stringify(seen)
    for (const secret of [riders.mobile, riders.email, 'seed-rider-phone', '099 123 456'])
      expect(record).not.toContain(secret)
    for (const part of CUSTOMER_CONTACT_FIELDS)
      expect(await canRead(driver, `booking_contacts/${id}/${part}`)).toBe(false)
    expect(await canRead(driver, `booking_contacts/${id}`)).toBe(false)
    expect(await sendMessage(driver, 'driver', id)).toBe(false)
    expect(await sendNotification(driver, id)).toBe('not_allowed')
    await advanceBooking(driver, id, 'decline')
  })

  it('reaches the rider until one hour after the end, whatever the booking’s status', async () => {
    const id = await createFinishedBooking()
    const contact = `booking_contacts/${id}/customer_contact`
    const reaches = async () => [
      await canRead(driver, contact),
      await sendMessage(driver, 'driver', id),
      await sendNotification(driver, id),
    ]
    const within = [true, true, 'sent']
    const after = [false, false, 'event_not_possible']
    expect(await reaches()).toEqual(within)
    await moveTripEnd(id, HOUR_MS + MINUTE_MS)
    expect(await reaches()).toEqual(after)

    await moveTripEnd(id, 10 * MINUTE_MS)
    await advanceBooking(driver, id, 'collect')
    expect(await reaches()).toEqual(within)
    // The booking is paid but never rated.
    await moveTripEnd(id, HOUR_MS + MINUTE_MS)
    expect(await reaches()).toEqual(after)

    await advanceBooking(rider, id, 'rate', { rating: 5 })
    expect(await reaches()).toEqual(after)
    expect(await canRead(rider, contact)).toBe(true)
    expect(await canRead(rider, `booking_contacts/${id}/driver_contact`)).toBe(false)
    expect(await sendMessage(rider, 'rider', id)).toBe(false)
  })

  it('reaches the rider for an hour after a cancellation', async () => {
    const id = await createOfferedBooking()
    await advanceBooking(driver, id, 'accept')
    await advanceBooking(rider, id, 'cancel', { reason: 'Changed plans' })
    const contact = `booking_contacts/${id}/customer_contact`
    expect([await canRead(driver, contact), await sendNotification(driver, id)]).toEqual([
      true,
      'sent',
    ])
    await platform.rewriteTimes(id, { cancelled_at: Date.now() - HOUR_MS - MINUTE_MS })
    expect([await canRead(driver, contact), await sendNotification(driver, id)]).toEqual([
      false,
      'event_not_possible',
    ])
  })

  it('cannot write in the platform’s name in a title, message or parameter', async () => {
    const id = await createOfferedBooking()
    await advanceBooking(driver, id, 'accept')
    const free = 'Kerbside: your card was refused'
    expect(await sendNotification(driver, id, { title: free })).toBe('not_allowed')
    expect(await sendNotification(driver, id, { msg: free })).toBe('not_allowed')
    expect(
      await sendNotification(driver, id, { title: 'push_paid_title', msg: 'push_paid_msg' }),
    ).toBe('not_allowed')
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`p${at}`, free]))
    expect(await sendNotification(driver, id, { params: many })).toBe('bad_input')
    expect(await sendNotification(driver, id, { params: { sender: 'x'.repeat(45_000) } })).toBe(
      'bad_input',
    )
    expect(await sendNotification(driver, id, { params: { sender: free } })).toBe('sent')
    const inbox = JSON.stringify(await platform.read('inbox/seed-rider'))
    expect(inbox).not.toContain(free)
    expect(inbox).toContain('Beto')
    await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
  })
})

describe('a rider who tries to track a driver by name', () => {
  const QUERIES = [
    '',
    'shallow=true',
    'orderBy="$key"&equalTo="UID"&limitToFirst=1',
    'orderBy="$key"&startAt="UID"&limitToFirst=1',
    'orderBy="$key"&endAt="UID"&limitToLast=1',
    'orderBy="$key"&limitToFirst=200',
    'orderBy="$value"&limitToFirst=200',
    'orderBy="at"&limitToLast=200',
    'orderBy="carType"&equalTo="CAR"&limitToFirst=200',
    'orderBy="fleetadmin"&equalTo="UID"&limitToFirst=200',
    'orderBy="fleetadmin"&equalTo=null&limitToFirst=200',
    'orderBy="geohash"&startAt="6"&endAt="7"&limitToFirst=200',
    'orderBy="geohash"&limitToFirst=200',
  ]
  const LISTS = ['available_drivers', 'nearby_cars', 'users', 'people', 'busy_drivers', 'tracking']
  const ask = async (path: string, query: string) => {
    const token = await rider.idToken()
    const url = `${getSuite().urls.database}/${path}.json?ns=${NAMESPACE}&auth=${token}&${query}`
    const response = await fetch(url)
    return { status: response.status, text: await response.text() }
  }

  it('gets no data from any query or path', async () => {
    const here = await platform.getPickup()
    const place = { [`users/${driver.uid}/location`]: here }
    const key = createPushKey(Date.now(), 4711)
    expect(
      await canWrite(driver, { ...place, ...buildAvailabilityUpdates(drivers, here, key) }),
    ).toBe(true)

    for (const list of LISTS)
      for (const query of QUERIES) {
        const filled = query.replaceAll('UID', driver.uid).replaceAll('CAR', drivers.carType ?? '')
        const { status } = await ask(list, filled)
        expect([list, query, status]).toEqual([list, query, 401])
      }
    const paths = [
      `available_drivers/${driver.uid}`,
      `available_drivers/${driver.uid}/lat`,
      `nearby_cars/${key}`,
      `nearby_cars/${key}/lat`,
      `users/${driver.uid}`,
      `users/${driver.uid}/location`,
      `users/${driver.uid}/shift`,
      `busy_drivers/${driver.uid}`,
    ]
    for (const path of paths) expect([path, (await ask(path, '')).status]).toEqual([path, 401])

    // The map shows a vehicle without its driver.
    const { geohash } = (await platform.read<{ geohash: string }>(`nearby_cars/${key}`))!
    const cell = geohash.slice(0, 6)
    const seen = await ask(
      'nearby_cars',
      `orderBy="geohash"&startAt="${cell}"&endAt="${cell}~"&limitToFirst=200`,
    )
    expect(seen.status).toBe(200)
    expect(JSON.parse(seen.text)).toHaveProperty(key)
    expect(seen.text).not.toContain(driver.uid)

    // A driver with a booking is on no list.
    const id = await createOfferedBooking()
    await advanceBooking(driver, id, 'accept')
    expect(await platform.read(`nearby_cars/${key}`)).toBeNull()
    expect(await platform.read(`users/${driver.uid}/shift`)).toBeNull()
    await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
  })
})

describe('a person who deletes their account in order to return', () => {
  const leaves = async (client: TestClient, input: object = {}) => {
    try {
      await client.call('delete_user', { id: client.uid, ...input })
      return 'gone'
    } catch (error) {
      const { details } = error as { details: { key: string; params?: object } }
      return details.key
    }
  }

  it('keeps the account while a debt remains, and the back office cannot remove it either', async () => {
    const [uid = ''] = await platform.createUsers(1, createWallet(-11))
    const client = await platform.signInAs(uid)
    for (const input of [{}, { waive_balance: true }, { waive_balance: true, balance: -11 }])
      expect(await leaves(client, input)).toBe('balance_owed')
    expect(await leaves(admin, { id: uid, waive_balance: true })).toBe('balance_owed')
    expect(await platform.read<User>(`users/${uid}`)).toMatchObject({ approved: true })
  })

  it('loses no money without waiving it', async () => {
    const [uid = ''] = await platform.createUsers(1, createWallet(300))
    const client = await platform.signInAs(uid)
    expect(await leaves(client)).toBe('balance_left')
    expect(await leaves(admin, { id: uid })).toBe('balance_left')
    expect(await leaves(client, { waive_balance: true, balance: 200 })).toBe('balance_left')
    const before = (await platform.read<number>('stats/total/minor/UYU2/waived')) ?? 0
    expect(await leaves(client, { waive_balance: true, balance: 300 })).toBe('gone')
    expect(await platform.read('stats/total/minor/UYU2/waived')).toBe(before + 30_000)
    expect(await platform.read(`closed_accounts/${uid}`)).toMatchObject({ waived: 300 })
  })

  /** Signs in a rider with this number for the first time. */
  const signsUp = async (mobile: string, referralId: string) => {
    const uid = `again-${Date.now()}-${Math.floor(Math.random() * 1e6)}`
    const client = await platform.signInAs(uid, mobile)
    const regData = {
      usertype: 'rider',
      firstName: 'Eva',
      lastName: 'Sosa',
      email: `${uid}@example.com`,
      mobile,
      referralId,
    }
    const { body } = await postEndpoint(
      'user_signup',
      { regData },
      await createBearerHeader(client),
    )
    expect(body).toEqual({ success: true, uid, approved: true })
    return client
  }
  const pays = async (client: TestClient, promo?: string) => {
    const { booking_id } = await platform.createBooking(client)
    const paid = await advanceBooking(client, booking_id, 'pay', {
      payment_mode: 'cash',
      ...(promo !== undefined && { promo }),
    }).then(
      () => 'paid',
      async (error: { details: { key: string } }) => error.details.key,
    )
    return { booking_id, paid }
  }
  /** Takes a paid booking through to its rating, in a time in which a car can drive it. */
  const isDriven = async (client: TestClient, id: string) => {
    const { pickup, drop } = (await platform.read<Booking>(`bookings/${id}`))!
    await advanceBooking(admin, id, 'assign', { driver: driver.uid })
    await advanceBooking(driver, id, 'accept')
    await advanceBooking(driver, id, 'arrive', toPosition(pickup))
    await advanceBooking(driver, id, 'start', {
      otp: await platform.read<number>(`booking_otps/${id}`),
    })
    await platform.moveStartBack(id)
    await advanceBooking(driver, id, 'reach', toPosition(drop))
    await advanceBooking(driver, id, 'finish')
    await advanceBooking(driver, id, 'collect')
    await advanceBooking(client, id, 'rate', { rating: 5 })
  }

  it('uses a promo and a referral bonus only once with the same phone', async () => {
    const mobile = `+1777${String(Date.now()).slice(-7)}`
    const promo = `once-${Date.now()}`
    const [referrer = ''] = await platform.createUsers(1, { referralId: `ref${Date.now()}` })
    const referralId = await platform.read<string>(`users/${referrer}/referralId`)
    await platform.write({
      [`promos/${promo}`]: {
        id: promo,
        promo_name: 'Once',
        promo_description: '',
        promo_discount_type: 'flat',
        promo_discount_value: 1,
        max_promo_discount_value: 0,
        min_order: 0,
        promo_validity: Date.now() + HOUR_MS,
        promo_usage_limit: 100,
        user_avail: 0,
      } satisfies Promo,
    })

    const first = await signsUp(mobile, referralId ?? '')
    const trip = await pays(first, promo)
    expect(trip.paid).toBe('paid')
    await isDriven(first, trip.booking_id)
    const bonus = (await platform.read<number>('settings/bonus')) ?? 0
    expect(bonus).toBeGreaterThan(0)
    expect(await platform.read(`users/${first.uid}/walletBalance`)).toBe(bonus)
    expect(await platform.read(`users/${referrer}/walletBalance`)).toBe(bonus)
    expect(await leaves(first, { waive_balance: true })).toBe('gone')
    expect(JSON.stringify(await platform.read<FormerUser>('former_users'))).not.toContain(mobile)

    const again = await signsUp(mobile, referralId ?? '')
    expect(again.uid).not.toBe(first.uid)
    expect((await pays(again, promo)).paid).toBe('promo_already_used')
    const next = await pays(again)
    expect(next.paid).toBe('paid')
    await isDriven(again, next.booking_id)
    expect(await platform.read(`users/${again.uid}/walletBalance`)).toBe(0)
    expect(await platform.read(`users/${referrer}/walletBalance`)).toBe(bonus)
    expect(await platform.read(`promos/${promo}/user_avail`)).toBe(1)
  })

  it('leaves no contacts in old bookings', async () => {
    const [uid = ''] = await platform.createUsers(1, {})
    const client = await platform.signInAs(uid)
    const { booking_id, paid } = await pays(client)
    expect(paid).toBe('paid')
    expect(await platform.read<BookingContacts>(`booking_contacts/${booking_id}`)).toMatchObject({
      customer_contact: expect.stringMatching(/^\+/),
    })
    await isDriven(client, booking_id)
    expect(await leaves(client)).toBe('gone')
    expect(await platform.read(`booking_contacts/${booking_id}`)).toBeNull()
    expect((await expectRefusal(client.call('ensure_profile'))).details.key).toBe('must_login')
  })
})

describe('a forwarded link', () => {
  it('shows no addresses after the trip and expires an hour later', async () => {
    const id = await createOfferedBooking()
    await advanceBooking(driver, id, 'accept')
    const { token } = await rider.call('share_booking', { booking_id: id })
    const openLink = async () => {
      const response = await fetch(`${getSuite().urls.functions}/track?token=${token}`)
      return { status: response.status, text: await response.text() }
    }
    expect((await openLink()).text).toContain('From here')
    await advanceBooking(rider, id, 'cancel', { reason: 'Test' })
    const over = await openLink()
    expect(over.status).toBe(200)
    expect(over.text).not.toMatch(/From here|To there|pickup|drop|lat/)
    await platform.rewriteTimes(id, { cancelled_at: Date.now() - HOUR_MS })
    expect((await openLink()).status).toBe(404)
    await platform.write({ [`shares/${token}/expires`]: Date.now() - 1 })
    await admin.call('run_sweep')
    expect(await platform.read(`shares/${token}`)).toBeNull()
    expect(await platform.read(`share_links/${id}/seed-rider`)).toBeNull()
  })
})
