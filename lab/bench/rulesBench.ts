import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import { referenceAt } from '~/domain/booking/search/reference'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { Actor } from '~/domain/booking/eventTypes'
import { buildAvailabilityUpdates } from '~/domain/dispatch/dispatch'
import { createPushKey } from '~/domain/data/pushKeys'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { getRoles } from '~/domain/access/roles'
import { buildMessageUpdates } from '~/domain/access/rateLimitedWrites'
import {
  aBooking,
  aVehicleType,
  aDriver,
  admin,
  aBookingRequest,
  aRider,
  aSettings,
  anEventContext,
  driver,
  NOON,
  rider,
} from '~/domain/testing/builders'
import { ROOT } from '~/scripts/local/build'
import { compareWithPeer, getMedian, type Measurement } from './measurement'
import {
  bundleStandIn,
  callRest,
  getNumber,
  setRules,
  startClient,
  startStandIn,
} from './measuredServers'
import type { EventInput } from '~/domain/booking/eventInput'
import type { EventContext } from '~/domain/booking/eventContext'
import type { Booking } from '~/domain/booking/types'

/** The last commit whose rules listed every field and read roles from the user record. */
const BASELINE_COMMIT = 'fe68e8e9243c24c108322ae79b28e8883e9dde68'
const RULES_FILE = 'database.rules.json'
const RUNS = 31
const WRITES = 200
const BUSY_BOOKING: Partial<Booking> = { status: 'ACCEPTED', driver: 'driver', accepted_at: NOON }

/** Returns the rules file of a commit, or undefined when the clone lacks that history. */
const readRulesOfCommit = (commit: string): string | undefined => {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:${RULES_FILE}`], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e7,
  })
  return status === 0 ? stdout : undefined
}

type Update = Record<string, DatabaseValue>
const toJson = (value: unknown): DatabaseValue => JSON.parse(JSON.stringify(value)) as DatabaseValue
/** Key of the available driver's car on the riders' map. */
const SHIFT_KEY = '-Nshift'
const SECOND_DRIVER = { id: 'second', carType: 'van', shift: SHIFT_KEY }
const createId = (kind: string, run: number, i: number): string => `-N${kind}${run}x${i}`

const computeUpdate = (
  booking: Booking | null,
  input: EventInput,
  actor: Actor,
  context: Partial<EventContext> = {},
): Update => {
  const change = applyBookingEvent(booking, input, {
    actor,
    context: anEventContext(context),
    now: NOON,
  })
  if (!change.ok) throw new Error(`The benchmark's ${input.event} was refused: ${change.error.key}`)
  return toJson(change.value.updates) as Update
}

/** Everyday writes of people and functions, each with a distinct path or value for every number. */
const MEASURED_WRITES: { name: string; uid: string; update: (run: number, i: number) => Update }[] =
  [
    {
      name: "a free driver's position",
      uid: 'second',
      update: (_, i) => {
        const place = { lat: -34.9 - i / 1e5, lng: -56.16 }
        return {
          'users/second/location': place,
          ...buildAvailabilityUpdates(SECOND_DRIVER, place, SHIFT_KEY),
        }
      },
    },
    {
      name: 'a booking made by a function',
      uid: FUNCTIONS_UID,
      update: (run, i) => {
        const request = aBookingRequest({ booking_id: createId('made', run, i) })
        const revision = run * WRITES + i
        return computeUpdate(null, { event: 'create', input: request }, rider, {
          openBookings: { open: 0, unpaid: 0, revision },
          reference: referenceAt(request.booking_id, 0),
        })
      },
    },
    {
      name: "a booking's transition by a function",
      uid: FUNCTIONS_UID,
      update: (run, i) => {
        const booking = aBooking({ ...BUSY_BOOKING, id: createId('ride', run, i) })
        return computeUpdate(booking, { event: 'arrive', lat: -34.9, lng: -56.19 }, driver)
      },
    },
    {
      name: 'a setting edited by an admin',
      uid: 'admin',
      update: (run, i) => ({ 'settings/bonus': (run * WRITES + i) % 100 }),
    },
    {
      name: 'a chat message',
      uid: 'rider',
      // Each message is in a separate chat, because a chat accepts one message a second.
      update: (run, i) =>
        buildMessageUpdates(createId('ride', run, i), createPushKey(NOON, run * WRITES + i), {
          ...{ message: 'I am at the door', from: 'rider', type: 'msg', source: 'rider' },
          ...{ msgDate: '20 November', msgTime: '12:00' },
        }),
    },
  ]

/** Matches paths that the baseline rules did not know. */
const NEW_PATHS = /^(booking_contacts|open_bookings|nearby_cars|newest)\/|^users\/[^/]+\/shift$/
const CONTACTS = { customer_contact: '+15555550199', customer_email: 'rider@kerbside.example' }
/** Returns a booking as the baseline stored it: with its contacts, without route and currency. */
const toBaselineBooking = ({
  route: _route,
  currency: _currency,
  ...booking
}: Partial<Booking>) => ({
  ...booking,
  ...CONTACTS,
})
/** Returns the same write as the baseline made it. */
const toBaselineUpdate = (update: Update): Update =>
  Object.fromEntries(
    Object.entries(update)
      .filter(([path]) => !NEW_PATHS.test(path))
      .map(([path, value]) => [
        path,
        /^bookings\/[^/]+$/.test(path)
          ? toJson(toBaselineBooking(value as Partial<Booking>))
          : value,
      ]),
  )

