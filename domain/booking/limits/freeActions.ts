import type { DatabaseValue } from '../../data/databaseValue'
import { domainError, type DomainError } from '../../api/errors'
import { internalPaths } from '../../data/internalPaths'
import { HOUR_MS, MINUTE_MS } from '../../language/timeUnits'
import { AMENDED_PUSH_INTERVAL_MS } from './amendmentNotice'
import type { Booking } from '../types'

/**
 * Cancellations without a fee and amendments of a rider. Both cost the rider nothing, and each one
 * rings a driver.
 */
export const FREE_ACTIONS = ['cancel', 'amend'] as const
export type FreeAction = (typeof FREE_ACTIONS)[number]
export type HourlyLimits = Record<FreeAction, number>
/** Limits of an hour without a setting: more than a person who changes their mind needs. */
export const DEFAULT_HOURLY_LIMITS: HourlyLimits = { cancel: 5, amend: 20 }

/** The times (ms) of a rider's latest free actions, at internal/free_actions/{uid}. */
export interface FreeActionTimes extends Partial<Record<FreeAction, number[]>> {
  /** Time at which the record may be removed, ms. */
  due: number
  revision: number
}

/** A rider's free actions, and the office's limits; null when the actor is not the rider. */
export interface FreeActions {
  times: FreeActionTimes | null
  limits: Partial<HourlyLimits>
}

/** Milliseconds for which earlier cancellations delay the offers of the next booking. */
const MEMORY_MS = 3 * HOUR_MS
/** Cancellations that delay nothing, because people change their minds. */
const UNDELAYED_CANCELLATIONS = 2
const FIRST_DELAY_MS = MINUTE_MS / 2
const LONGEST_DELAY_MS = 10 * MINUTE_MS

const findSince = (freeActions: FreeActions | null, action: FreeAction, since: number): number[] =>
  (freeActions?.times?.[action] ?? []).filter((at) => at > since).sort((a, b) => a - b)

/**
 * Returns too_many_changes with the minutes until the action is possible again, or undefined. A
 * booking is refused instead of its cancellation, because no rider must wait for a car that they do
 * not want.
 */
export const checkFreeActions = (
  freeActions: FreeActions | null,
  action: FreeAction,
  now: number,
): DomainError | undefined => {
  if (!freeActions) return undefined
  const limit = freeActions.limits[action] ?? DEFAULT_HOURLY_LIMITS[action]
  const times = findSince(freeActions, action, now - HOUR_MS)
  if (times.length < limit) return undefined
  const ends = (times[times.length - limit] ?? now) + HOUR_MS
  return domainError('too_many_changes', undefined, {
    minutes: Math.max(1, Math.ceil((ends - now) / MINUTE_MS)),
  })
}

/**
 * Returns the update that counts an action. The rules refuse it after another count, and the action
 * is then decided again.
 */
export const countFreeAction = (
  customer: string,
  freeActions: FreeActions | null,
  action: FreeAction,
  now: number,
): Record<string, DatabaseValue> => {
  if (!freeActions) return {}
  const listRecent = (one: FreeAction) => findSince(freeActions, one, now - MEMORY_MS)
  const [cancel, amend] = [listRecent('cancel'), listRecent('amend')]
  ;(action === 'cancel' ? cancel : amend).push(now)
  return {
    [internalPaths.freeActions(customer)]: {
      ...(cancel.length > 0 && { cancel }),
      ...(amend.length > 0 && { amend }),
      due: now + MEMORY_MS,
      revision: (freeActions.times?.revision ?? 0) + 1,
    },
  }
}

/**
 * Returns the milliseconds for which a new booking is offered to no driver: none for a rider who
 * seldom cancels, and twice as long with each further cancellation.
 */
export const getOfferDelay = (freeActions: FreeActions | null, now: number): number => {
  const extra = findSince(freeActions, 'cancel', now - MEMORY_MS).length - UNDELAYED_CANCELLATIONS
  return extra <= 0 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (extra - 1))
}

/**
 * Returns the time (ms) before which no driver is asked about a booking that its rider amends, or
 * undefined without a wait. It is a minute after the last offer, so that amendments do not ring a
 * driver again and again, and an earlier wait of the booking stays.
 */
export const getNextOffersTime = (
  { askedDrivers = {}, offers_from = 0 }: Pick<Booking, 'askedDrivers' | 'offers_from'>,
  freeActions: FreeActions | null,
  now: number,
): number | undefined => {
  if (!freeActions) return undefined
  const askedAt = Math.max(0, ...Object.values(askedDrivers))
  const next = Math.max(
    offers_from,
    askedAt + AMENDED_PUSH_INTERVAL_MS,
    now + getOfferDelay(freeActions, now),
  )
  return next > now ? next : undefined
}
