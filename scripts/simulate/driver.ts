import { equalTo, orderByChild } from 'firebase/database'
import { BUSY_STATUSES } from '~/domain/invariants'
import { listing } from '~/domain/dispatch'
import type { Booking, LatLng } from '~/domain/entities'
import { at } from '~/domain/paths'
import { places } from '~/seed/places'
import type { Random } from '~/domain/testing/random'
import { advance } from './deeds'
import type { Person, Way } from './person'
import { rounded, stepsAlong } from './road'
import { chanceOfLoss, deafness, lossMs, type Town } from './town'
import { watch, type Watched } from './watching'

const HOUR = 3_600_000
/** Between two places a car tells, ms of ours. */
const TELL_MS = 1000
/** Faster than this, cars that drive about would only ask for routes. */
const FASTEST_CRUISE = 300
/** So long a driver waits for a rider who pays by himself, ms of ours. */
const PAYING_MS = 90_000
/** So long at most until his own step is on his screen, ms of ours. */
const SEEN_MS = 90_000

interface Driver {
  town: Town
  person: Person
  random: Random
  carType: string
  place: LatLng
  /** How wrong his phone's clock is, ms. */
  clockError: number
}

/** One driver: goes on duty, drives about, is asked, accepts or not, drives, is paid, withdraws, goes home. */
export const driverLife = async (
  town: Town,
  { person, random, carType }: { person: Person; random: Random; carType: string },
): Promise<void> => {
  const start = random.pick(places)
  const driver: Driver = {
    town,
    person,
    random,
    carType,
    place: { lat: start.lat, lng: start.lng },
    clockError: town.plan.faults && random.chance(0.1) ? random.whole(-3, 3) * HOUR : 0,
  }
  if (driver.clockError !== 0) town.observed.mishap('clock wrong by hours')
  town.drivers.set(person.uid, { carType, place: driver.place })
  const tasks = new Set<string>()
  const forget = person.hear<Record<string, true>>(`driver_tasks/${person.uid}`, (asked) => {
    tasks.clear()
    for (const id of Object.keys(asked ?? {})) tasks.add(id)
  })
  try {
    await resume(driver)
    await goOnDuty(driver)
    // Whoever is under way when the town closes is driven home first.
    while (!town.isClosing() || town.observed.underWay() > 0) {
      const task = [...tasks][0]
      if (task !== undefined) {
        tasks.delete(task)
        await consider(driver, task)
      } else if (town.isClosing() || town.plan.pace > FASTEST_CRUISE) await town.idle(250)
      else await roam(driver, () => tasks.size > 0)
    }
    await person.write('duty', goHome(person.uid))
  } finally {
    forget()
  }
}

const tell = (driver: Driver, place: LatLng) => {
  driver.place = place
  driver.town.drivers.set(driver.person.uid, { carType: driver.carType, place })
}

/** Where he is, and while he is free his line among the available drivers: one write, as the rules want it. */
const placeOf = ({ person, carType }: Driver, place: LatLng, isFree: boolean) => ({
  [`${at.user(person.uid)}/location`]: place,
  ...(isFree && {
    [at.available(person.uid)]: {
      ...listing({ carType, location: place }, 0),
      at: { '.sv': 'timestamp' },
    },
  }),
})
const goOnDuty = (driver: Driver) =>
  driver.person.write('duty', {
    [`${at.user(driver.person.uid)}/driverActiveStatus`]: true,
    ...placeOf(driver, driver.place, true),
  })
const goHome = (uid: string) => ({
  [`${at.user(uid)}/driverActiveStatus`]: false,
  [at.available(uid)]: null,
})

/** A booking that an earlier, interrupted run left him with. */
const resume = async (driver: Driver) => {
  const { person } = driver
  const mine = await person.read<Record<string, Booking>>(
    'bookings',
    orderByChild('driver'),
    equalTo(person.uid),
  )
  for (const [id, { status }] of Object.entries(mine ?? {}))
    if (BUSY_STATUSES.includes(status)) await drive(driver, id)
}

