import { useEffect, useRef } from 'react'
import { MIN_TRACK_POINT_INTERVAL_MS } from '~/domain/access/rateLimitedWrites'
import { publishPosition } from '~/src/features/gps/availability'
import { watchPosition, selectGps } from '~/src/features/gps/gps'
import { type TimedPosition, isPositionReportDue } from '~/domain/dispatch/reportingInterval'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { useIsBatteryLow } from './battery'
import { subscribeToOtherTabs } from './outbox/outboxStorage'
import {
  enqueueTrackPoint,
  flushOutbox,
  onlineChanged,
  openOutbox,
  selectOutbox,
} from './outbox/outbox'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/**
 * Milliseconds before a lost connection counts, because every page starts with a short moment
 * without one.
 */
const OFFLINE_DELAY_MS = 2000
const MAX_RETRY_DELAY_MS = 30_000

/** Tracks whether the server is reachable: the device is online and the database is connected. */
export const useConnectionStatus = () => {
  const dispatch = useAppDispatch()
  const { database } = useServices()
  useEffect(() => {
    let reachable = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const report = () => {
      clearTimeout(timer)
      const online = reachable && navigator.onLine
      if (online || !navigator.onLine) dispatch(onlineChanged(online))
      else timer = setTimeout(() => dispatch(onlineChanged(false)), OFFLINE_DELAY_MS)
    }
    const stop = database.subscribeToConnection((connected) => {
      reachable = connected
      report()
    })
    window.addEventListener('online', report)
    window.addEventListener('offline', report)
    return () => {
      clearTimeout(timer)
      stop()
      window.removeEventListener('online', report)
      window.removeEventListener('offline', report)
    }
  }, [dispatch, database])
}

/** Sends the outbox whenever there is a connection, and waits longer after each failure. */
export const useOutboxSender = (uid: string) => {
  const dispatch = useAppDispatch()
  const { items, isOnline, isSending, failureCount } = useAppSelector(selectOutbox)
  useEffect(() => {
    dispatch(openOutbox(uid))
    return subscribeToOtherTabs(uid, () => dispatch(openOutbox(uid)))
  }, [dispatch, uid])
  const waits = items.length > 0 && isOnline && !isSending
  useEffect(() => {
    if (!waits) return
    const wait =
      failureCount === 0 ? 0 : Math.min(MAX_RETRY_DELAY_MS, 1000 * 2 ** (failureCount - 1))
    const timer = setTimeout(() => void dispatch(flushOutbox()), wait)
    return () => clearTimeout(timer)
  }, [dispatch, waits, failureCount])
}

/**
 * Follows the device while the driver is on duty or on a booking. Publishes their position at a
 * rate that depends on their speed, and adds track points to the booking.
 */
export const usePositionReporting = (driver: User, tracked: Booking | null) => {
  const dispatch = useAppDispatch()
  const { location, speed, error, isDenied } = useAppSelector(selectGps)
  const { isOnline } = useAppSelector(selectOutbox)
  const saving = useIsBatteryLow()
  const onDuty = driver.driverActiveStatus === true
  const follows = onDuty || tracked !== null
  useEffect(
    // `isDenied` restarts the watch when the permission comes back.
    () => (follows ? dispatch(watchPosition()) : undefined),
    [dispatch, follows, isDenied],
  )

  // After an error, the last known position must not pass as the current one.
  const here = error ? null : location
  const sentPosition = useRef<TimedPosition | null>(null)
  const { id, carType, fleetadmin, shift, queue = false } = driver
  // Forces a report, so that a driver who becomes free is listed at once. The server removes a busy
  // driver itself.
  useEffect(() => {
    sentPosition.current = null
  }, [onDuty, queue, isOnline, carType])
  useEffect(() => {
    if (!onDuty || !isOnline || !here) return
    const reportIfDue = () => {
      const position = { ...here, at: Date.now() }
      if (!isPositionReportDue(sentPosition.current, position, { speed, saving })) return
      sentPosition.current = position
      const availableDriver = {
        id,
        queue,
        ...(carType && { carType }),
        ...(fleetadmin && { fleetadmin }),
        ...(shift && { shift }),
      }
      void dispatch(publishPosition.quiet({ driver: availableDriver, position: here }))
    }
    reportIfDue()
    // A parked device reports no new position, so a timer keeps the last one fresh.
    const timer = setInterval(reportIfDue, 15_000)
    return () => clearInterval(timer)
  }, [dispatch, onDuty, isOnline, here, speed, saving, id, carType, fleetadmin, shift, queue])

  useTrackPoints(tracked, here, { speed, saving })
}

/** Adds the positions of a trip to its track, at a rate that depends on the speed. */
const useTrackPoints = (
  tracked: Booking | null,
  here: ReturnType<typeof selectGps>['location'],
  { speed, saving }: { speed: number | null; saving: boolean },
) => {
  const dispatch = useAppDispatch()
  const point = useRef<TimedPosition | null>(null)
  const pointAt = useRef(0)
  const trackedId = tracked?.id
  const status = tracked?.status
  useEffect(() => {
    point.current = null
  }, [trackedId, status])
  useEffect(() => {
    if (!trackedId || !status || !here) return
    const position = { ...here, at: Date.now() }
    if (!isPositionReportDue(point.current, position, { speed, saving })) return
    // The first point of a new status can come right after the last one of the old status; the
    // rules would refuse it.
    if (position.at - pointAt.current < MIN_TRACK_POINT_INTERVAL_MS) return
    point.current = position
    pointAt.current = position.at
    void dispatch(enqueueTrackPoint(trackedId, { ...here, status }))
  }, [dispatch, trackedId, status, here, speed, saving])
}
