import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { LatLng } from '~/domain/entities'
import type { AppDispatch } from '~/src/store/makeStore'
import { rootReducer } from '~/src/store/reducer'

interface Gps {
  location: LatLng | null
  /** True when no latitude is present. */
  error: boolean
}
const initialState: Gps = { location: null, error: false }
declare module '~/src/store/reducer' {
  interface LazySlices {
    gpsdata: Gps
  }
}
const slice = createSlice({
  name: 'gpsdata',
  initialState,
  reducers: {
    positionFound: (_, { payload }: PayloadAction<LatLng>) => ({ location: payload, error: false }),
    positionUnknown: (state) => ({ ...state, error: true }),
  },
  selectors: { selectGps: (state) => state },
})
export const { positionFound, positionUnknown } = slice.actions
export const { selectGps } = slice.injectInto(rootReducer).selectors

const told = (dispatch: AppDispatch) => ({
  found: ({ coords }: GeolocationPosition) =>
    dispatch(positionFound({ lat: coords.latitude, lng: coords.longitude })),
  unknown: () => dispatch(positionUnknown()),
})

/** Thunk: follows the device until the answered function is called. */
export const followPosition = () => (dispatch: AppDispatch) => {
  if (!('geolocation' in navigator)) {
    dispatch(positionUnknown())
    return () => {}
  }
  const { found, unknown } = told(dispatch)
  const watch = navigator.geolocation.watchPosition(found, unknown, { enableHighAccuracy: true })
  return () => navigator.geolocation.clearWatch(watch)
}

/** Thunk: asks the device once; null when it does not tell. */
export const findPosition = () => (dispatch: AppDispatch) =>
  new Promise<LatLng | null>((resolve) => {
    const { found, unknown } = told(dispatch)
    if (!('geolocation' in navigator)) {
      unknown()
      resolve(null)
      return
    }
    navigator.geolocation.getCurrentPosition(
      (position) => {
        found(position)
        resolve({ lat: position.coords.latitude, lng: position.coords.longitude })
      },
      () => {
        unknown()
        resolve(null)
      },
      { timeout: 10_000 },
    )
  })
