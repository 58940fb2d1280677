import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import { useCallback, useEffect } from 'react'
import type { Action } from 'redux'
import type { BaseIssue, BaseSchema } from 'valibot'
import { type Query, ServiceError, type Unsubscribe } from '~/src/services/services'
import { loadWithRetry } from '~/src/ui/loading/loadWithRetry'
import { type SliceError, NO_ERROR, toSliceError, selectProfile, sessionEnded } from '../auth'
import { useAppDispatch, useAppSelector } from '../hooks'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '../notices'
import { type AppState, rootReducer } from '../reducer'
import { makeRowReuser } from './rowReuser'
import { toCacheKey } from './hydratedCache'
import type { AppDispatch, ThunkExtra } from '~/src/store/storeTypes'
import type { User } from '~/domain/accounts/types'

/** Minimum milliseconds between updates to React during bursts (thirty moving cars). */
const COALESCE_MS = 120

export type RowSchema<Row> = BaseSchema<unknown, Row, BaseIssue<unknown>>
/** A schema or its loader: visitors' first page loads without the schemas. */
type SchemaOrLoader<Row> = RowSchema<Row> | (() => Promise<RowSchema<Row>>)

/**
 * Returns the row, or undefined when it is invalid. Uses the schema's own method, so that this file
 * needs no library.
 */
const parseRow = <Row>(schema: RowSchema<Row>, raw: unknown): { value: Row } | undefined => {
  const result = schema['~standard'].validate(raw)
  if (result instanceof Promise || result.issues) return undefined
  return { value: result.value }
}

interface QueryState<Value> {
  value: Value
  /** True until the first result. */
  loading: boolean
  error: SliceError
}

interface LiveSliceOptions<Row, Arg> {
  /** Builds the query; null while it is not possible (not signed in, nothing chosen). */
  toQuery: (arg: Arg, profile: User | null) => Query | null
  schema: SchemaOrLoader<Row>
  /** True when visitors may see the rows, so that they stay after a sign-out. */
  isPublic?: boolean
}

/** A live query of the database as a slice of the state. */
export interface LiveSlice<Field extends string, Value, Arg> {
  name: string
  field: Field
  empty: Value
  isPublic: boolean
  toQuery: LiveSliceOptions<unknown, Arg>['toQuery']
  select(state: AppState, key: string): QueryState<Value> | undefined
  /** Action: shows a value of a public query until the first result. */
  restored(arg: Arg, value: Value): Action
  /** Returns the loaded values, for a later start without a connection. */
  collectLoaded(state: AppState): Record<string, Value>
  /** Thunk: subscribes and returns the function that unsubscribes. */
  subscribe(
    query: Query,
  ): (dispatch: AppDispatch, getState: () => AppState, extra: ThunkExtra) => Unsubscribe
  /** Thunk: runs the same query again. */
  refetch(key: string): (dispatch: AppDispatch, getState: () => AppState, extra: ThunkExtra) => void
}

const toQueryKey = (query: Query | null) => JSON.stringify(query)

/** Reads the value of a query, and names the rows that do not have their shape. */
type Reader<Row, Value> = (
  schema: RowSchema<Row>,
  raw: unknown,
  onInvalid: (id: string) => void,
) => Value

/**
 * The fields of the state show the latest query; `byQuery` keeps every open one, because two
 * screens may show two bookings.
 */
interface State<Value> {
  loading: boolean
  error: SliceError
  byQuery: Record<string, QueryState<Value>>
  [field: string]: unknown
}

const createQuerySlice = <Value>(name: string, field: string, empty: Value, isPublic: boolean) => {
  const initialState: State<Value> = {
    loading: false,
    error: NO_ERROR,
    byQuery: {},
    [field]: empty,
  }
  const setQuery = (state: object, key: string, { value, ...cycle }: QueryState<Value>) => {
    Object.assign((state as State<Value>).byQuery, { [key]: { value, ...cycle } })
    Object.assign(state, { [field]: value, ...cycle })
  }
  return createSlice({
    name,
    initialState,
    reducers: (create) => ({
      subscribed: create.reducer((state, { payload }: PayloadAction<string>) => {
        if (!state.byQuery[payload])
          setQuery(state, payload, { value: empty, loading: true, error: NO_ERROR })
      }),
      rowsArrived: create.reducer(
        (state, { payload: { key, value } }: PayloadAction<{ key: string; value: Value }>) =>
          setQuery(state, key, { value, loading: false, error: NO_ERROR }),
      ),
      queryFailed: create.reducer(
        (state, { payload: { key, error } }: PayloadAction<{ key: string; error: SliceError }>) =>
          setQuery(state, key, { value: empty, loading: false, error }),
      ),
      unsubscribed: create.reducer((state, { payload }: PayloadAction<string>) => {
        delete state.byQuery[payload]
      }),
    }),
    extraReducers: (builder) => {
      if (!isPublic) builder.addCase(sessionEnded, () => initialState)
    },
  })
}

