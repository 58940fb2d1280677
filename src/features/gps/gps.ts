import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import type { LatLng } from '~/domain/entities'
import type { AppDispatch } from '~/src/store/makeStore'
import { rootReducer } from '~/src/store/reducer'

interface Gps {
  location: LatLng | null
  /** True when no latitude is present. */
  error: boolean
  /** True when the person or the device forbids asking. */
  denied: boolean
  /** Metres a second, as the device says; null when it does not. */
  speed: number | null
  /** Degrees clockwise from north; null while standing. */
  heading: number | null
}
const initialState: Gps = {
  location: null,
  error: false,
  denied: false,
  speed: null,
  heading: null,
}
type Fix = LatLng & Partial<Pick<Gps, 'speed' | 'heading'>>

declare module '~/src/store/reducer' {
  interface LazySlices {
    gpsdata: Gps
  }
}
const slice = createSlice({
  name: 'gpsdata',
  initialState,
  reducers: {
    positionFound: (state, { payload }: PayloadAction<Fix>) => {
      const { lat, lng, speed = null, heading = null } = payload
      // A standing car keeps pointing where it went.
      return { ...initialState, location: { lat, lng }, speed, heading: heading ?? state.heading }
    },
    positionUnknown: (state, { payload }: PayloadAction<{ denied: boolean } | undefined>) => ({
      ...state,
      error: true,
      denied: payload?.denied ?? false,
    }),
  },
  selectors: { selectGps: (state) => state },
})
export const { positionFound, positionUnknown } = slice.actions
export const { selectGps } = slice.injectInto(rootReducer).selectors

const told = (dispatch: AppDispatch) => ({
  found: ({ coords }: GeolocationPosition) => {
    const { latitude: lat, longitude: lng, speed, heading } = coords
    dispatch(positionFound({ lat, lng, speed, heading: Number.isFinite(heading) ? heading : null }))
  },
  unknown: (error?: GeolocationPositionError) =>
    dispatch(positionUnknown({ denied: error !== undefined && error.code === 1 })),
})

/** Calls back when the person allows or forbids to ask where the device is; not every browser tells. */
const onAllowed = (onChange: () => void) => {
  let ended = false
  let stop = () => {}
  navigator.permissions?.query({ name: 'geolocation' }).then(
    (permission) => {
      if (ended) return
      permission.addEventListener('change', onChange)
      stop = () => permission.removeEventListener('change', onChange)
    },
    () => undefined,
  )
  return () => {
    ended = true
    stop()
  }
}

/** Thunk: follows the device until the answered function is called. */
export const followPosition = () => (dispatch: AppDispatch) => {
  const { found, unknown } = told(dispatch)
  if (!('geolocation' in navigator)) {
    unknown()
    return () => {}
  }
  const { geolocation } = navigator
  const watch = () =>
    geolocation.watchPosition(found, unknown, { enableHighAccuracy: true, maximumAge: 2000 })
  let watched = watch()
  // What was forbidden ends a watch for good.
  const forget = onAllowed(() => {
    geolocation.clearWatch(watched)
    watched = watch()
  })
  return () => {
    forget()
    geolocation.clearWatch(watched)
  }
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
      (error) => {
        unknown(error)
        resolve(null)
      },
      { timeout: 10_000, maximumAge: 10_000 },
    )
  })
