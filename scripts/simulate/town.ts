import { setTimeout as pause } from 'node:timers/promises'
import type { CancelReason, CarType, LatLng, Promo, Settings } from '~/domain/entities'
import type { Random } from '~/domain/testing/random'
import type { City, Person } from './person'
import { isLong, type Plan } from './plan'

/** What rider and driver tell each other beside the car: nothing of it is in the database for the other one. */
interface Spoken {
  /** The code the rider tells the driver. */
  code?: number
  /** Who sees to the rest of the fare after the trip. */
  pays?: 'cash' | 'by himself'
}

/** Everything a simulated person knows and shares. */
export interface Town extends City {
  plan: Plan
  settings: Settings
  /** Those that the simulated drivers drive. */
  carTypes: readonly CarType[]
  promos: readonly Promo[]
  reasons: readonly CancelReason[]
  /** By booking. */
  spoken: Map<string, Spoken>
  riders: Set<string>
  /** Where each simulated driver is and what he drives. */
  drivers: Map<string, { carType: string; place: LatLng }>
  /** Takes one of the bookings the plan allows; false when there are none left or the time is up. */
  begins(): boolean
  /** No new bookings are made: everybody finishes and goes home. */
  isClosing(): boolean
  /** So many seconds of life, at the plan's pace; hardly any once the town is closing. */
  rest(seconds: number): Promise<void>
  /** So many milliseconds of ours, at any pace. */
  idle(ms: number): Promise<void>
  office: Office
}

/** What one can ask the back office by phone. */
export interface Office {
  /** Who is on the phone: each call is taken by the next, so that nobody is asked more than he may do. */
  readonly person: Person
  /** Credits a wallet. */
  credit(uid: string, amount: number): Promise<void>
  /** Pays a withdraw request out. */
  payOut(withdraw: string): Promise<void>
}

const CLOSING_MS = 50

export const resting =
  ({ plan, signal, isClosing }: Pick<Town, 'plan' | 'signal' | 'isClosing'>): Town['rest'] =>
  async (seconds) => {
    let left = (seconds * 1000) / plan.pace
    // In slices, so that closing time is noticed.
    while (left > 0) {
      const slice = Math.min(left, 1000)
      await pause(isClosing() ? Math.min(slice, CLOSING_MS) : slice, undefined, { signal })
      left = isClosing() ? 0 : left - slice
    }
  }

/** How often a network fails on its own, and with faults. */
export const chanceOfLoss = ({ faults }: Plan): number => (faults ? 0.25 : 0.08)

/**
 * Up to a minute with faults, a few seconds without; at the plan's pace, but never shorter than a socket needs. In a long
 * run with faults some are a whole minute of ours, whatever the pace.
 */
export const lossMs = (plan: Plan, random: Random): number => {
  const { faults, pace } = plan
  return faults && isLong(plan) && random.chance(0.01)
    ? 60_000
    : Math.max(300, (random.whole(2, faults ? 60 : 10) * 1000) / Math.max(1, pace / 10))
}

/** Sometimes the phone stops listening before the answer is there. */
export const deafness = (plan: Plan, random: Random): { deafAfter?: number } =>
  random.chance(plan.faults ? 0.1 : 0.03) ? { deafAfter: random.whole(2, 60) } : {}
