import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { DomainError } from '~/domain/api/errors'
import { TRANSITIONS } from '~/domain/booking/transitions'
import { addTrackingPoint } from '~/src/features/tracking/tracking'
import { type Services, toDomainError } from '~/src/services/services'
import { sessionEnded } from '~/src/store/auth'
import { noticeRaised } from '~/src/store/notices'
import { type AppState, rootReducer } from '~/src/store/reducer'
import { fromDataUrl } from '~/src/ui/imageFiles'
import { getServerNow } from '../serverTime'
import { deleteItem, saveItem, loadItems, loadPhoto } from './outboxStorage'
import {
  type DriverEventInput,
  type OutboxItem,
  type OutboxEventItem,
  type OutboxTrackPointItem,
  type PhotoField,
  isPermanentError,
  isSameEvent,
  createItemKey,
} from './outboxItem'
import type { AppDispatch, ThunkExtra } from '~/src/store/storeTypes'
import type { LatLng } from '~/domain/geo/types'
import type { Status } from '~/domain/booking/types'

/**
 * An event that the server refused, and the number of later events on the same booking that were
 * dropped with it.
 */
export interface RejectedEvent {
  booking_id: string
  event: DriverEventInput['event']
  error: DomainError
  /** Time of the refusal in ms. */
  rejectedAt: number
  droppedEventCount: number
}
interface Outbox {
  uid: string | null
  items: OutboxItem[]
  isOnline: boolean
  isSending: boolean
  /** Consecutive failed attempts. */
  failureCount: number
  /** True while unsent events wait: the screen shows them as done until all are sent. */
  isOptimistic: boolean
  rejectedEvents: RejectedEvent[]
}
const initialState: Outbox = {
  uid: null,
  items: [],
  isOnline: true,
  isSending: false,
  failureCount: 0,
  isOptimistic: false,
  rejectedEvents: [],
}
const updateIsOptimistic = (state: Outbox) => {
  const waiting = state.items.some(({ kind }) => kind === 'event')
  state.isOptimistic = waiting && (state.isOptimistic || !state.isOnline || state.failureCount > 0)
}
declare module '~/src/store/reducer' {
  interface LazySlices {
    outboxdata: Outbox
  }
}
const slice = createSlice({
  name: 'outboxdata',
  initialState,
  reducers: {
    outboxOpened: (state, { payload }: PayloadAction<{ uid: string; items: OutboxItem[] }>) => {
      Object.assign(state, payload)
      // The earlier page showed its unsent events as done, so this one does too.
      state.isOptimistic = payload.items.some(({ kind }) => kind === 'event')
    },
    itemAdded: (state, { payload }: PayloadAction<OutboxItem>) => {
      state.items.push(payload)
      updateIsOptimistic(state)
    },
    itemsRemoved: (state, { payload }: PayloadAction<string[]>) => {
      state.items = state.items.filter(({ key }) => !payload.includes(key))
      state.failureCount = 0
      updateIsOptimistic(state)
    },
    sendFailed: (state) => {
      state.failureCount += 1
      updateIsOptimistic(state)
    },
    sendingChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.isSending = payload
    },
    onlineChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.isOnline = payload
      updateIsOptimistic(state)
      if (payload) state.failureCount = 0
    },
    eventRejected: (state, { payload }: PayloadAction<RejectedEvent>) => {
      const others = state.rejectedEvents.filter((r) => r.booking_id !== payload.booking_id)
      state.rejectedEvents = [...others, payload]
    },
    /** Removes a refusal that the driver has read, or whose event they try again. */
    rejectionDismissed: (state, { payload }: PayloadAction<string>) => {
      state.rejectedEvents = state.rejectedEvents.filter((r) => r.booking_id !== payload)
    },
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, (state) => ({ ...initialState, isOnline: state.isOnline }))
  },
  selectors: { selectOutbox: (state) => state },
})
const {
  outboxOpened,
  itemAdded,
  itemsRemoved: itemsRemoved,
  sendFailed,
  sendingChanged,
  onlineChanged,
  eventRejected: eventRejected,
  rejectionDismissed: rejectionDismissed,
} = slice.actions
export { onlineChanged, rejectionDismissed as refusalRead }
export const { selectOutbox } = slice.injectInto(rootReducer).selectors

type Thunk = (dispatch: AppDispatch, getState: () => AppState, extra: ThunkExtra) => Promise<void>

/** Thunk: loads what an earlier page or another page has stored. */
export const openOutbox = (uid: string) => (dispatch: AppDispatch) =>
  dispatch(outboxOpened({ uid, items: loadItems(uid) }))

const enqueueItem =
  (item: OutboxItem, photo?: string) =>
  (dispatch: AppDispatch, getState: () => AppState): void => {
    const { uid } = selectOutbox(getState())
    if (!uid) return
    if (!saveItem(uid, item, photo) && item.kind === 'event')
      dispatch(noticeRaised({ tone: 'problem', text: 'outbox_full', endedBy: [itemsRemoved.type] }))
    dispatch(itemAdded(item))
    void dispatch(flushOutbox())
  }

/**
 * Thunk: sends an event of a booking at once, or stores it until there is a connection. An event
 * that already waits is not stored again. `photo` is a data URL.
 */
