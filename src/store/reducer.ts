import { combineSlices } from '@reduxjs/toolkit'
import { authSlice } from './auth'
import { noticesSlice } from './notices'

/** Lazy slices with their own state shape add themselves here, next to their `createSlice`. */
export interface LazySlices {
  /** Keeps the interface open until a feature extends it. */
  none?: never
}

/**
 * The root reducer. A feature's slice joins when its module first loads (`injectInto`), so that a
 * visitor's page contains no back-office code.
 */
export const rootReducer = combineSlices(authSlice, noticesSlice).withLazyLoadedSlices<LazySlices>()

/** The part of the state that every page has. Lazy slices have their own selectors. */
export type AppState = ReturnType<typeof rootReducer>
