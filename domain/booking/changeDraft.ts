import { createAuditKey, createPushKey } from '../data/pushKeys'
import { dbPaths } from '../data/databasePaths'
import { statusDelta, type StatsDelta } from '../money/stats'
import {
  findMessageRow,
  type Audience,
  type AudienceOf,
  type MessageEvent,
} from '../messages/messageTable'
import { buildOutboxUpdates, toSenderName } from '../messages/outbox'
import { buildWalletUpdates, type Wallet } from '../money/wallet'
import { increment, toJson, type DatabaseValue } from '../data/databaseValue'
import type { EventCause, TransitionArgs } from './eventArgs'
import type { EventContext } from './eventContext'
import type { BookingChange, PushMessage } from './eventTypes'
import { getDueTime } from './deadlines'
import { openBookingsDelta } from './limits/openBookingLimits'
import { toPushText } from './pushMessages'
import { type BookingEvent, getDefinition } from './transitions'
import type { Adjustment, WalletEntry } from '../money/types'
import type { AuditEntry } from '../office/types'
import type { Booking, EventLogEntry, FareHistoryEntry, Status } from './types'
import type { LatLng } from '../geo/types'

/** Fields to write on the booking: undefined leaves a field alone, null removes it. */
export type BookingFieldUpdates = { [K in keyof Booking]?: Booking[K] | null | undefined }

/** Returns the booking after the written fields. */
const withFields = (booking: Booking, fields: BookingFieldUpdates): Booking => ({
  ...booking,
  ...Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value ?? undefined] as const),
  ),
})

/** Returns the key of an event's log entry. */
const getEventLogKey = (
  event: BookingEvent,
  { status, event_log = {} }: Booking,
  revision: number,
): string => {
  const { logKey } = getDefinition(event)
  if (logKey === 'perStatus') return `${event}_${status}`
  const isFirst = logKey === 'perRevisionAfterFirst' && event_log[event] === undefined
  return logKey === undefined || isFirst ? event : `${event}_${revision}`
}

interface WalletDraft {
  wallet: Wallet
  entries: Record<string, WalletEntry>
}

/**
 * Collects the paths that one event writes. All additions to one total become one increment, and
 * all entries of a wallet become one move.
 */
const createUpdateCollector = (settings: EventContext['settings']) => {
  const updates: Record<string, DatabaseValue> = {}
  const added: StatsDelta = {}
  const wallets = new Map<string, WalletDraft>()
  const pushes: PushMessage[] = []
  return {
    set: (path: string, value: DatabaseValue) => void (updates[path] = value),
    /** Totals are whole numbers, so they add up exactly in any order. */
    add: (path: string, count: number) => void (added[path] = (added[path] ?? 0) + count),
    enter(wallet: Wallet, key: string, entry: WalletEntry) {
      const draft = wallets.get(wallet.id) ?? { wallet, entries: {} }
      draft.entries[key] = entry
      wallets.set(wallet.id, draft)
    },
    push: (push: PushMessage) => void pushes.push(push),
    done: (response: BookingChange['response']): BookingChange => ({
      updates: {
        ...updates,
        ...Object.fromEntries(
          [...wallets.values()].flatMap(({ wallet, entries }) =>
            Object.entries(buildWalletUpdates(wallet, entries, settings)),
          ),
        ),
        ...Object.fromEntries(
          Object.entries(added)
            .filter(([, count]) => count !== 0)
            .map(([path, count]) => [path, increment(count)]),
        ),
      },
      pushes,
      response,
    }),
  }
}

/** The messages that the table has for a guest, for the office and for a recipient. */
type EventForGuest = {
  [Event in MessageEvent]: 'guest' extends AudienceOf<Event> ? Event : never
}[MessageEvent]
type EventForOffice = {
  [Event in MessageEvent]: 'office' extends AudienceOf<Event> ? Event : never
}[MessageEvent]
type EventForRecipient = {
  [Event in MessageEvent]: 'recipient' extends AudienceOf<Event> ? Event : never
}[MessageEvent]

/** A change under construction. Every effect adds to it; `done` returns the one atomic change. */
export type Draft = ReturnType<typeof createDraft>

