import { useEffect, useState } from 'react'
import { checkStopCount } from '~/domain/booking/limits/limits'
import { fetchRoute } from '~/src/features/estimates/estimates'
import { useAppDispatch } from '~/src/store/hooks'
import type { Route } from '~/domain/booking/trip/route'
import type { ChosenPlaces } from './tripDraft'

/** Loads the route between the places of this form. */
export const useTripRoute = (places: ChosenPlaces | null) => {
  const dispatch = useAppDispatch()
  const [response, setResponse] = useState<{ key: string; route: Route | null } | null>(null)
  const [round, setRound] = useState(0)
  const isWanted = places !== null && !checkStopCount(places.waypoints.length)
  const key = isWanted ? JSON.stringify(places) : null
  useEffect(() => {
    if (key === null) return
    let isCurrent = true
    dispatch(fetchRoute.quiet(JSON.parse(key) as ChosenPlaces))
      .unwrap()
      .then(
        (route) => isCurrent && setResponse({ key, route }),
        () => isCurrent && setResponse({ key, route: null }),
      )
    return () => {
      isCurrent = false
    }
  }, [key, round, dispatch])
  const current = response?.key === key ? response : null
  const hasRouteFailed = current !== null && current.route === null
  return {
    route: current?.route ?? null,
    hasRouteFailed,
    isLoading: key !== null && current === null,
    /** Requests the route again; forgets the one that has failed. */
    reload: () => {
      if (hasRouteFailed) setResponse(null)
      setRound((count) => count + 1)
    },
  }
}
