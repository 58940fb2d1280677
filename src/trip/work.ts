import { useEffect, useRef } from 'react'
import type { Booking, User } from '~/domain/entities'
import { sendPlace } from '~/src/features/gps/duty'
import { followPosition, selectGps } from '~/src/features/gps/gps'
import { type Fix, isDue } from '~/src/features/gps/pace'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { useLowBattery } from './battery'
import { onKeptElsewhere } from './outbox/keeping'
import { enqueuePoint, flush, onlineChanged, openOutbox, selectOutbox } from './outbox/outbox'

/** A lost connection counts only after this long: every page begins with a moment without one. */
const PATIENCE_MS = 2000
const LONGEST_WAIT_MS = 30_000

/** Knows whether the server can be reached: the device must be online, and the database answer. */
export const useConnection = () => {
  const dispatch = useAppDispatch()
  const { database } = useServices()
  useEffect(() => {
    let reachable = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      clearTimeout(timer)
      const online = reachable && navigator.onLine
      if (online || !navigator.onLine) dispatch(onlineChanged(online))
      else timer = setTimeout(() => dispatch(onlineChanged(false)), PATIENCE_MS)
    }
    const stop = database.connected((connected) => {
      reachable = connected
      tell()
    })
    window.addEventListener('online', tell)
    window.addEventListener('offline', tell)
    return () => {
      clearTimeout(timer)
      stop()
      window.removeEventListener('online', tell)
      window.removeEventListener('offline', tell)
    }
  }, [dispatch, database])
}

/** Sends what is in the outbox whenever it can be sent, less and less often while it can't. */
export const useOutbox = (uid: string) => {
  const dispatch = useAppDispatch()
  const { items, online, sending, failures } = useAppSelector(selectOutbox)
  useEffect(() => {
    dispatch(openOutbox(uid))
    return onKeptElsewhere(uid, () => dispatch(openOutbox(uid)))
  }, [dispatch, uid])
  const waits = items.length > 0 && online && !sending
  useEffect(() => {
    if (!waits) return
    const wait = failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (failures - 1))
    const timer = setTimeout(() => void dispatch(flush()), wait)
    return () => clearTimeout(timer)
  }, [dispatch, waits, failures])
}

/**
 * While on duty or on a trip: follows the device, tells the platform where the driver is at the pace of his driving,
 * and writes the points of the trip's way.
 */
export const useWhereabouts = (driver: User, tracked: Booking | null) => {
  const dispatch = useAppDispatch()
  const { location, speed, error, denied } = useAppSelector(selectGps)
  const { online } = useAppSelector(selectOutbox)
  const saving = useLowBattery()
  const onDuty = driver.driverActiveStatus === true
  const follows = onDuty || tracked !== null
  useEffect(
    // Anew when he was found again after it had been forbidden.
    () => (follows ? dispatch(followPosition()) : undefined),
    [dispatch, follows, denied],
  )

  // Where he was is no place to say that he is.
  const here = error ? null : location
  const sent = useRef<Fix | null>(null)
  const { id, carType, fleetadmin, queue = false } = driver
  // A driver who becomes free lists himself at once; one who was taken is off the list already.
  useEffect(() => {
    sent.current = null
  }, [onDuty, queue, online, carType])
  useEffect(() => {
    if (!onDuty || !online || !here) return
    const look = () => {
      const fix = { ...here, at: Date.now() }
      if (!isDue(sent.current, fix, { speed, saving })) return
      sent.current = fix
      const place = { lat: fix.lat, lng: fix.lng }
      const listed = { id, queue, ...(carType && { carType }), ...(fleetadmin && { fleetadmin }) }
      void dispatch(sendPlace({ driver: listed, place, quiet: true }))
    }
    look()
    // A parked device reports no new position, and still says that it is there.
    const timer = setInterval(look, 15_000)
    return () => clearInterval(timer)
  }, [dispatch, onDuty, online, here, speed, saving, id, carType, fleetadmin, queue])

  const point = useRef<Fix | null>(null)
  const trackedId = tracked?.id
  const status = tracked?.status
  useEffect(() => {
    point.current = null
  }, [trackedId, status])
  useEffect(() => {
    if (!trackedId || !status || !here) return
    const fix = { ...here, at: Date.now() }
    if (!isDue(point.current, fix, { speed, saving })) return
    point.current = fix
    void dispatch(enqueuePoint(trackedId, { lat: fix.lat, lng: fix.lng, status }))
  }, [dispatch, trackedId, status, here, speed, saving])
}
