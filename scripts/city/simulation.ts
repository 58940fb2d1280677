import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '~/domain/data/seededRandom'
import type { SimulationEnvironment, SimulatedUser } from './simulatedUser'
import { isLongRun, type SimulationPlan } from './simulationPlan'
import type { Booking } from '~/domain/booking/types'
import type { CancellationReason, Promo, Settings, VehicleType } from '~/domain/catalog/types'
import type { LatLng } from '~/domain/geo/types'
import type { Milliseconds, Seconds } from '~/domain/language/units'

/**
 * Information that rider and driver exchange in person; the database does not give it to the other
 * one.
 */
interface SpokenAgreement {
  /** The code that the rider tells the driver. */
  code?: number
  /** How the rest of the fare is paid after arrival. */
  payment?: 'cash' | 'in_app'
}

/** The state that all simulated people share. */
export interface Simulation extends SimulationEnvironment {
  plan: SimulationPlan
  settings: Settings
  /** Vehicle types that the simulated drivers drive. */
  carTypes: readonly VehicleType[]
  promos: readonly Promo[]
  cancellationReasons: readonly CancellationReason[]
  /** Agreements by booking id. */
  spokenAgreements: Map<string, SpokenAgreement>
  /** The simulated riders. A live city also serves the bookings of others. */
  riders: Set<string>
  /** Returns true for a booking whose driver the simulated back office chooses. */
  isServed(booking: Booking): boolean
  /** Returns the code that the rider tells the driver at the door. */
  getStartCode(booking_id: string): Promise<number | undefined>
  /** Position and vehicle type of each simulated driver. */
  drivers: Map<string, { carType: string; place: LatLng }>
  /**
   * Takes one of the bookings the plan allows; returns false when none is left or the time is up.
   */
  takeBooking(): boolean
  /** Returns true when riders make no new bookings and all people finish and go home. */
  isClosing(): boolean
  /**
   * Waits for this many simulated seconds at the plan's pace; hardly at all once the run is
   * closing.
   */
  waitSimulated(seconds: Seconds): Promise<void>
  /** Waits for milliseconds of real time, at any pace. */
  waitReal(ms: Milliseconds): Promise<void>
  office: Office
}

/** Requests that people can make to the back office by phone. */
export interface Office {
  /** The admin on the phone: admins take calls in turn, so that none exceeds their rate limit. */
  readonly person: SimulatedUser
  /** Credits a wallet. */
  creditWallet(uid: string, amount: number): Promise<void>
  /** Pays out a withdrawal. */
  payWithdrawal(withdraw: string): Promise<void>
}

const CLOSING_SLICE_MS = 50

export const createSimulatedWait =
  ({
    plan,
    signal,
    isClosing,
  }: Pick<Simulation, 'plan' | 'signal' | 'isClosing'>): Simulation['waitSimulated'] =>
  async (seconds) => {
    let left = (seconds * 1000) / plan.pace
    // Waits in slices, so that it notices closing time.
    while (left > 0) {
      const slice = Math.min(left, 1000)
      await pause(isClosing() ? Math.min(slice, CLOSING_SLICE_MS) : slice, undefined, { signal })
      left = isClosing() ? 0 : left - slice
    }
  }

/** Returns the probability of a lost network, which is higher with faults. */
export const getDisconnectChance = ({ faults }: SimulationPlan): number => (faults ? 0.25 : 0.08)

/**
 * Returns a network outage in ms: up to a minute with faults, a few seconds without, scaled by the
 * plan’s pace, but at least what a socket needs. In a long run with faults, some last a whole
 * minute of real time.
 */
export const chooseDisconnectMs = (plan: SimulationPlan, random: Random): Milliseconds => {
  const { faults, pace } = plan
  return faults && isLongRun(plan) && random.chance(0.01)
    ? 60_000
    : Math.max(300, (random.integer(2, faults ? 60 : 10) * 1000) / Math.max(1, pace / 10))
}

/** Returns options with which the phone sometimes stops waiting before the response arrives. */
export const chooseDroppedResponse = (
  plan: SimulationPlan,
  random: Random,
): { dropResponseAfter?: number } =>
  random.chance(plan.faults ? 0.1 : 0.03) ? { dropResponseAfter: random.integer(2, 60) } : {}
