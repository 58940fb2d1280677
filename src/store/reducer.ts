import { combineSlices } from '@reduxjs/toolkit'
import { authSlice } from './auth'
import { noticesSlice } from './notices'

/** Each lazy slice of a shape of its own names itself here, beside its `createSlice`. */
export interface LazySlices {
  /** Keeps the interface open until a feature adds to it. */
  none?: never
}

/**
 * The root of the state. A feature's slice joins it when its module is first loaded
 * (`injectInto`), so that a visitor's page carries nothing of the back office.
 */
export const rootReducer = combineSlices(authSlice, noticesSlice).withLazyLoadedSlices<LazySlices>()

/** The part every page has. A lazy slice is read through its own selectors. */
export type AppState = ReturnType<typeof rootReducer>
