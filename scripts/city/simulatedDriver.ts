import { equalTo, orderByChild } from 'firebase/database'
import { dbPaths } from '~/domain/data/databasePaths'
import { places } from '~/seed/places'
import type { Random } from '~/domain/data/seededRandom'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { advanceBooking } from './actions'
import {
  driveTo,
  driveWithoutBooking,
  goOffDuty,
  goOnDuty,
  type DriverState,
} from './driverMovement'
import type { SimulatedUser } from './simulatedUser'
import { roundPosition } from './routePositions'
import { chooseDroppedResponse, type Simulation } from './simulation'
import {
  OWN_EVENT_TIMEOUT_MS,
  subscribeToBooking,
  type BookingSubscription,
} from './bookingSubscription'
import { getVisitorPaymentMs } from './simulationPlan'
import { passStops } from './tripStops'
import { BUSY_STATUSES, type Booking } from '~/domain/booking/types'

/** At a faster pace, cruising cars would do nothing but request routes. */
const MAX_CRUISE_PACE = 300
/** Milliseconds of real time a driver waits for a rider who pays without them. */
const PAYMENT_TIMEOUT_MS = 90_000
/** Milliseconds of real time until a driver hears that the rider pays in cash after all. */
const AGREEMENT_INTERVAL_MS = 500

/**
 * Simulates one driver: goes on duty, cruises, accepts or declines offers, drives, gets paid,
 * withdraws, goes home.
 */
export const simulateDriver = async (
  simulation: Simulation,
  { person, random, carType }: { person: SimulatedUser; random: Random; carType: string },
): Promise<void> => {
  const start = random.pick(places)
  const driver: DriverState = {
    simulation,
    person,
    random,
    carType,
    position: { lat: start.lat, lng: start.lng },
    clockError: simulation.plan.faults && random.chance(0.1) ? random.integer(-3, 3) * HOUR_MS : 0,
    trackedAt: 0,
  }
  if (driver.clockError !== 0) simulation.recorder.mishap('clock wrong by hours')
  simulation.drivers.set(person.uid, { carType, place: driver.position })
  const tasks = new Set<string>()
  const forget = person.subscribe<Record<string, true>>(
    `driver_tasks/${person.uid}`,
    (response) => {
      tasks.clear()
      for (const id of Object.keys(response ?? {})) tasks.add(id)
    },
  )
  const forgetShift = person.subscribe<string>(`${dbPaths.user(person.uid)}/shift`, (shift) => {
    driver.shift = shift ?? undefined
  })
  try {
    await resumeBooking(driver)
    await goOnDuty(driver)
    // Drivers finish the bookings that are under way when the run closes.
    while (!simulation.isClosing() || simulation.recorder.underWay() > 0) {
      const task = [...tasks][0]
      if (task !== undefined) {
        tasks.delete(task)
        await answerOffer(driver, task)
      } else if (simulation.isClosing() || simulation.plan.pace > MAX_CRUISE_PACE)
        await simulation.waitReal(250)
      else await driveWithoutBooking(driver, () => tasks.size > 0)
    }
    await person.write('duty', goOffDuty(driver))
  } finally {
    forget()
    forgetShift()
  }
}

/** Resumes a booking from an earlier, interrupted run. */
const resumeBooking = async (driver: DriverState) => {
  const { person } = driver
  const mine = await person.read<Record<string, Booking>>(
    'bookings',
    orderByChild('driver'),
    equalTo(person.uid),
  )
  for (const [id, { status }] of Object.entries(mine ?? {}))
    if (BUSY_STATUSES.includes(status)) await driveBooking(driver, id)
}

/** Accepts an offer, declines it or lets it expire. */
const answerOffer = async (driver: DriverState, booking_id: string) => {
  const { simulation, person, random } = driver
  await simulation.waitSimulated(random.integer(2, 20))
  const { declines } = simulation.plan
  if (declines && random.chance(0.03)) return simulation.waitSimulated(60)
  const repeatedBy = random.chance(0.08) ? person : undefined
  const options = { ...chooseDroppedResponse(simulation.plan, random), repeatedBy }
  if (declines && random.chance(0.06))
    return void (await advanceBooking(
      simulation,
      person,
      { booking_id, event: 'decline' },
      options,
    ))
  const accepted = await advanceBooking(
    simulation,
    person,
    { booking_id, event: 'accept' },
    options,
  )
  if (accepted.ok) return driveBooking(driver, booking_id)
  if (accepted.error.key !== 'driver_wallet_negative') return
  // The driver has kept more cash than they earned and pays it in at the back office.
  const owed = await person.read<number>(dbPaths.walletBalance(person.uid))
  await simulation.office.creditWallet(person.uid, Math.ceil(-(owed ?? 0)) + 500)
  if ((await advanceBooking(simulation, person, { booking_id, event: 'accept' })).ok)
    await driveBooking(driver, booking_id)
}

const isCancelled = ({ status }: Booking) => status === 'CANCELLED'

/** Drives a booking from acceptance until the driver is available again. */
const driveBooking = async (driver: DriverState, booking_id: string): Promise<void> => {
  const { simulation, person } = driver
  const screen = subscribeToBooking(person, booking_id, simulation.signal)
  try {
    await screen.waitFor(
      (booking) => booking.driver === person.uid || isCancelled(booking),
      OWN_EVENT_TIMEOUT_MS,
    )
    await completeStages(driver, booking_id, screen)
  } finally {
    screen.unsubscribe()
  }
  await goOnDuty(driver)
  await withdrawSometimes(driver)
}

