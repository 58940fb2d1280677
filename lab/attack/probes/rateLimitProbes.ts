import type { DatabaseValue } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { formatDay, formatTimeOfDay, getWeekday } from '~/domain/language/zonedTime'
import type { RecurringRecord, RecurringSeries } from '~/domain/recurring/series'
import { MAX_OPEN_BOOKINGS } from '~/domain/booking/limits/openBookingLimits'
import type { Share } from '~/domain/access/shares'
import { buildMessageUpdates, buildTrackPointUpdates } from '~/domain/access/rateLimitedWrites'
import { firstProblem, createProbes } from './probe'
import type { SignedInAccount, ProbeResponse, ProbeContext } from './probeContext'

const isAccepted = ({ status }: ProbeResponse) => status === 200
const countChildren = async (scene: ProbeContext, path: string): Promise<number> =>
  Object.keys((await scene.database.get(path, { shallow: 'true' })) ?? {}).length
const createAcceptedBooking = async (scene: ProbeContext) => {
  const [rider, driver] = [await scene.createUser(), await scene.createUser({ usertype: 'driver' })]
  const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
  return { rider, driver, id }
}
const createChatMessage = (from: string, source: 'rider' | 'driver') => ({
  message: 'x'.repeat(1000),
  from,
  type: 'msg' as const,
  msgDate: 'today',
  msgTime: 'now',
  source,
})
const createTrackPoint = (at: number, status = 'ACCEPTED') =>
  ({ at, status: status as 'ACCEPTED', lat: -34.9, lng: -56.18 }) as const
/** Sends all requests at once and returns the number accepted. */
const sendConcurrently = async (
  count: number,
  send: (n: number) => Promise<ProbeResponse>,
): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
  return answers.filter(isAccepted).length
}

type BookingRequest = Awaited<ReturnType<ProbeContext['request']>>

/** Books and cancels until that is refused. Returns false when it never is. */
const cancelUntilRefused = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  request: BookingRequest,
): Promise<boolean> => {
  for (let round = 1; round <= 10; round++) {
    const booking_id = scene.createPushKey()
    const creation = await scene.call(rider, 'create_booking', { ...request, booking_id })
    if (creation.key === 'too_many_changes') return true
    await scene.call(rider, 'advance_booking', { booking_id, event: 'cancel', reason: 'Plans' })
  }
  return false
}

/** Saves a recurring booking whose first trip is in two hours, and runs the job that books it. */
const bookByRecurring = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  { pickup, drop, carType, deliveryPerson, deliveryPersonPhone }: BookingRequest,
): Promise<RecurringSeries | undefined> => {
  const timezone = ((await scene.database.get('settings/timezone')) as string | null) ?? 'UTC'
  const pickupTime = Date.now() + 2 * HOUR_MS
  const day = formatDay(pickupTime, timezone)
  const series_id = scene.createPushKey()
  const saved = await scene.call(rider, 'save_recurring', {
    ...{ series_id, pickup, drop, carType, deliveryPerson, deliveryPersonPhone },
    ...{
      days: [getWeekday(day)],
      time: formatTimeOfDay(pickupTime, timezone).slice(0, 5),
      from: day,
    },
    payment: 'cash',
  })
  if (!isAccepted(saved)) throw new Error(JSON.stringify(saved.body))
  await scene.call(await scene.signIn('seed-admin'), 'run_sweep', {})
  const record = (await scene.database.get(dbPaths.recurringFor(rider.uid))) as RecurringRecord
  return record.series?.[series_id]
}