/** Drives about without a booking, until somebody asks. */
const roam = async (driver: Driver, isAsked: () => boolean) => {
  const { town, person, random } = driver
  if (random.chance(0.02)) {
    await person.write('duty', goHome(person.uid))
    await town.rest(random.whole(60, 600))
    await goOnDuty(driver)
  }
  if (random.chance(chanceOfLoss(town.plan) / 4))
    await person.loseNetwork(lossMs(town.plan, random))
  const to = random.pick(places)
  const way = await person.directions(driver.place, to)
  if (!way) return town.rest(30)
  await move(driver, way, {
    isFree: true,
    stops: () => isAsked() || town.isClosing(),
  })
}

interface Moving {
  isFree: boolean
  stops: () => boolean
  /** Says at each place where he is, for who waits for him. */
  track?: (place: LatLng) => Promise<unknown>
}

const move = async (driver: Driver, way: Way, { isFree, stops, track }: Moving): Promise<void> => {
  const { town, person } = driver
  const ms = (way.time_in_secs * 1000) / town.plan.pace
  const count = Math.min(600, Math.max(2, Math.round(ms / TELL_MS)))
  for (const place of stepsAlong(way.coords, count)) {
    await town.rest(way.time_in_secs / count)
    if (stops()) return
    tell(driver, place)
    await person.write('place', placeOf(driver, place, isFree))
    await track?.(place)
  }
}

/** He has been asked: he accepts, declines, or lets it pass. */
const consider = async (driver: Driver, booking_id: string) => {
  const { town, person, random } = driver
  await town.rest(random.whole(2, 20))
  if (random.chance(0.03)) return town.rest(60)
  const twiceBy = random.chance(0.08) ? person : undefined
  const manner = { ...deafness(town.plan, random), twiceBy }
  if (random.chance(0.06))
    return void (await advance(town, person, { booking_id, event: 'decline' }, manner))
  const accepted = await advance(town, person, { booking_id, event: 'accept' }, manner)
  if (accepted.ok) return drive(driver, booking_id)
  if (accepted.error.key !== 'driver_wallet_negative') return
  // He has kept more cash than he has earned: he brings it to the office.
  const owed = await person.read<number>(at.wallet(person.uid))
  await town.office.credit(person.uid, Math.ceil(-(owed ?? 0)) + 500)
  if ((await advance(town, person, { booking_id, event: 'accept' })).ok)
    await drive(driver, booking_id)
}

const isCancelled = ({ status }: Booking) => status === 'CANCELLED'

/** From accepting to being free again. */
const drive = async (driver: Driver, booking_id: string): Promise<void> => {
  const { town, person } = driver
  const screen = watch(person, booking_id, town.signal)
  try {
    await screen.until((booking) => booking.driver === person.uid || isCancelled(booking), SEEN_MS)
    await stages(driver, booking_id, screen)
  } finally {
    screen.end()
  }
  await goOnDuty(driver)
  await afterwards(driver)
}

const stages = async (driver: Driver, booking_id: string, screen: Watched): Promise<void> => {
  const { town, person, random, clockError } = driver
  const status = () => screen.now()?.status ?? 'CANCELLED'
  const manner = () => ({
    ...deafness(town.plan, random),
    twiceBy: random.chance(0.06) ? person : undefined,
  })
  // A phone whose clock is wrong, and an app that does not know it.
  const clock = () => (clockError === 0 ? {} : { at: Date.now() + clockError })
  const booking = screen.now()
  if (!booking || isCancelled(booking)) return
  if (random.chance(0.03)) return void (await giveUp(driver, booking_id))

  if (status() === 'ACCEPTED') {
    await travel(driver, booking.pickup, screen)
    if (status() === 'CANCELLED') return
    const here = rounded(booking.pickup)
    const arrived = await advance(
      town,
      person,
      { booking_id, event: 'arrive', ...here, ...clock() },
      manner(),
    )
    if (!arrived.ok) return
    await screen.until(({ status }) => status !== 'ACCEPTED', SEEN_MS)
  }
  if (status() === 'ARRIVED') {
    await town.rest(random.whole(20, 120))
    if (!(await begin(driver, booking_id, screen))) return
    await screen.until(({ status }) => status !== 'ARRIVED', SEEN_MS)
  }
  if (status() === 'STARTED') {
    await travel(driver, booking.drop, screen)
    const here = rounded(booking.drop)
    await advance(town, person, { booking_id, event: 'reach', ...here, ...clock() }, manner())
    await screen.until(({ status }) => status !== 'STARTED', SEEN_MS)
  }
  if (status() === 'REACHED') {
    await town.rest(random.whole(5, 60))
    await advance(town, person, { booking_id, event: 'finish', ...clock() }, manner())
  }
  await getPaid(driver, booking_id, screen)
}