const completeStages = async (
  driver: DriverState,
  booking_id: string,
  screen: BookingSubscription,
): Promise<void> => {
  const { simulation, person, random, clockError } = driver
  const status = () => screen.getCurrent()?.status ?? 'CANCELLED'
  const options = () => ({
    ...chooseDroppedResponse(simulation.plan, random),
    repeatedBy: random.chance(0.06) ? person : undefined,
  })
  // The phone's clock is wrong, and the app does not know it.
  const clock = () => (clockError === 0 ? {} : { at: Date.now() + clockError })
  const booking = screen.getCurrent()
  if (!booking || isCancelled(booking)) return
  const isSimulatedRider = simulation.riders.has(booking.customer)
  if (isSimulatedRider && random.chance(0.03))
    return void (await releaseBooking(driver, booking_id))

  if (status() === 'ACCEPTED') {
    await driveTo(driver, booking.pickup, screen)
    if (status() === 'CANCELLED') return
    const here = roundPosition(booking.pickup)
    const arrived = await advanceBooking(
      simulation,
      person,
      { booking_id, event: 'arrive', ...here, ...clock() },
      options(),
    )
    if (!arrived.ok) return
    await screen.waitFor(({ status }) => status !== 'ACCEPTED', OWN_EVENT_TIMEOUT_MS)
  }
  if (status() === 'ARRIVED') {
    await simulation.waitSimulated(random.integer(20, 120))
    if (!(await startTrip(driver, booking_id, screen))) return
    await screen.waitFor(({ status }) => status !== 'ARRIVED', OWN_EVENT_TIMEOUT_MS)
  }
  if (status() === 'STARTED') {
    await passStops(driver, screen, (stop) => driveTo(driver, stop, screen))
    await driveTo(driver, booking.drop, screen)
    const here = roundPosition(booking.drop)
    await advanceBooking(
      simulation,
      person,
      { booking_id, event: 'reach', ...here, ...clock() },
      options(),
    )
    await screen.waitFor(({ status }) => status !== 'STARTED', OWN_EVENT_TIMEOUT_MS)
  }
  if (status() === 'REACHED') {
    await simulation.waitSimulated(random.integer(5, 60))
    await advanceBooking(simulation, person, { booking_id, event: 'finish', ...clock() }, options())
  }
  await collectPayment(driver, booking_id, screen)
}

/** Starts the drive with the code the rider says; some drivers mishear it. */
const startTrip = async (
  driver: DriverState,
  booking_id: string,
  screen: BookingSubscription,
): Promise<boolean> => {
  const { simulation, person, random } = driver
  const code = await simulation.getStartCode(booking_id)
  const start = (otp?: number) =>
    advanceBooking(simulation, person, {
      booking_id,
      event: 'start',
      ...(otp !== undefined && { otp }),
    })
  if (screen.getCurrent()?.otp && code === undefined) return releaseBooking(driver, booking_id)
  if (code !== undefined && random.chance(0.1)) {
    simulation.recorder.mishap('wrong code')
    await start(code === 10_000 ? 10_001 : code - 1)
  }
  const began = await start(code)
  if (began.ok) return true
  return screen.getCurrent()?.status === 'CANCELLED' ? false : releaseBooking(driver, booking_id)
}

const releaseBooking = async (
  { simulation, person }: DriverState,
  booking_id: string,
): Promise<false> => {
  const reason = 'The car broke down'
  await advanceBooking(simulation, person, { booking_id, event: 'release', reason })
  return false
}

const collectPayment = async (
  driver: DriverState,
  booking_id: string,
  screen: BookingSubscription,
): Promise<void> => {
  const { simulation, person, random } = driver
  const isDone = ({ status }: Booking) => status !== 'REACHED' && status !== 'PENDING'
  const pending = await screen.waitFor(
    (booking) => isDone(booking) || booking.status === 'PENDING',
    OWN_EVENT_TIMEOUT_MS,
  )
  if (!pending || isDone(pending)) return
  await simulation.waitSimulated(random.integer(5, 30))
  // A rider who is not simulated decides how to pay while the driver waits.
  const isVisitor = !simulation.riders.has(pending.customer)
  const maySelfPay = () =>
    isVisitor || simulation.spokenAgreements.get(booking_id)?.payment === 'in_app'
  const until = Date.now() + (isVisitor ? getVisitorPaymentMs(simulation.plan) : PAYMENT_TIMEOUT_MS)
  while (maySelfPay() && Date.now() < until)
    if (await screen.waitFor(isDone, Math.min(AGREEMENT_INTERVAL_MS, until - Date.now()))) return
  // If the rider has paid without the driver meanwhile, this is refused.
  const repeatedBy = random.chance(0.06) ? person : undefined
  await advanceBooking(simulation, person, { booking_id, event: 'collect' }, { repeatedBy })
}

/** Withdraws some of the money from time to time between two bookings. */
const withdrawSometimes = async ({ simulation, person, random }: DriverState): Promise<void> => {
  if (!random.chance(0.08)) return
  const balance = (await person.read<number>(dbPaths.walletBalance(person.uid))) ?? 0
  if (balance < 100) return
  const withdraw_id = person.createKey('withdraws')
  const amount = random.chance(0.1) ? balance + 1 : random.integer(50, Math.floor(balance))
  const response = await person.callWithRetry('request_withdraw', { withdraw_id, amount })
  if (!response.ok) return
  simulation.recorder.entered({ uid: person.uid, key: `${withdraw_id}-withdraw`, amount })
  if (random.chance(0.5)) await simulation.office.payWithdrawal(withdraw_id)
}
