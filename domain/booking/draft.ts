import type {
  AuditEntry,
  Booking,
  EventLogEntry,
  FareHistoryEntry,
  LatLng,
  Screen,
  Status,
  WalletEntry,
} from '../entities'
import { auditKey, keyAt } from '../keys'
import { round } from '../money'
import { at } from '../paths'
import { statusMove, type Move } from '../stats'
import { increment, type Actor, type Change, type Push, type Value, type World } from './change'
import { pushText, type PushName } from './pushes'
import type { BookingEvent } from './transitions'

/** One event on one booking: what every effect is given. */
export interface Step {
  booking: Booking
  actor: Actor
  world: World
  /** The server's time, ms: money, totals and locks go by it. */
  now: number
  /** When it happened, ms: before `now` where a driver had no connection. */
  happenedAt: number
}

/** Fields to write on the booking: undefined is left alone, null removes. */
export type BookingFields = { [K in keyof Booking]?: Booking[K] | null | undefined }

/** As the database stores it: without undefined. */
export const plain = (value: object): Value => JSON.parse(JSON.stringify(value)) as Value

/** Where an event is remembered. Events that may happen again, and each payment step, have keys of their own. */
const logKey = (event: BookingEvent, from: Status, revision: number): string => {
  if (event === 'pay') return `pay_${from}`
  const again = event === 'dispatch' || event === 'assign' || event === 'decline'
  return again ? `${event}_${revision}` : event
}

/** Collects the paths one event writes; amounts added to one place become one increment. */
const collector = () => {
  const updates: Record<string, Value> = {}
  const added: Move = {}
  const pushes: Push[] = []
  return {
    set: (path: string, value: Value) => void (updates[path] = value),
    add: (path: string, amount: number) =>
      void (added[path] = round((added[path] ?? 0) + amount, 6)),
    push: (push: Push) => void pushes.push(push),
    done: (answer: Change['answer']): Change => ({
      updates: {
        ...updates,
        ...Object.fromEntries(
          Object.entries(added)
            .filter(([, amount]) => amount !== 0)
            .map(([path, amount]) => [path, increment(amount)]),
        ),
      },
      pushes,
      answer,
    }),
  }
}

/** A change in the making. Every effect adds to it; `done` gives the one atomic Change. */
export type Draft = ReturnType<typeof draftFrom>

const draftFrom = (
  step: Pick<Step, 'actor' | 'now' | 'happenedAt'>,
  id: string,
  status: Status,
  revision: number,
) => {
  const { set, add, push, done } = collector()
  const { actor, now, happenedAt } = step
  const base = at.booking(id)
  return {
    status,
    revision,
    set,
    add,
    book(fields: BookingFields) {
      for (const [field, value] of Object.entries(fields))
        if (value !== undefined)
          set(`${base}/${field}`, typeof value === 'object' && value ? plain(value) : value)
    },
    addAll(move: Move) {
      for (const [path, amount] of Object.entries(move)) add(path, amount)
    },
    /** An entry of a wallet's history and the balance it moves. The key makes a second one impossible. */
    entry(uid: string, key: string, type: WalletEntry['type'], amount: number, txRef = id) {
      if (amount === 0) return
      set(at.walletEntry(uid, key), { type, amount, date: now, txRef })
      add(at.wallet(uid), type === 'Credit' ? amount : -amount)
    },
    track(point: LatLng | undefined) {
      if (!point) return
      const { lat, lng } = point
      set(`${at.tracking(id)}/${keyAt(happenedAt, revision)}`, {
        at: happenedAt,
        status,
        lat,
        lng,
      })
    },
    fare(entry: Omit<FareHistoryEntry, 'at'>) {
      set(`${base}/fare_history/${keyAt(now, revision)}${entry.kind}`, plain({ ...entry, at: now }))
    },
    /** A push to send once the change is committed; nobody is told who is not there. */
    tell(
      to: string | undefined,
      name: PushName,
      params: Push['params'] = {},
      screen: Screen = 'BookedCab',
    ) {
      if (to) push({ to, ...pushText(name), params, screen, booking_id: id })
    },
    audit(action: string, entry: Pick<AuditEntry, 'from' | 'to'>) {
      if (actor.role !== 'admin') return
      const { from, to } = entry
      set(
        at.audit(auditKey(now, id, revision)),
        plain({ by: actor.uid, at: now, action, path: base, from, to } satisfies AuditEntry),
      )
    },
    done: (estimate?: number) =>
      done({ booking_id: id, status, revision, ...(estimate !== undefined && { estimate }) }),
  }
}

/** A draft for a booking that does not exist yet: the caller sets it whole. */
export const draftNew = (
  step: Omit<Step, 'booking' | 'happenedAt'>,
  id: string,
  status: Status,
): Draft => {
  const draft = draftFrom({ ...step, happenedAt: step.now }, id, status, 1)
  draft.addAll(statusMove(null, status))
  return draft
}

/** A draft that moves the booking to `status`: revision, event log and status counts are in it. */
export const draftOf = (step: Step, event: BookingEvent, status: Status, ref?: string): Draft => {
  const { booking, actor, happenedAt, now } = step
  const revision = booking.revision + 1
  const draft = draftFrom(step, booking.id, status, revision)
  const entry: EventLogEntry = {
    event,
    by: actor.uid,
    at: happenedAt,
    ...(happenedAt !== now && { received_at: now }),
    status,
    revision,
    ...(ref && { ref }),
  }
  draft.book({ revision, ...(status !== booking.status && { status }) })
  draft.set(
    `${at.booking(booking.id)}/event_log/${logKey(event, booking.status, revision)}`,
    plain(entry),
  )
  draft.addAll(statusMove(booking.status, status))
  return draft
}