/** The trip begins with the code the rider tells; some ears hear another one. */
const begin = async (driver: Driver, booking_id: string, screen: Watched): Promise<boolean> => {
  const { town, person, random } = driver
  const { code } = town.spoken.get(booking_id) ?? {}
  const start = (otp?: number) =>
    advance(town, person, { booking_id, event: 'start', ...(otp !== undefined && { otp }) })
  if (screen.now()?.otp && code === undefined) return giveUp(driver, booking_id)
  if (code !== undefined && random.chance(0.1)) {
    town.observed.mishap('wrong code')
    await start(code === 10_000 ? 10_001 : code - 1)
  }
  const began = await start(code)
  if (began.ok) return true
  return screen.now()?.status === 'CANCELLED' ? false : giveUp(driver, booking_id)
}

const giveUp = async ({ town, person }: Driver, booking_id: string): Promise<false> => {
  const reason = 'The car broke down'
  await advance(town, person, { booking_id, event: 'cancel', reason })
  return false
}

const getPaid = async (driver: Driver, booking_id: string, screen: Watched): Promise<void> => {
  const { town, person, random } = driver
  const isDone = ({ status }: Booking) => status !== 'REACHED' && status !== 'PENDING'
  const pending = await screen.until(
    (booking) => isDone(booking) || booking.status === 'PENDING',
    SEEN_MS,
  )
  if (!pending || isDone(pending)) return
  await town.rest(random.whole(5, 30))
  if (town.spoken.get(booking_id)?.pays === 'by himself' && (await screen.until(isDone, PAYING_MS)))
    return
  // The rider who paid by himself meanwhile has the last word: then this is refused.
  const twiceBy = random.chance(0.06) ? person : undefined
  await advance(town, person, { booking_id, event: 'collect' }, { twiceBy })
}

const travel = async (driver: Driver, to: LatLng, screen: Watched): Promise<void> => {
  const { town, person, random, clockError } = driver
  const way = await person.directions(driver.place, to)
  const id = screen.now()?.id
  if (!way || id === undefined) return tell(driver, rounded(to))
  if (random.chance(chanceOfLoss(town.plan))) void person.loseNetwork(lossMs(town.plan, random))
  await move(driver, way, {
    isFree: false,
    stops: () => screen.now()?.status === 'CANCELLED',
    track: (place) =>
      person.write('tracking', {
        [`${at.tracking(id)}/${person.newKey(at.tracking(id))}`]: {
          ...place,
          at: Date.now() + clockError,
          status: screen.now()?.status ?? 'ACCEPTED',
        },
      }),
  })
}

/** Between two bookings: now and then some of the money is taken home. */
const afterwards = async ({ town, person, random }: Driver): Promise<void> => {
  if (!random.chance(0.08)) return
  const balance = (await person.read<number>(at.wallet(person.uid))) ?? 0
  if (balance < 100) return
  const withdraw_id = person.newKey('withdraws')
  const amount = random.chance(0.1) ? balance + 1 : random.whole(50, Math.floor(balance))
  const asked = await person.insist('request_withdraw', { withdraw_id, amount })
  if (!asked.ok) return
  town.observed.entered({ uid: person.uid, key: `${withdraw_id}-withdraw`, amount })
  if (random.chance(0.5)) await town.office.payOut(withdraw_id)
}
