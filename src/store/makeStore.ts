import { isRejectedWithValue, type ThunkDispatch } from '@reduxjs/toolkit'
import {
  type Action,
  applyMiddleware,
  compose,
  legacy_createStore as createStore,
  type Middleware,
  type Store,
} from 'redux'
import { withExtraArgument } from 'redux-thunk'
import type { Refusal } from '~/domain/errors'
import type { Services } from '~/src/services/services'
import { sessionEnded } from './auth'
import { noticeRaised } from './notices'
import { type AppState, rootReducer } from './reducer'
import { type Restored, makeRestored } from './restored'
import { type Subscriptions, makeSubscriptions } from './subscriptions'

/** What every thunk is given beside dispatch and state. */
export interface Extra {
  services: Services
  subscriptions: Subscriptions
  restored: Restored
}
export type AppDispatch = ThunkDispatch<AppState, Extra, Action>
export type AppStore = Store<AppState, Action> & { dispatch: AppDispatch; extra: Extra }

const refused = isRejectedWithValue()
/** An operation that shows its refusal itself, at a field, is marked so. */
const isQuiet = (meta: unknown) => (meta as { arg?: { quiet?: boolean } }).arg?.quiet === true

interface Devtools {
  __REDUX_DEVTOOLS_EXTENSION_COMPOSE__?: typeof compose
}

/** The store over the given services; `preloaded` is for tests and restored pages. */
export const makeStore = (services: Services, preloaded?: Partial<AppState>): AppStore => {
  const subscriptions = makeSubscriptions()
  const restored = makeRestored()
  const extra: Extra = { services, subscriptions, restored }
  const effects: Middleware<object, AppState> =
    ({ dispatch }) =>
    (next) =>
    (action) => {
      const result = next(action)
      if (refused(action) && !isQuiet(action.meta)) {
        const { key, params } = action.payload as Refusal
        dispatch(noticeRaised({ tone: 'problem', text: key, ...(params && { params }) }))
      }
      if (sessionEnded.match(action)) {
        subscriptions.endPrivate()
        restored.forget()
      }
      return result
    }
  // Not configureStore with listeners: what they add is in the first load of every visitor.
  const enhance = (globalThis as Devtools).__REDUX_DEVTOOLS_EXTENSION_COMPOSE__ ?? compose
  const store = createStore(
    rootReducer,
    preloaded as AppState | undefined,
    enhance(applyMiddleware(effects, withExtraArgument<AppState, Action, Extra>(extra))),
  )
  return Object.assign(store, { extra }) as unknown as AppStore
}
