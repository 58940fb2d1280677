import {
  configureStore,
  createListenerMiddleware,
  isRejectedWithValue,
  type ThunkDispatch,
  Tuple,
} from '@reduxjs/toolkit'
import type { Action, Store } from 'redux'
import { withExtraArgument } from 'redux-thunk'
import type { Refusal } from '~/domain/errors'
import type { Services } from '~/src/services/services'
import { sessionEnded } from './auth'
import { noticeRaised } from './notices'
import { type AppState, rootReducer } from './reducer'
import { type Subscriptions, makeSubscriptions } from './subscriptions'

/** What every thunk is given beside dispatch and state. */
export interface Extra {
  services: Services
  subscriptions: Subscriptions
}
export type AppDispatch = ThunkDispatch<AppState, Extra, Action>
export type AppStore = Store<AppState, Action> & { dispatch: AppDispatch; extra: Extra }

const refused = isRejectedWithValue()
/** An operation that shows its refusal itself, at a field, is marked so. */
const isQuiet = (meta: unknown) => (meta as { arg?: { quiet?: boolean } }).arg?.quiet === true

/** The store over the given services; `preloaded` is for tests and restored pages. */
export const makeStore = (services: Services, preloaded?: Partial<AppState>): AppStore => {
  const subscriptions = makeSubscriptions()
  const extra: Extra = { services, subscriptions }
  const listeners = createListenerMiddleware<AppState, AppDispatch, Extra>({ extra })

  listeners.startListening({
    matcher: refused,
    effect: (action, { dispatch }) => {
      if (isQuiet(action.meta)) return
      const { key, params } = action.payload as Refusal
      dispatch(noticeRaised({ tone: 'problem', text: key, ...(params && { params }) }))
    },
  })
  listeners.startListening({
    actionCreator: sessionEnded,
    effect: () => subscriptions.endPrivate(),
  })

  const store = configureStore({
    reducer: rootReducer,
    preloadedState: preloaded as AppState | undefined,
    middleware: (defaults) =>
      new Tuple(
        listeners.middleware,
        withExtraArgument<AppState, Action, Extra>(extra),
        ...defaults({ thunk: false }),
      ),
  })
  return Object.assign(store, { extra }) as unknown as AppStore
}
