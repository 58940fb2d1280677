import { readPreference, savePreference } from '~/src/ui/preferences'
import type { Place } from '~/domain/geo/types'

const STORAGE_KEY = 'kerbside.recent'
const MAX_PLACES = 5

/** Returns the places chosen last on this device, newest first. */
export const loadRecentPlaces = (): Place[] => {
  try {
    return JSON.parse(readPreference(STORAGE_KEY) ?? '[]') as Place[]
  } catch {
    return []
  }
}

export const saveRecentPlace = ({ lat, lng, add }: Place) => {
  const others = loadRecentPlaces().filter((place) => place.add !== add)
  savePreference(STORAGE_KEY, JSON.stringify([{ lat, lng, add }, ...others].slice(0, MAX_PLACES)))
}
