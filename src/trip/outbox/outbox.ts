import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { LatLng, Status } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { addTrackingPoint } from '~/src/features/tracking/tracking'
import type { Services } from '~/src/services/services'
import { sessionEnded } from '~/src/store/auth'
import type { AppDispatch, Extra } from '~/src/store/makeStore'
import { noticeRaised } from '~/src/store/notices'
import { type AppState, rootReducer } from '~/src/store/reducer'
import { fromDataUrl } from '~/src/ui/picture'
import { serverNow } from '../clock'
import { forget, keep, kept, keptPhoto } from './keeping'
import {
  type DriverEvent,
  type Outgoing,
  type OutgoingEvent,
  type OutgoingPoint,
  type PhotoField,
  isFinal,
  outgoingKey,
} from './outgoing'

/** A step the server did not take, and how many later steps on the same booking went with it. */
export interface RefusedStep {
  booking_id: string
  event: DriverEvent['event']
  refusal: Refusal
  /** When the answer came, ms. */
  at: number
  dropped: number
}
export interface Outbox {
  uid: string | null
  items: Outgoing[]
  online: boolean
  sending: boolean
  /** Tries that failed one after another. */
  failures: number
  /** Steps are waiting that could not be sent: the screen goes on as if they had been, until all are. */
  assuming: boolean
  refused: RefusedStep[]
}
const initialState: Outbox = {
  uid: null,
  items: [],
  online: true,
  sending: false,
  failures: 0,
  assuming: false,
  refused: [],
}
const reconsider = (state: Outbox) => {
  const waiting = state.items.some(({ kind }) => kind === 'event')
  state.assuming = waiting && (state.assuming || !state.online || state.failures > 0)
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
    outboxOpened: (state, { payload }: PayloadAction<{ uid: string; items: Outgoing[] }>) => {
      Object.assign(state, payload)
      // Whatever an earlier page left behind had been shown as done there.
      state.assuming = payload.items.some(({ kind }) => kind === 'event')
    },
    itemAdded: (state, { payload }: PayloadAction<Outgoing>) => {
      state.items.push(payload)
      reconsider(state)
    },
    itemsGone: (state, { payload }: PayloadAction<string[]>) => {
      state.items = state.items.filter(({ key }) => !payload.includes(key))
      state.failures = 0
      reconsider(state)
    },
    sendFailed: (state) => {
      state.failures += 1
      reconsider(state)
    },
    sendingChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.sending = payload
    },
    onlineChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.online = payload
      reconsider(state)
      if (payload) state.failures = 0
    },
    stepRefused: (state, { payload }: PayloadAction<RefusedStep>) => {
      const others = state.refused.filter((r) => r.booking_id !== payload.booking_id)
      state.refused = [...others, payload]
    },
    /** The driver has read it, or tries the step again. */
    refusalRead: (state, { payload }: PayloadAction<string>) => {
      state.refused = state.refused.filter((r) => r.booking_id !== payload)
    },
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, (state) => ({ ...initialState, online: state.online }))
  },
  selectors: { selectOutbox: (state) => state },
})
const {
  outboxOpened,
  itemAdded,
  itemsGone,
  sendFailed,
  sendingChanged,
  onlineChanged,
  stepRefused,
  refusalRead,
} = slice.actions
export { onlineChanged, refusalRead }
export const { selectOutbox } = slice.injectInto(rootReducer).selectors

type Thunk = (dispatch: AppDispatch, getState: () => AppState, extra: Extra) => Promise<void>

/** Thunk: takes up what an earlier page, or another one, has left. */
export const openOutbox = (uid: string) => (dispatch: AppDispatch) =>
  dispatch(outboxOpened({ uid, items: kept(uid) }))

const put =
  (item: Outgoing, photo?: string) =>
  (dispatch: AppDispatch, getState: () => AppState): void => {
    const { uid } = selectOutbox(getState())
    if (!uid) return
    if (!keep(uid, item, photo) && item.kind === 'event')
      dispatch(noticeRaised({ tone: 'problem', text: 'outbox_full' }))
    dispatch(itemAdded(item))
    void dispatch(flush())
  }

/** Thunk: one step of a booking, sent at once or kept until it can be. `photo` is a data link. */
export const enqueueEvent =
  (input: DriverEvent, photo?: { field: PhotoField; url: string }) =>
  (dispatch: AppDispatch): void => {
    dispatch(refusalRead(input.booking_id))
    dispatch(
      put(
        {
          kind: 'event',
          key: outgoingKey(Date.now()),
          booking_id: input.booking_id,
          at: serverNow(),
          input,
          ...(photo && { photo: photo.field }),
        },
        photo?.url,
      ),
    )
  }

