import * as v from 'valibot'
import type { DomainError } from '../../api/errors'
import type { ErrorKey } from '../../api/errorKeys'
import { latitude, longitude, text, time } from '../../api/inputFields'
import type { ContextPart } from '../eventContext'
import type { Actor } from '../eventTypes'
import { MAX_STOPS } from '../limits/limits'
import type { Booking, EventLogEntry, Status } from '../types'
import type { Settings } from '../../catalog/types'
import type { UserType } from '../../access/types'

/**
 * One event of the booking lifecycle: its senders and statuses, what it reads, and its refusals.
 * Everything else about events is derived from it: the table of transitions, buttons, rules, the
 * endpoint's input and errors, and documents. `run.ts` beside it has its effects.
 */
export interface EventDefinition {
  from: readonly (Status | 'none')[]
  /** Every possible resulting status; the effects decide which. */
  to: readonly Status[]
  /** Returns false for a pair of `from` and `to` that cannot happen. */
  isResultPossible?: (from: Status | 'none', to: Status) => boolean
  /** `system` is a job, the dispatcher or a payment provider's verified webhook. */
  by: readonly (UserType | 'system')[]
  /**
   * The key of its log entry. By default the event's name, because it happens once on a booking.
   * Others add the revision, or the status they start from. With `perRevisionAfterFirst`, the first
   * entry has a plain key, because most bookings have no second.
   */
  logKey?: 'perRevision' | 'perRevisionAfterFirst' | 'perStatus'
  /** The statuses in which the office's lists offer it; by default all of `from`. */
  officeFrom?: readonly Status[]
  /** True when the event keeps the booking's status. */
  isStatusKept?: true
  /** True when drivers with an offer send it; otherwise only the booking's driver does. */
  isForAskedDrivers?: true
  /**
   * True for a step of the driver that the office can record too. When the driver's own step comes
   * later, as their phone was offline, it is a repeat.
   */
  isTripStep?: true
  /** True when a driver may repeat it who is no longer a party of the booking. */
  mayFormerDriverRepeat?: true
  /** Returns true when automatic dispatch goes on at once with a booking that then waits. */
  startsDispatch?: (input: never) => boolean
  /** True when the search for a driver goes on after the time of its offers, and not at once. */
  pausesSearch?: true
  /**
   * The fields of the request, besides the booking and the event. Missing when people do not send
   * the event through the endpoint of all events.
   */
  input?: v.ObjectEntries
  /** The type of what its effects get, if that is not only what people send. */
  ownInput?: object
  /** The parts of the context that its effects read, besides the settings. */
  needs: readonly ContextPart[]
  /** The refusals of its own, besides those of every event. */
  errors: readonly ErrorKey[]
  /** Returns false when the button has no use although the status allows the event. */
  isAvailable?: (
    booking: Booking,
    actor: Actor,
    settings: Pick<Settings, 'autoDispatch'> | undefined,
  ) => boolean
  /** Returns a refusal that comes before the one for a wrong status. */
  findRefusal?: (booking: Booking, actor: Actor, input: never) => DomainError | undefined
  /**
   * Finds the entry of the same event when this is a repeat (a double tap, a lost response), among
   * the actor's entries of this event, the newest first. By default the newest, once the status no
   * longer allows the event.
   */
  findRepeat?: (
    entries: readonly EventLogEntry[],
    input: never,
    booking: Booking,
    actor: Actor,
  ) => EventLogEntry | undefined
}

export const defineEvent = <const Definition extends EventDefinition>(
  definition: Definition,
): Definition => definition

/** Returns nothing: its type is the input of an event's effects. */
export const inputType = <Input extends object>() => undefined as unknown as Input

/** For events that detect a repeat in their own data, or for which each request is new. */
export const neverRepeats = () => undefined

/** For events whose log entry has the client's key of the request. */
export const repeatsRequest = (
  entries: readonly EventLogEntry[],
  { request_id }: { request_id: string },
) => entries.find(({ ref }) => ref === request_id)

/**
 * The time of the event (ms) when it was before the request; `resolveClientTime` decides whether to
 * accept it.
 */
const clientTimestamp = { at: v.optional(time) }
/** The position of the driver. Required of drivers; the office knows none. */
export const driverPosition = { lat: v.optional(latitude), lng: v.optional(longitude) }

/** The input of every step: its time, and why the office records it for the driver. */
const stepInput = {
  ...clientTimestamp,
  /** Required of admins, refused to drivers. */
  reason: v.optional(text(500, 'remark')),
}
const STEP_ERRORS = ['demo_mode', 'reason_required'] as const satisfies readonly ErrorKey[]

/** Defines a step of the driver that the office can record for them; adds what all steps have. */
export const defineTripStep = <
  const Definition extends Omit<EventDefinition, 'by' | 'isTripStep'> & {
    input: v.ObjectEntries
  },
>({
  input,
  errors,
  ...definition
}: Definition) => ({
  ...definition,
  by: ['driver', 'admin'] as const,
  isTripStep: true as const,
  input: { ...input, ...stepInput } as Definition['input'] & typeof stepInput,
  errors: [...errors, ...STEP_ERRORS] as readonly (
    Definition['errors'][number] | (typeof STEP_ERRORS)[number]
  )[],
})

/** A stop of the booking as the driver saw it: its index, from 0, and its position. */
export const stopRef = {
  index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_STOPS - 1)),
  stop: v.strictObject({ lat: latitude, lng: longitude }),
  ...clientTimestamp,
}
/** The driver passes each stop once, and other stops later. */
export const repeatsStop = (entries: readonly EventLogEntry[], { index }: { index: number }) =>
  entries.find(({ ref }) => ref === String(index))

/** The revision that the system decided on. The event is refused when the booking has another. */
export interface BasedOnRevision {
  revision?: number
}