export const rateLimitProbes = createProbes('rates', {
  'a rider who books and cancels in a loop is refused': async (scene) => {
    const rider = await scene.createUser()
    const isRefused = await cancelUntilRefused(scene, rider, await scene.request(rider))
    return isRefused ? undefined : 'ten bookings were made and canceled without a refusal'
  },

  'a rider who cancels in a loop gets no booking from a recurring one either': async (scene) => {
    const rider = await scene.createUser()
    // Afterwards the endpoint refuses before it tells the price.
    const request = await scene.request(rider)
    await cancelUntilRefused(scene, rider, request)
    const series = await bookByRecurring(scene, rider, request)
    const [problem] = Object.values(series?.problems ?? {})
    return firstProblem(
      Object.keys(series?.made ?? {}).length > 0 && 'the job made the booking',
      problem?.key !== 'too_many_changes' && `the job noted ${problem?.key ?? 'nothing'}`,
    )
  },

  'a driver gets one push a minute about amendments of a booking': async (scene) => {
    const { rider, driver, id } = await createAcceptedBooking(scene)
    const before = await countChildren(scene, `inbox/${driver.uid}`)
    for (let n = 1; n <= 8; n++)
      await scene.call(rider, 'advance_booking', {
        booking_id: id,
        event: 'amend',
        pickUpInstructions: `Gate ${n}`,
      })
    const pushes = (await countChildren(scene, `inbox/${driver.uid}`)) - before
    return pushes > 2 ? `${pushes} pushes about eight amendments` : undefined
  },

  'each party of a chat can send one message a second, however it is written': async (scene) => {
    const { rider, id } = await createAcceptedBooking(scene)
    const began = Date.now()
    await sendConcurrently(60, () =>
      scene.rest(
        rider,
        'PATCH',
        '',
        buildMessageUpdates(id, scene.createPushKey(), createChatMessage(rider.uid, 'rider')),
      ),
    )
    const bare = { ...createChatMessage(rider.uid, 'rider'), at: { '.sv': 'timestamp' } }
    const uncounted = await sendConcurrently(60, () =>
      scene.rest(rider, 'PUT', `chats/${id}/${scene.createPushKey()}`, bare),
    )
    const keys = Array.from({ length: 30 }, () => scene.createPushKey())
    const many: Record<string, DatabaseValue> = Object.assign(
      {},
      ...keys.map((key) => buildMessageUpdates(id, key, createChatMessage(rider.uid, 'rider'))),
    ) as Record<string, DatabaseValue>
    const together = await scene.rest(rider, 'PATCH', '', many)
    const seconds = Math.ceil((Date.now() - began) / 1000)
    const messageCount = await countChildren(scene, `chats/${id}`)
    return firstProblem(
      messageCount > seconds + 1 && `${messageCount} messages in ${seconds} s`,
      uncounted > 0 && `${uncounted} messages that were not named as the newest`,
      isAccepted(together) && 'thirty messages in one update',
    )
  },

  'many messages create one inbox entry': async (scene) => {
    const { rider, driver, id } = await createAcceptedBooking(scene)
    for (let n = 0; n < 3; n++) {
      const before = await countChildren(scene, `chats/${id}`)
      while ((await countChildren(scene, `chats/${id}`)) === before)
        await scene.rest(
          rider,
          'PATCH',
          '',
          buildMessageUpdates(id, scene.createPushKey(), createChatMessage(rider.uid, 'rider')),
        )
    }
    const about = async () =>
      Object.values(
        ((await scene.database.get(`inbox/${driver.uid}`)) ?? {}) as Record<
          string,
          { screen: string; booking_id?: string }
        >,
      ).filter(({ screen, booking_id }) => screen === 'onlineChat' && booking_id === id)
    // The trigger of a message runs a moment later.
    for (let tries = 0; tries < 300 && (await about()).length === 0; tries++)
      await scene.get('health')
    const { length } = await about()
    return length > 1 ? `${length} entries for one chat` : undefined
  },

  'a track accepts one position per second, however late and however many arrive': async (
    scene,
  ) => {
    const { driver, id } = await createAcceptedBooking(scene)
    const before = await countChildren(scene, `tracking/${id}`)
    const now = Date.now()
    const counted = await sendConcurrently(60, (n) =>
      scene.rest(
        driver,
        'PATCH',
        '',
        buildTrackPointUpdates(id, driver.uid, scene.createPushKey(), createTrackPoint(now + n)),
      ),
    )
    const uncounted = await sendConcurrently(60, (n) =>
      scene.rest(
        driver,
        'PUT',
        `tracking/${id}/${scene.createPushKey()}`,
        createTrackPoint(now + n),
      ),
    )
    const many: Record<string, DatabaseValue> = Object.assign(
      {},
      ...Array.from({ length: 30 }, (_, n) =>
        buildTrackPointUpdates(
          id,
          driver.uid,
          scene.createPushKey(),
          createTrackPoint(now + n * 1000),
        ),
      ),
    ) as Record<string, DatabaseValue>
    const together = await scene.rest(driver, 'PATCH', '', many)
    const ahead = await sendConcurrently(200, (n) =>
      scene.rest(
        driver,
        'PATCH',
        '',
        buildTrackPointUpdates(
          id,
          driver.uid,
          scene.createPushKey(),
          createTrackPoint(now + n * 1000),
        ),
      ),
    )
    const pointCount = (await countChildren(scene, `tracking/${id}`)) - before
    const most = Math.ceil((Date.now() - now) / 1000) + 61
    return firstProblem(
      counted > 1 && `${counted} positions of one second`,
      uncounted > 0 && `${uncounted} positions that were not named as the newest`,
      isAccepted(together) && 'thirty positions in one update',
      pointCount > most &&
        `${pointCount} positions (${ahead} of them ahead) within ${most} seconds`,
    )
  },

  'clients can create only short keys': async (scene) => {
    const { rider, driver, id } = await createAcceptedBooking(scene)
    const long = `-${'x'.repeat(299)}`
    const attempts = [
      [
        'chat',
        await scene.rest(
          rider,
          'PATCH',
          '',
          buildMessageUpdates(id, long, createChatMessage(rider.uid, 'rider')),
        ),
      ],
      [
        'tracking',
        await scene.rest(
          driver,
          'PATCH',
          '',
          buildTrackPointUpdates(id, driver.uid, long, createTrackPoint(Date.now())),
        ),
      ],
      [
        'booking',
        await scene.call(rider, 'create_booking', {
          ...(await scene.request(rider)),
          booking_id: long,
        }),
      ],
      ['withdraw', await scene.call(driver, 'request_withdraw', { withdraw_id: long, amount: 1 })],
      [
        'credit',
        await scene.call(await scene.signIn('seed-admin'), 'add_to_wallet', {
          credit_id: long,
          uid: rider.uid,
          amount: 1,
        }),
      ],
    ] as const
    const wrong = attempts.filter(([, result]) => isAccepted(result)).map(([name]) => name)
    return wrong.length > 0 ? `keys of 300 characters: ${wrong.join(', ')}` : undefined
  },

  'a rider has at most five open bookings, however many requests are concurrent': async (scene) => {
    const rider = await scene.createUser()
    const honest = await scene.request(rider)
    const createdCount = await sendConcurrently(30, () =>
      scene.call(rider, 'create_booking', { ...honest, booking_id: scene.createPushKey() }),
    )
    return createdCount > MAX_OPEN_BOOKINGS ? `${createdCount} open bookings` : undefined
  },

  'a rider with unpaid bookings cannot create another': async (scene) => {
    const rider = await scene.createUser()
    const route = [
      { event: 'accept' },
      { event: 'arrive', lat: -34.9055, lng: -56.1913 },
      { event: 'start' },
      { event: 'reach', lat: -34.8855, lng: -56.1813 },
      { event: 'finish' },
    ]
    const ridden: [SignedInAccount, string][] = []
    for (let n = 0; n < 2; n++) {
      const driver = await scene.createUser({ usertype: 'driver' })
      ridden.push([driver, (await scene.createBooking(rider, driver, ...route)).id])
    }
    const third = await scene.call(rider, 'create_booking', {
      ...(await scene.request(await scene.createUser())),
      booking_id: scene.createPushKey(),
    })
    for (const [driver, booking_id] of ridden)
      await scene.call(driver, 'advance_booking', { booking_id, event: 'collect' })
    return isAccepted(third) ? 'a third booking in addition to two unpaid ones' : undefined
  },

  'a signed-out caller cannot grow the list of payment attempts': async (scene) => {
    const rider = await scene.createUser()
    const { booking_id } = await scene.request(rider)
    const created = await scene.call(rider, 'create_booking', {
      ...(await scene.request(rider)),
      booking_id,
    })
    if (!isAccepted(created)) throw new Error(JSON.stringify(created.body))
    const attempts = async () =>
      Object.values(
        ((await scene.database.get('payments')) ?? {}) as Record<
          string,
          { booking_id?: string; booking?: string }
        >,
      ).filter((one) => JSON.stringify(one).includes(booking_id)).length
    for (let n = 0; n < 30; n++)
      await fetch(`${scene.urls.functions}/pay_test`, {
        method: 'POST',
        body: new URLSearchParams({ order_id: booking_id, cust_id: rider.uid, amount: '1' }),
        redirect: 'manual',
      })
    const grown = await attempts()
    return grown > 1 ? `${grown} attempts for one booking` : undefined
  },

  'thirty requests for a link to one booking create one link': async (scene) => {
    const { rider, id } = await createAcceptedBooking(scene)
    const acceptedCount = await sendConcurrently(30, () =>
      scene.call(rider, 'share_booking', { booking_id: id }),
    )
    const shares = (await scene.database.get('shares')) as Record<string, Share> | null
    const shareCount = Object.values(shares ?? {}).filter(
      ({ booking, by }) => booking === id && by === rider.uid,
    ).length
    return firstProblem(
      shareCount > 1 && `${shareCount} links to one booking`,
      (acceptedCount === 0 || shareCount === 0) && 'no link was created',
    )
  },

  'the distance matrix serves only signed-in callers and limits the pairs': async (scene) => {
    const pairs = {
      start: Array(25).fill('-34.9,-56.18').join('|'),
      dest: Array(25).fill('-34.88,-56.17').join('|'),
    }
    const endpoint = 'googleapis-getdistancematrix'
    const visitor = await scene.post(endpoint, pairs, {
      Authorization: `Basic ${btoa('kerbside:maps')}`,
    })
    const rider = await scene.createUser()
    const responses = await sendConcurrently(5, () =>
      scene.post(endpoint, pairs, { Authorization: `Bearer ${rider.token}` }),
    )
    return firstProblem(
      isAccepted(visitor) && 'a visitor got a response of the distance matrix',
      responses > 2 && `${responses * 625} pairs in a minute`,
    )
  },

  'all addresses of one IPv6 /64 count as one caller': async (scene) => {
    const network = `2001:db8:${(Date.now() % 0xffff).toString(16)}:7`
    const acceptedCount = await sendConcurrently(70, (n) =>
      scene.post(
        'check_user_exists',
        { mobile: '+15550000000' },
        { 'X-Forwarded-For': `${network}::${n.toString(16)}` },
      ),
    )
    // The one-minute window may end during these calls.
    return acceptedCount > 65 ? `${acceptedCount} of 70 calls with a limit of 60` : undefined
  },
  'a loop of calls does not use up the limit of a day': async (scene) => {
    const rider = await scene.createUser()
    for (let n = 0; n < 60; n++) await scene.call(rider, 'ask_help', {})
    const counters = (await scene.database.get(`rate_limits/ask_help/${rider.uid}`)) ?? {}
    const days = Object.entries(counters as Record<string, number>).filter(
      ([key]) => Number(key) < 1_000_000,
    )
    // The limit of a minute is 20; the loop may run into the next one.
    const counted = Math.max(0, ...days.map(([, count]) => count))
    return counted > 45 ? `${counted} of 60 calls count in the day` : undefined
  },
})
