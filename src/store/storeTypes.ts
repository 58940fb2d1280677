import type { ThunkDispatch } from '@reduxjs/toolkit'
import type { Action, Store } from 'redux'
import type { Services } from '~/src/services/services'
import type { FreshSignIn } from './freshSignIn'
import type { AppState } from './reducer'
import type { HydratedCache } from './live/hydratedCache'
import type { Subscriptions } from './live/subscriptions'

/** The extra argument of every thunk. */
export interface ThunkExtra {
  services: Services
  subscriptions: Subscriptions
  hydratedCache: HydratedCache
  freshSignIn: FreshSignIn
}

export type AppDispatch = ThunkDispatch<AppState, ThunkExtra, Action>

export type AppStore = Store<AppState, Action> & { dispatch: AppDispatch; extra: ThunkExtra }
