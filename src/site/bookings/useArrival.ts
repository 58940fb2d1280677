import { useEffect, useRef, useState } from 'react'
import type { Booking, LatLng } from '~/domain/entities'
import { fetchArrival } from '~/src/features/estimates/arrival'
import { useAppDispatch } from '~/src/store/hooks'

/** The way is asked for again only so often, however often the car moves. */
const ASK_AGAIN_MS = 20_000

/** Seconds until the driver is at the pickup (ACCEPTED) or the drop-off (STARTED); null while unknown. */
export const useArrival = (booking: Booking, car: LatLng | undefined): number | null => {
  const dispatch = useAppDispatch()
  const [answer, setAnswer] = useState<{ status: string; seconds: number } | null>(null)
  const asked = useRef({ at: 0, status: '' })
  const { status, pickup, drop } = booking
  const to = status === 'ACCEPTED' ? pickup : status === 'STARTED' ? drop : null
  const [toLat, toLng] = [to?.lat, to?.lng]
  const [lat, lng] = [car?.lat, car?.lng]
  useEffect(() => {
    if (lat === undefined || lng === undefined || toLat === undefined || toLng === undefined) return
    const now = Date.now()
    if (asked.current.status === status && now - asked.current.at < ASK_AGAIN_MS) return
    asked.current = { at: now, status }
    dispatch(fetchArrival({ from: { lat, lng }, to: { lat: toLat, lng: toLng }, quiet: true }))
      .unwrap()
      .then(
        // The car has gone on meanwhile; where it goes to is what has to be the same.
        (seconds) => asked.current.status === status && setAnswer({ status, seconds }),
        // Without an answer the last one stands.
        () => undefined,
      )
  }, [dispatch, status, lat, lng, toLat, toLng])
  return to && car && answer?.status === status ? answer.seconds : null
}
