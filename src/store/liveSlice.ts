import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import { useCallback, useEffect } from 'react'
import type { BaseIssue, BaseSchema } from 'valibot'
import type { User } from '~/domain/entities'
import { type Query, ServiceError, type Stop } from '~/src/services/services'
import { type CycleError, NO_ERROR, errorOf, selectProfile, sessionEnded } from './auth'
import { useAppDispatch, useAppSelector } from './hooks'
import type { AppDispatch, Extra } from './makeStore'
import { noticeRaised } from './notices'
import { type AppState, rootReducer } from './reducer'
import { keepRows } from './sameRows'
import { answerName } from './restored'

/** Bursts (thirty cars moving) reach React at most this often. */
const COALESCE_MS = 120

export type RowSchema<Row> = BaseSchema<unknown, Row, BaseIssue<unknown>>
/** A schema, or how to fetch it: what a visitor's first page looks at comes without its schema. */
type SchemaOf<Row> = RowSchema<Row> | (() => Promise<RowSchema<Row>>)

/** The row, or undefined when it has not its shape. Through the schema itself, so that this file needs no library. */
const parsed = <Row>(schema: RowSchema<Row>, raw: unknown): { value: Row } | undefined => {
  const result = schema['~standard'].validate(raw)
  if (result instanceof Promise || result.issues) return undefined
  return { value: result.value }
}

interface Cycle<Value> {
  value: Value
  /** True until the first answer. */
  loading: boolean
  error: CycleError
}

interface Source<Row, Arg> {
  /** The question to ask; null while it cannot be asked (nobody signed in, nothing chosen). */
  at: (arg: Arg, profile: User | null) => Query | null
  row: SchemaOf<Row>
  /** Whatever a visitor may see outlives a sign-out. */
  open?: boolean
}

/** One live collection of the database, as a slice of the state. */
export interface Live<Field extends string, Value, Arg> {
  name: string
  field: Field
  empty: Value
  open: boolean
  query: Source<unknown, Arg>['at']
  select(state: AppState, key: string): Cycle<Value> | undefined
  /** What the database has answered so far, to be kept for a start without it. */
  answers(state: AppState): Record<string, Value>
  /** Thunk: starts looking and answers how to stop. */
  watch(query: Query): (dispatch: AppDispatch, getState: () => AppState, extra: Extra) => Stop
  /** Thunk: asks the same anew. */
  again(key: string): (dispatch: AppDispatch, getState: () => AppState, extra: Extra) => void
}

const keyOf = (query: Query) => JSON.stringify(query)

const build = <Field extends string, Row, Value, Arg>(
  name: string,
  field: Field,
  source: Source<Row, Arg>,
  empty: Value,
  /** Made for each look: it may remember what it read before. */
  reader: () => (schema: RowSchema<Row>, raw: unknown, onBad: (id: string) => void) => Value,
): Live<Field, Value, Arg> => {
  // The state has the specification's shape for the question asked last, and keeps the others
  // by key while somebody looks: two screens may look at two bookings.
  interface State {
    loading: boolean
    error: CycleError
    byQuery: Record<string, Cycle<Value>>
    [field: string]: unknown
  }
  const initialState: State = { loading: false, error: NO_ERROR, byQuery: {}, [field]: empty }
  const slice = createSlice({
    name,
    initialState: initialState as object as State,
    reducers: (create) => ({
      lookStarted: create.reducer((state, { payload }: PayloadAction<string>) => {
        const known = state.byQuery[payload]
        if (known) return
        Object.assign(state.byQuery, {
          [payload]: { value: empty, loading: true, error: NO_ERROR },
        })
        Object.assign(state, { [field]: empty, loading: true, error: NO_ERROR })
      }),
      rowsArrived: create.reducer(
        (state, { payload }: PayloadAction<{ key: string; value: Value }>) => {
          const cycle = { value: payload.value, loading: false, error: NO_ERROR }
          Object.assign(state.byQuery, { [payload.key]: cycle })
          Object.assign(state, { [field]: payload.value, loading: false, error: NO_ERROR })
        },
      ),
      lookFailed: create.reducer(
        (state, { payload }: PayloadAction<{ key: string; error: CycleError }>) => {
          const cycle = { value: empty, loading: false, error: payload.error }
          Object.assign(state.byQuery, { [payload.key]: cycle })
          Object.assign(state, { [field]: empty, loading: false, error: payload.error })
        },
      ),
      lookEnded: create.reducer((state, { payload }: PayloadAction<string>) => {
        delete state.byQuery[payload]
      }),
    }),
    extraReducers: (builder) => {
      if (!source.open) builder.addCase(sessionEnded, () => initialState)
    },
  })
  slice.injectInto(rootReducer)
  const { lookStarted, rowsArrived, lookFailed, lookEnded } = slice.actions
  const cycles = (state: AppState) =>
    (state as unknown as Record<string, State | undefined>)[name]?.byQuery ?? {}

  return {
    name,
    field,
    empty,
    open: source.open ?? false,
    query: source.at,
    select: (state, key) => cycles(state)[key],
    again:
      (key) =>
      (_, __, { subscriptions }) =>
        subscriptions.restart(`${name} ${key}`),
    answers: (state) =>
      Object.fromEntries(
        Object.entries(cycles(state))
          .filter(([, { loading, error }]) => !loading && !error.flag)
          .map(([key, { value }]) => [answerName(name, key), value]),
      ),
    watch:
      (query) =>
      (dispatch, getState, { services, subscriptions, restored }) => {
        const key = keyOf(query)
        return subscriptions.join(`${name} ${key}`, !source.open, () => {
          dispatch(lookStarted(key))
          const standIn = () => {
            const value = restored.answer(answerName(name, key)) as Value | undefined
            if (value !== undefined && cycles(getState())[key]?.loading)
              dispatch(rowsArrived({ key, value }))
          }
          standIn()
          const stopWaiting = restored.onArrival(standIn)
          const parse = reader()
          let latest: unknown
          let waiting: ReturnType<typeof setTimeout> | undefined
          let hasWaiting = false
          let complained = false
          let bad: string[] = []
          /** Only of what stays so: a record that is asked for in parts comes and goes part by part. */
          const complain = () => {
            for (const id of bad) services.report(`${name}: a row does not have its shape`, id)
            if (bad.length > 0 && !complained) {
              dispatch(noticeRaised({ tone: 'problem', text: 'row_unreadable' }))
              complained = true
            }
            bad = []
          }
          let schema = typeof source.row === 'function' ? undefined : source.row
          const tell = () => {
            if (!schema) return
            hasWaiting = false
            bad = []
            const value = parse(schema, latest, (id) => bad.push(id))
            dispatch(rowsArrived({ key, value }))
            waiting = setTimeout(settle, COALESCE_MS)
          }
          const fail = (error: ServiceError) => {
            services.report(`${name}: ${error.message}`)
            dispatch(lookFailed({ key, error: errorOf(error.refusal) }))
          }
          let stopped = false
          if (typeof source.row === 'function')
            source.row().then(
              (fetched) => {
                schema = fetched
                if (hasWaiting && !stopped) tell()
              },
              () => fail(new ServiceError('unavailable', 'unavailable', 'no schema')),
            )
          const settle = () => {
            waiting = undefined
            if (hasWaiting) tell()
            else complain()
          }
          const stop = services.database.live(
            query,
            (value) => {
              latest = value
              hasWaiting = true
              if (!waiting) tell()
            },
            fail,
          )
          return () => {
            stopped = true
            clearTimeout(waiting)
            stopWaiting()
            stop()
            dispatch(lookEnded(key))
          }
        })
      },
  }
}