/**
 * Publishes what a subscription receives: the first value at once, the following ones at most every
 * COALESCE_MS, and none before the schema is there.
 */
const createPublisher = <Row, Value>(
  read: Reader<Row, Value>,
  onValue: (value: Value) => void,
  /**
   * Receives the ids of rows that stay invalid. A query by fields adds and removes a record field
   * by field, so a row may be invalid for a moment.
   */
  onInvalid: (ids: string[]) => void,
) => {
  let schema: RowSchema<Row> | undefined
  let latest: unknown
  let hasUnpublished = false
  let invalidIds: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const publish = () => {
    if (!schema) return
    hasUnpublished = false
    invalidIds = []
    onValue(read(schema, latest, (id) => invalidIds.push(id)))
    timer = setTimeout(settle, COALESCE_MS)
  }
  const settle = () => {
    timer = undefined
    if (hasUnpublished) publish()
    else if (invalidIds.length > 0) onInvalid(invalidIds.splice(0))
  }
  return {
    setSchema: (loaded: RowSchema<Row>) => {
      schema = loaded
      if (hasUnpublished) publish()
    },
    receive: (value: unknown) => {
      latest = value
      hasUnpublished = true
      if (!timer) publish()
    },
    stop: () => {
      hasUnpublished = false
      clearTimeout(timer)
    },
  }
}

const buildLiveSlice = <Field extends string, Row, Value, Arg>(
  name: string,
  field: Field,
  source: LiveSliceOptions<Row, Arg>,
  empty: Value,
  /** Creates a reader per subscription, which may reuse rows it read before. */
  createReader: () => Reader<Row, Value>,
): LiveSlice<Field, Value, Arg> => {
  const { isPublic = false, schema, toQuery } = source
  const slice = createQuerySlice(name, field, empty, isPublic)
  slice.injectInto(rootReducer)
  const { subscribed, rowsArrived, queryFailed, unsubscribed } = slice.actions
  const cycles = (state: AppState) =>
    (Reflect.get(state, name) as State<Value> | undefined)?.byQuery ?? {}

  return {
    name,
    field,
    empty,
    isPublic,
    toQuery,
    select: (state, key) => cycles(state)[key],
    restored: (arg, value) => rowsArrived({ key: toQueryKey(toQuery(arg, null)), value }),
    refetch:
      (key) =>
      (_, __, { subscriptions }) =>
        subscriptions.restart(`${name} ${key}`),
    collectLoaded: (state) =>
      Object.fromEntries(
        Object.entries(cycles(state))
          .filter(([, { loading, error }]) => !loading && !error.flag)
          .map(([key, { value }]) => [toCacheKey(name, key), value]),
      ),
    subscribe:
      (query) =>
      (dispatch, getState, { services, subscriptions, hydratedCache }) => {
        const key = toQueryKey(query)
        return subscriptions.subscribe(`${name} ${key}`, !isPublic, () => {
          dispatch(subscribed(key))
          const publishCached = () => {
            const value = hydratedCache.get(toCacheKey(name, key)) as Value | undefined
            if (value !== undefined && cycles(getState())[key]?.loading)
              dispatch(rowsArrived({ key, value }))
          }
          publishCached()
          const stopHydrationListener = hydratedCache.onHydrated(publishCached)
          let isReported = false
          const { setSchema, receive, stop } = createPublisher(
            createReader(),
            (value) => dispatch(rowsArrived({ key, value })),
            (ids) => {
              for (const id of ids) services.report(`${name}: a row does not have its shape`, id)
              if (!isReported)
                dispatch(
                  noticeRaised({
                    tone: 'problem',
                    text: 'row_unreadable',
                    endedBy: ENDED_BY_PAGE_CHANGE,
                  }),
                )
              isReported = true
            },
          )
          const fail = (error: ServiceError) => {
            services.report(`${name}: ${error.message}`)
            dispatch(queryFailed({ key, error: toSliceError(error.domainError) }))
          }
          if (typeof schema === 'function')
            loadWithRetry(schema).then(setSchema, () =>
              fail(new ServiceError('unavailable', 'unavailable', 'no schema')),
            )
          else setSchema(schema)
          const unsubscribe = services.database.subscribe(query, receive, fail)
          return () => {
            stop()
            stopHydrationListener()
            unsubscribe()
            dispatch(unsubscribed(key))
          }
        })
      },
  }
}

