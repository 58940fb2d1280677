import { type PayloadAction, createSlice } from '@reduxjs/toolkit'
import { rootReducer } from '~/src/store/reducer'
import type { AppDispatch } from '~/src/store/storeTypes'
import type { LatLng } from '~/domain/geo/types'

interface GpsState {
  location: LatLng | null
  /** True when no latitude is known. */
  error: boolean
  /** True when the person or the device denies access to the position. */
  isDenied: boolean
  /** Meters per second as reported by the device, or null. */
  speed: number | null
  /** Degrees clockwise from north; null while stationary. */
  heading: number | null
}
const initialState: GpsState = {
  location: null,
  error: false,
  isDenied: false,
  speed: null,
  heading: null,
}
type DevicePosition = LatLng & Partial<Pick<GpsState, 'speed' | 'heading'>>

declare module '~/src/store/reducer' {
  interface LazySlices {
    gpsdata: GpsState
  }
}
const slice = createSlice({
  name: 'gpsdata',
  initialState,
  reducers: {
    positionFound: (state, { payload }: PayloadAction<DevicePosition>) => {
      const { lat, lng, speed = null, heading = null } = payload
      // A stationary car keeps its last heading.
      return { ...initialState, location: { lat, lng }, speed, heading: heading ?? state.heading }
    },
    positionUnknown: (state, { payload }: PayloadAction<{ denied: boolean } | undefined>) => ({
      ...state,
      error: true,
      isDenied: payload?.denied ?? false,
    }),
  },
  selectors: { selectGps: (state) => state },
})
export const { positionFound, positionUnknown } = slice.actions
export const { selectGps } = slice.injectInto(rootReducer).selectors

const makePositionHandlers = (dispatch: AppDispatch) => ({
  handlePosition: ({ coords }: GeolocationPosition) => {
    const { latitude: lat, longitude: lng, speed, heading } = coords
    dispatch(positionFound({ lat, lng, speed, heading: Number.isFinite(heading) ? heading : null }))
  },
  unknown: (error?: GeolocationPositionError) =>
    dispatch(positionUnknown({ denied: error !== undefined && error.code === 1 })),
})

/**
 * Calls back when the person grants or denies access to the position; not every browser reports it.
 */
const onPermissionChange = (onChange: () => void) => {
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

/** Thunk: follows the device's position until the returned function is called. */
export const watchPosition = () => (dispatch: AppDispatch) => {
  const { handlePosition, unknown } = makePositionHandlers(dispatch)
  if (!('geolocation' in navigator)) {
    unknown()
    return () => {}
  }
  const { geolocation } = navigator
  const watch = () =>
    geolocation.watchPosition(handlePosition, unknown, {
      enableHighAccuracy: true,
      maximumAge: 2000,
    })
  let watched = watch()
  // Denied access ends a watch permanently, so a change of the permission needs a new one.
  const forget = onPermissionChange(() => {
    geolocation.clearWatch(watched)
    watched = watch()
  })
  return () => {
    forget()
    geolocation.clearWatch(watched)
  }
}

/** Thunk: requests the position once; returns null when the device does not provide it. */
export const requestPosition = () => (dispatch: AppDispatch) =>
  new Promise<LatLng | null>((resolve) => {
    const { handlePosition, unknown } = makePositionHandlers(dispatch)
    if (!('geolocation' in navigator)) {
      unknown()
      resolve(null)
      return
    }
    navigator.geolocation.getCurrentPosition(
      (position) => {
        handlePosition(position)
        resolve({ lat: position.coords.latitude, lng: position.coords.longitude })
      },
      (error) => {
        unknown(error)
        resolve(null)
      },
      { timeout: 10_000, maximumAge: 10_000 },
    )
  })