const withId = (raw: unknown, id: string): unknown =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...raw, id } : raw

/**
 * A live list: `liveSlice('cartypes', 'cars', { at: () => ({ path: 'cartypes' }), row })`. Subscribes on the first look,
 * shares, coalesces bursts, drops rows without their shape (one notice, one log line), ends when nobody looks or at sign-out.
 */
export const liveSlice = <Field extends string, Row, Arg = void>(
  name: string,
  field: Field,
  source: Source<Row, Arg> & {
    /** Newest or most wanted first. */
    order?: (a: Row, b: Row) => number
  },
): Live<Field, Row[], Arg> =>
  build<Field, Row, Row[], Arg>(name, field, source, [], () => {
    const rowsOf = keepRows<Row>()
    return (schema, raw, onBad) => {
      const rows = rowsOf(raw, (id, value) => {
        const row = parsed(schema, withId(value, id))
        if (!row) onBad(id)
        return row?.value
      })
      return source.order ? rows.sort(source.order) : rows
    }
  })

/** A live single record, such as the settings or one booking; null when there is none. */
export const liveRecord = <Field extends string, Row, Arg = void>(
  name: string,
  field: Field,
  source: Source<Row, Arg>,
): Live<Field, Row | null, Arg> =>
  build<Field, Row, Row | null, Arg>(name, field, source, null, () => (schema, raw, onBad) => {
    if (raw === null || raw === undefined) return null
    const row = parsed(schema, raw)
    if (row) return row.value
    onBad('')
    return null
  })

export type Looked<Field extends string, Value> = { [F in Field]: Value } & {
  loading: boolean
  error: CycleError
  /** Asks anew, after an error. */
  retry: () => void
}

/** What the live slice holds now, kept up to date for as long as the component shows it. */
export function useLive<Field extends string, Value>(
  live: Live<Field, Value, void>,
): Looked<Field, Value>
export function useLive<Field extends string, Value, Arg>(
  live: Live<Field, Value, Arg>,
  arg: Arg,
): Looked<Field, Value>
export function useLive<Field extends string, Value, Arg>(
  live: Live<Field, Value, Arg>,
  arg?: Arg,
): Looked<Field, Value> {
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  // An open list does not wait for a session, nor start again with one.
  const query = live.query(arg as Arg, profile)
  const asked = query && (live.open || profile) ? keyOf(query) : null
  const cycle = useAppSelector((state) => (asked ? live.select(state, asked) : undefined))
  const uid = live.open ? null : (profile?.id ?? null)
  useEffect(
    () => (asked ? dispatch(live.watch(JSON.parse(asked) as Query)) : undefined),
    [asked, uid, live, dispatch],
  )
  const retry = useCallback(() => {
    if (asked) dispatch(live.again(asked))
  }, [asked, live, dispatch])
  const looked = {
    [live.field]: cycle?.value ?? live.empty,
    loading: asked !== null && (cycle?.loading ?? true),
    error: cycle?.error ?? NO_ERROR,
    retry,
  }
  return looked as Looked<Field, Value>
}