const createDraft = (
  args: Omit<TransitionArgs, 'booking'>,
  id: string,
  status: Status,
  revision: number,
) => {
  const { actor, now, occurredAt, context } = args
  const { set, add: addToTotal, enter, push, done: build } = createUpdateCollector(context.settings)
  const base = dbPaths.booking(id)
  const changed: BookingFieldUpdates = {}
  /** Adds what the table has for a message: a push with its inbox entry, and outbox entries. */
  const addMessage = (
    event: MessageEvent,
    audience: Audience,
    uid: string | undefined,
    params: PushMessage['params'],
  ) => {
    const screen = findMessageRow(event, audience)?.screen
    if (uid !== undefined && screen !== undefined)
      push({ to: uid, ...toPushText(event), params, screen, booking_id: id })
    const by = actor.role === 'admin' || actor.role === 'system' ? undefined : actor.uid
    const outgoing = { event, audience, uid, booking_id: id, by, params, at: occurredAt, now }
    const entries = buildOutboxUpdates({ scope: `${id}-${revision}`, ...outgoing })
    for (const [path, entry] of Object.entries(entries)) set(path, entry)
  }
  return {
    status,
    revision,
    set,
    setAll(values: Record<string, DatabaseValue>) {
      for (const [path, value] of Object.entries(values)) set(path, value)
    },
    add: addToTotal,
    /** The fields of the booking that the change sets as a whole. */
    changed: changed as Readonly<BookingFieldUpdates>,
    setFields(fields: BookingFieldUpdates) {
      for (const [field, value] of Object.entries(fields))
        if (value !== undefined) {
          set(`${base}/${field}`, typeof value === 'object' && value ? toJson(value) : value)
          Object.assign(changed, { [field]: value })
        }
    },
    addDelta(move: StatsDelta) {
      for (const [path, count] of Object.entries(move)) addToTotal(path, count)
    },
    /**
     * Adds a wallet history entry and changes the balance accordingly. Skips deleted accounts,
     * which have no wallet.
     */
    addWalletEntry(
      wallet: Wallet | null,
      key: string,
      { txRef = id, ...entry }: Omit<WalletEntry, 'date' | 'txRef'> & { txRef?: string },
    ) {
      if (wallet) enter(wallet, key, { ...entry, date: now, txRef })
    },
    addTrackPoint(point: LatLng | undefined) {
      if (!point) return
      const { lat, lng } = point
      set(`${dbPaths.tracking(id)}/${createPushKey(occurredAt, revision)}`, {
        at: occurredAt,
        status,
        lat,
        lng,
      })
    },
    /** Adds an entry to the history; `at` (ms) is now unless the entry is about an earlier time. */
    addFareEntry({ at = now, ...entry }: Omit<FareHistoryEntry, 'at'> & { at?: number }) {
      set(
        `${base}/fare_history/${createPushKey(at, revision)}${entry.kind}`,
        toJson({ ...entry, at }),
      )
    },
    addAdjustment(request: string, adjustment: Adjustment) {
      set(`${base}/adjustments/${request}`, toJson(adjustment))
    },
    /** Adds a message to a person with an account; skips a missing person. */
    notify<Event extends MessageEvent>(
      event: Event,
      audience: AudienceOf<Event>,
      to: string | undefined,
      params: PushMessage['params'] = {},
    ) {
      if (to) addMessage(event, audience, to, params)
    },
    /** Adds a message to the person who travels or sends the parcel. */
    notifyCustomer<Event extends EventForGuest>(
      event: Event,
      { customer, booking_type_admin }: Pick<Booking, 'customer' | 'booking_type_admin'>,
      params: PushMessage['params'] = {},
    ) {
      addMessage(event, booking_type_admin ? 'guest' : 'rider', customer, params)
    },
    /** Adds a message to the office, which shows it on its pages. */
    notifyOffice(event: EventForOffice, params: PushMessage['params']) {
      addMessage(event, 'office', undefined, params)
    },
    /** Adds a message to the recipient of a parcel, who has no account. */
    notifyRecipient(event: EventForRecipient, { customer_name }: Pick<Booking, 'customer_name'>) {
      if (context.settings.appcat === 'delivery')
        addMessage(event, 'recipient', undefined, { sender: toSenderName(customer_name) })
    },
    addAuditEntry(action: string, entry: Pick<AuditEntry, 'from' | 'to'>) {
      if (actor.role !== 'admin') return
      const { from, to } = entry
      set(
        dbPaths.audit(createAuditKey(now, id, revision)),
        toJson({ by: actor.uid, at: now, action, path: base, from, to } satisfies AuditEntry),
      )
    },
    done: (more: Pick<BookingChange['response'], 'estimate' | 'reference'> = {}) =>
      build({ booking_id: id, status, revision, ...more }),
  }
}

/** Details of an event that the booking keeps. */
type LoggedDetails = { [K in 'ref' | 'reason']?: EventLogEntry[K] | undefined } & {
  /** The actor's words. */
  words?: string | undefined
}

/** Creates a draft for a booking that does not exist yet. The caller sets the whole booking. */
export const createNewBookingDraft = (cause: EventCause, id: string, status: Status): Draft => {
  const draft = createDraft({ ...cause, occurredAt: cause.now }, id, status, 1)
  draft.addDelta(statusDelta(null, status))
  return draft
}

/**
 * Creates a draft that moves the booking to `status`, with its revision, event log and status
 * counts.
 */
export const createEventDraft = (
  args: TransitionArgs,
  event: BookingEvent,
  status: Status,
  { ref, reason, words }: LoggedDetails = {},
): Draft => {
  const { booking, actor, context, occurredAt, now } = args
  const revision = booking.revision + 1
  const draft = createDraft(args, booking.id, status, revision)
  const entry: EventLogEntry = {
    event,
    by: actor.uid,
    at: occurredAt,
    ...(occurredAt !== now && { received_at: now }),
    status,
    revision,
    ...(ref && { ref }),
    ...(reason && { reason }),
  }
  const logKey = getEventLogKey(event, booking, revision)
  draft.setFields({ revision, ...(status !== booking.status && { status }) })
  draft.set(`${dbPaths.booking(booking.id)}/event_log/${logKey}`, toJson(entry))
  if (words) draft.set(`${dbPaths.booking(booking.id)}/words/${logKey}`, words)
  draft.addDelta(statusDelta(booking.status, status))
  draft.addDelta(openBookingsDelta(booking.customer, booking.status, status))
  if (status !== booking.status) draft.set(dbPaths.stuckBooking(booking.id), null)
  const finish: Draft['done'] = (more) => {
    const event_log = { ...booking.event_log, [logKey]: entry }
    const after = withFields({ ...booking, event_log }, draft.changed)
    const dueTimeReason = getDefinition(event).pausesSearch ? 'offer' : 'event'
    const due_at = getDueTime(after, context.settings, now, dueTimeReason)
    if (due_at !== (booking.due_at ?? null)) draft.setFields({ due_at })
    return draft.done(more)
  }
  return { ...draft, done: finish }
}