export const enqueueEvent =
  (input: DriverEventInput, photo?: { field: PhotoField; url: string }) =>
  (dispatch: AppDispatch, getState: () => AppState): void => {
    if (selectOutbox(getState()).items.some((item) => isSameEvent(item, input))) return
    dispatch(rejectionDismissed(input.booking_id))
    dispatch(
      enqueueItem(
        {
          kind: 'event',
          key: createItemKey(Date.now()),
          booking_id: input.booking_id,
          at: getServerNow(),
          input,
          ...(photo && { photo: photo.field }),
        },
        photo?.url,
      ),
    )
  }

/** Thunk: sends or stores one track point of a booking with its own time. */
export const enqueueTrackPoint =
  (booking_id: string, { lat, lng, status }: LatLng & { status: Status }): Thunk =>
  async (dispatch, _, { services }) => {
    const at = getServerNow()
    const key = createItemKey(Date.now())
    const id = await services.database.newKey()
    dispatch(enqueueItem({ kind: 'point', key, id, booking_id, at, point: { lat, lng, status } }))
  }

type SendResult = 'done' | 'retry' | DomainError

const toSendResult = (error: unknown): SendResult =>
  isPermanentError(error as DomainError) ? (error as DomainError) : 'retry'

const getClientTime = ({ event }: DriverEventInput, at: number) =>
  'at' in TRANSITIONS[event].input ? { at } : {}

const sendEvent = async (
  { key, booking_id, at, input, photo }: OutboxEventItem,
  uid: string,
  { functions, storage }: Services,
): Promise<SendResult> => {
  try {
    const picture = photo && loadPhoto(uid, key)
    const link =
      photo && picture
        ? {
            // Files are never replaced, so each attempt has its own name.
            [photo]: await storage.upload(
              `bookings/${booking_id}/${uid}/${photo}-${Date.now().toString(36)}.jpg`,
              fromDataUrl(picture),
            ),
          }
        : {}
    // Sent once: the outbox has its own pauses between attempts.
    await functions.call('advance_booking', { ...input, ...link, ...getClientTime(input, at) })
    return 'done'
  } catch (error) {
    return toSendResult(toDomainError(error))
  }
}

const sendTrackPoint = async (
  item: OutboxTrackPointItem,
  uid: string,
  dispatch: AppDispatch,
): Promise<SendResult> => {
  const { booking_id, id, at, point } = item
  try {
    await dispatch(
      addTrackingPoint.quiet({ booking_id, uid, key: id, point: { ...point, at } }),
    ).unwrap()
    return 'done'
  } catch (error) {
    return toSendResult(error)
  }
}

/** Returns true for an event of a stop, which keeps the booking's status. */
const isStopItem = (item: OutboxItem): boolean => item.kind === 'event' && 'index' in item.input

/**
 * Returns the items of a booking that a refused event makes impossible: later events, and track
 * points in a status it never had. After a refused event of a stop, these are those of later stops.
 */
const getLaterItems = (items: OutboxItem[], refused: OutboxItem): OutboxItem[] =>
  items.filter(
    (item) =>
      item.booking_id === refused.booking_id &&
      item.key > refused.key &&
      (!isStopItem(refused) || isStopItem(item)),
  )

const sendAll: Thunk = async (dispatch, getState, { services }) => {
  for (;;) {
    const { items, uid, isOnline } = selectOutbox(getState())
    const item = items[0]
    if (!item || !uid || !isOnline) return
    const outcome =
      item.kind === 'event'
        ? await sendEvent(item, uid, services)
        : await sendTrackPoint(item, uid, dispatch)
    if (outcome === 'retry') {
      dispatch(sendFailed())
      return
    }
    const gone = [item.key]
    if (outcome !== 'done' && item.kind === 'event') {
      const later = getLaterItems(selectOutbox(getState()).items, item)
      gone.push(...later.map(({ key }) => key))
      dispatch(
        eventRejected({
          booking_id: item.booking_id,
          event: item.input.event,
          error: outcome,
          rejectedAt: Date.now(),
          droppedEventCount: later.filter(({ kind }) => kind === 'event').length,
        }),
      )
    }
    for (const key of gone) deleteItem(uid, key)
    dispatch(itemsRemoved(gone))
  }
}

// The lock keeps two pages from sending the same event at once. Without locks, the server returns
// the same response to a repeat.
const withOutboxLock = (run: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('kerbside-outbox', run) : run()

/** Thunk: sends all items in order, until one fails or none is left. */
export const flushOutbox = (): Thunk => async (dispatch, getState, extra) => {
  const { isSending, isOnline, uid } = selectOutbox(getState())
  if (isSending || !isOnline || !uid) return
  dispatch(sendingChanged(true))
  try {
    await withOutboxLock(async () => {
      // Another page may have sent some items while this one waited for the lock.
      const left = new Set(loadItems(uid).map(({ key }) => key))
      const gone = selectOutbox(getState())
        .items.map(({ key }) => key)
        .filter((key) => !left.has(key))
      if (gone.length > 0) dispatch(itemsRemoved(gone))
      await sendAll(dispatch, getState, extra)
    })
  } finally {
    dispatch(sendingChanged(false))
  }
}