/** Thunk: one point of a booking's way, with its own time. */
export const enqueuePoint =
  (booking_id: string, { lat, lng, status }: LatLng & { status: Status }): Thunk =>
  async (dispatch, _, { services }) => {
    const at = serverNow()
    const key = outgoingKey(Date.now())
    const id = await services.database.newKey()
    dispatch(put({ kind: 'point', key, id, booking_id, at, point: { lat, lng, status } }))
  }

type Outcome = 'done' | 'retry' | Refusal

const outcomeOf = (error: unknown): Outcome =>
  isFinal(error as Refusal) ? (error as Refusal) : 'retry'

// What a driver gives up, he gives up when the server hears of it.
const ownTime = ({ event }: DriverEvent, at: number) => (event === 'cancel' ? {} : { at })

const sendEvent = async (
  { key, booking_id, at, input, photo }: OutgoingEvent,
  uid: string,
  dispatch: AppDispatch,
  { storage }: Services,
): Promise<Outcome> => {
  try {
    const picture = photo && keptPhoto(uid, key)
    const link =
      photo && picture
        ? {
            // A file is never replaced, so each try has a name of its own.
            [photo]: await storage.upload(
              `bookings/${booking_id}/${uid}/${photo}-${Date.now().toString(36)}.jpg`,
              fromDataUrl(picture),
            ),
          }
        : {}
    await dispatch(
      advanceBooking({ ...input, ...link, ...ownTime(input, at), quiet: true }),
    ).unwrap()
    return 'done'
  } catch (error) {
    // A port's own error carries its refusal; an operation's is one.
    const refusal = (error as { refusal?: Refusal }).refusal ?? (error as Refusal)
    return outcomeOf(refusal)
  }
}

const sendPoint = async (item: OutgoingPoint, dispatch: AppDispatch): Promise<Outcome> => {
  const { booking_id, id, at, point } = item
  try {
    await dispatch(
      addTrackingPoint({ booking_id, key: id, point: { ...point, at }, quiet: true }),
    ).unwrap()
    return 'done'
  } catch (error) {
    return outcomeOf(error)
  }
}

/** What was made on a booking after a step that was refused: later steps, and points in a status it never had. */
const following = (items: Outgoing[], { key, booking_id }: Outgoing): Outgoing[] =>
  items.filter((item) => item.booking_id === booking_id && item.key > key)

const drain: Thunk = async (dispatch, getState, { services }) => {
  for (;;) {
    const { items, uid, online } = selectOutbox(getState())
    const item = items[0]
    if (!item || !uid || !online) return
    const outcome =
      item.kind === 'event'
        ? await sendEvent(item, uid, dispatch, services)
        : await sendPoint(item, dispatch)
    if (outcome === 'retry') {
      dispatch(sendFailed())
      return
    }
    const gone = [item.key]
    if (outcome !== 'done' && item.kind === 'event') {
      const later = following(selectOutbox(getState()).items, item)
      gone.push(...later.map(({ key }) => key))
      dispatch(
        stepRefused({
          booking_id: item.booking_id,
          event: item.input.event,
          refusal: outcome,
          at: Date.now(),
          dropped: later.filter(({ kind }) => kind === 'event').length,
        }),
      )
    }
    for (const key of gone) forget(uid, key)
    dispatch(itemsGone(gone))
  }
}

// Two pages of one device must not send the same step at once; where there are no locks the server's answer to a
// repeat is the same.
const alone = (run: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('kerbside-outbox', run) : run()

/** Thunk: sends everything in order, one after another, until something fails or nothing is left. */
export const flush = (): Thunk => async (dispatch, getState, extra) => {
  const { sending, online, uid } = selectOutbox(getState())
  if (sending || !online || !uid) return
  dispatch(sendingChanged(true))
  try {
    await alone(async () => {
      // Another page may have sent some of it while this one waited for its turn.
      const left = new Set(kept(uid).map(({ key }) => key))
      const gone = selectOutbox(getState())
        .items.map(({ key }) => key)
        .filter((key) => !left.has(key))
      if (gone.length > 0) dispatch(itemsGone(gone))
      await drain(dispatch, getState, extra)
    })
  } finally {
    dispatch(sendingChanged(false))
  }
}