/** Returns a platform that allows all these writes, in the current or the baseline form. */
const createWorld = (ns: 'here' | 'peer'): string => {
  const users = {
    rider: aRider(),
    driver: aDriver({ queue: true }),
    second: aDriver(SECOND_DRIVER),
    admin: aRider({ id: admin.uid, usertype: 'admin' }),
  }
  const rides = Array.from({ length: RUNS * WRITES }, (_, at) =>
    aBooking({ ...BUSY_BOOKING, id: createId('ride', Math.floor(at / WRITES), at % WRITES) }),
  )
  return JSON.stringify({
    users,
    roles: getRoles(users),
    settings: aSettings(),
    cartypes: { van: aVehicleType() },
    bookings: Object.fromEntries(
      rides.map((booking) => [booking.id, ns === 'here' ? booking : toBaselineBooking(booking)]),
    ),
  })
}

const findLongestRule = (rules: object): number =>
  Math.max(
    0,
    ...Object.values(rules).map((value: unknown) =>
      typeof value === 'string'
        ? value.length
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? findLongestRule(value)
          : 0,
    ),
  )

/** A write may take a quarter longer than under the baseline rules. */
const boundRatio = (ratio: number) => ({ bound: '≥ 0.8× the rules before', met: ratio >= 0.8 })

interface RulesTexts {
  here: string
  peer: string | undefined
}
const measureBoth = ({ here, peer }: RulesTexts, measure: (text: string) => number) => ({
  here: measure(here),
  peer: peer === undefined ? undefined : measure(peer),
})

/**
 * Compares the cost of a write under the current and the baseline rules, alternately in the same
 * process.
 */
export const benchRules = async (say: (line: string) => void): Promise<Measurement[]> => {
  const texts: RulesTexts = {
    here: readFileSync(join(ROOT, RULES_FILE), 'utf8'),
    peer: readRulesOfCommit(BASELINE_COMMIT),
  }
  if (texts.peer === undefined)
    say(`Commit ${BASELINE_COMMIT} is not in this copy, so there are no ratios.`)
  await bundleStandIn()
  const server = await startStandIn()
  const client = startClient(server)
  const sides = (['here', 'peer'] as const).filter((side) => texts[side] !== undefined)
  /** Each side goes first equally often, so that a warm cache favors neither. */
  const inTurn = (run: number) => (run % 2 === 0 ? sides : sides.toReversed())
  const loaded = { here: [] as number[], peer: [] as number[] }
  try {
    for (let run = 0; run < RUNS; run++)
      for (const ns of inTurn(run)) {
        const began = performance.now()
        await setRules(server, ns, texts[ns] ?? '')
        loaded[ns].push(performance.now() - began)
      }
    const headers = { Authorization: 'Bearer owner' }
    for (const ns of sides)
      await callRest(server, `/.json?print=silent&ns=${ns}`, {
        method: 'PUT',
        headers,
        body: createWorld(ns),
      })
    say('Writing under both rules …')
    const figures: Measurement[] = []
    for (const { name, uid, update } of MEASURED_WRITES) {
      const times = { here: [] as number[], peer: [] as number[] }
      for (let run = 0; run < RUNS; run++) {
        const updates = Array.from({ length: WRITES }, (_, i) => update(run, i))
        for (const ns of inTurn(run)) {
          const written = ns === 'here' ? updates : updates.map(toBaselineUpdate)
          const measured = await client.measure({ scenario: 'updates', ns, uid, updates: written })
          if (getNumber(measured, 'refused') > 0)
            throw new Error(
              `The rules refused ${name}. Run \`npm run generate\`, then the benchmark again.`,
            )
          times[ns].push(getNumber(measured, 'microseconds'))
        }
      }
      const ratios = times.peer.map((before, run) => before / (times.here[run] ?? Number.NaN))
      const figure: Measurement = { name, unit: 'µs', here: getMedian(times.here) }
      figures.push(
        ratios.length === 0
          ? figure
          : {
              ...figure,
              peer: getMedian(times.peer),
              ratio: getMedian(ratios),
              ...boundRatio(getMedian(ratios)),
            },
      )
    }
    const kilobytes = measureBoth(texts, (text) => Buffer.byteLength(text) / 1000)
    const longest = measureBoth(texts, (text) => findLongestRule(JSON.parse(text) as object))
    return [
      ...figures,
      compareWithPeer('cost', 'the rules file', 'kB', kilobytes, 2),
      compareWithPeer('cost', '  its longest condition', 'characters', longest),
      compareWithPeer('cost', '  until the stand-in has loaded it', 'ms', {
        here: getMedian(loaded.here),
        peer: sides.includes('peer') ? getMedian(loaded.peer) : undefined,
      }),
    ]
  } finally {
    await client.stop()
    await server.stop()
  }
}
