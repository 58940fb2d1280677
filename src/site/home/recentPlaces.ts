import type { Place } from '~/domain/entities'
import { remember } from '~/src/ui/remember'

const KEY = 'kerbside.recent'
const MOST = 5

/** The places chosen last on this device, newest first. */
export const recentPlaces = (): Place[] => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Place[]
  } catch {
    return []
  }
}

export const rememberPlace = ({ lat, lng, add }: Place) => {
  const others = recentPlaces().filter((place) => place.add !== add)
  remember(KEY, JSON.stringify([{ lat, lng, add }, ...others].slice(0, MOST)))
}