const addId = (raw: unknown, id: string): unknown =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...raw, id } : raw

/**
 * Creates a live list: `createLiveSlice('cartypes', 'cars', { toQuery: () => ({ path: 'cartypes'
 * }), schema })`. Subscribes on first use, shares the subscription, coalesces bursts and drops
 * invalid rows (one notice, a log line each). Ends with the last subscriber or at sign-out.
 */
export const createLiveSlice = <Field extends string, Row, Arg = void>(
  name: string,
  field: Field,
  source: LiveSliceOptions<Row, Arg> & {
    /** Sort order of the rows. */
    order?: (a: Row, b: Row) => number
  },
): LiveSlice<Field, Row[], Arg> =>
  buildLiveSlice<Field, Row, Row[], Arg>(name, field, source, [], () => {
    const reuseRows = makeRowReuser<Row>()
    return (schema, raw, onBad) => {
      const rows = reuseRows(raw, (id, value) => {
        const row = parseRow(schema, addId(value, id))
        if (!row) onBad(id)
        return row?.value
      })
      return source.order ? rows.sort(source.order) : rows
    }
  })

/** Creates a live record, such as the settings or one booking; null when it does not exist. */
export const createLiveRecord = <Field extends string, Row, Arg = void>(
  name: string,
  field: Field,
  source: LiveSliceOptions<Row, Arg>,
): LiveSlice<Field, Row | null, Arg> =>
  buildLiveSlice<Field, Row, Row | null, Arg>(
    name,
    field,
    source,
    null,
    () => (schema, raw, onBad) => {
      if (raw === null || raw === undefined) return null
      const row = parseRow(schema, raw)
      if (row) return row.value
      onBad('')
      return null
    },
  )

/** Returns true while a query of the page has no result yet. */
export const selectHasPendingQuery = (state: AppState): boolean =>
  (Object.values(state) as { byQuery?: Record<string, QueryState<unknown>> }[]).some(
    ({ byQuery }) => byQuery && Object.values(byQuery).some(({ loading }) => loading),
  )

export type LiveResult<Field extends string, Value> = { [F in Field]: Value } & {
  loading: boolean
  error: SliceError
  /** Runs the query again after an error. */
  retry: () => void
}

/** Returns the current value of the live slice and updates it while the component is mounted. */
export function useLive<Field extends string, Value>(
  live: LiveSlice<Field, Value, void>,
): LiveResult<Field, Value>
export function useLive<Field extends string, Value, Arg>(
  live: LiveSlice<Field, Value, Arg>,
  arg: Arg,
): LiveResult<Field, Value>
export function useLive<Field extends string, Value, Arg>(
  live: LiveSlice<Field, Value, Arg>,
  arg?: Arg,
): LiveResult<Field, Value> {
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  // A public list neither waits for a session nor restarts with one.
  const query = live.toQuery(arg as Arg, profile)
  const queryKey = query && (live.isPublic || profile) ? toQueryKey(query) : null
  const cycle = useAppSelector((state) => (queryKey ? live.select(state, queryKey) : undefined))
  const uid = live.isPublic ? null : (profile?.id ?? null)
  useEffect(
    () => (queryKey ? dispatch(live.subscribe(JSON.parse(queryKey) as Query)) : undefined),
    [queryKey, uid, live, dispatch],
  )
  const retry = useCallback(() => {
    if (queryKey) dispatch(live.refetch(queryKey))
  }, [queryKey, live, dispatch])
  const liveResult = {
    [live.field]: cycle?.value ?? live.empty,
    loading: queryKey !== null && (cycle?.loading ?? true),
    error: cycle?.error ?? NO_ERROR,
    retry,
  }
  return liveResult as LiveResult<Field, Value>
}
