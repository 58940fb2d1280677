import { isRejectedWithValue } from '@reduxjs/toolkit'
import {
  type Action,
  applyMiddleware,
  compose,
  legacy_createStore as createStore,
  type Middleware,
} from 'redux'
import { withExtraArgument } from 'redux-thunk'
import type { DomainError } from '~/domain/api/errors'
import type { Services } from '~/src/services/services'
import { sessionEnded } from './auth'
import { makeFreshSignIn } from './freshSignIn'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from './notices'
import { type AppState, rootReducer } from './reducer'
import { type ServiceThunkMeta, toPendingType } from './serviceThunk'
import { makeHydratedCache } from './live/hydratedCache'
import { makeSubscriptions } from './live/subscriptions'
import type { AppStore, ThunkExtra } from './storeTypes'

const isRejectedThunk = isRejectedWithValue()

/** True for an operation that shows its refusal itself, at a field. */
const isQuiet = (meta: unknown) => (meta as Partial<ServiceThunkMeta>).isQuiet === true

interface Devtools {
  __REDUX_DEVTOOLS_EXTENSION_COMPOSE__?: typeof compose
}

/** Creates the store with the given services; `preloaded` is for tests and restored pages. */
export const makeStore = (services: Services, preloaded?: Partial<AppState>): AppStore => {
  const subscriptions = makeSubscriptions()
  const restored = makeHydratedCache()
  const freshSignIn = makeFreshSignIn()
  const extra: ThunkExtra = { services, subscriptions, hydratedCache: restored, freshSignIn }
  const effectsMiddleware: Middleware<object, AppState> =
    ({ dispatch }) =>
    (next) =>
    (action) => {
      const result = next(action)
      if (isRejectedThunk(action) && !isQuiet(action.meta)) {
        const { key, params } = action.payload as DomainError
        // A new attempt of the same operation ends the problem, whatever comes of it.
        const endedBy = [...ENDED_BY_PAGE_CHANGE, toPendingType(action.type)]
        dispatch(noticeRaised({ tone: 'problem', text: key, endedBy, ...(params && { params }) }))
      }
      if (sessionEnded.match(action)) {
        subscriptions.endPrivate()
        restored.clear()
        freshSignIn.answer(false)
      }
      return result
    }
  // configureStore has 731 bytes more; docs/decisions/072 has the reasons.
  const enhance = (globalThis as Devtools).__REDUX_DEVTOOLS_EXTENSION_COMPOSE__ ?? compose
  const store = createStore(
    rootReducer,
    preloaded as AppState | undefined,
    enhance(
      applyMiddleware(effectsMiddleware, withExtraArgument<AppState, Action, ThunkExtra>(extra)),
    ),
  )
  return Object.assign(store, { extra })
}
