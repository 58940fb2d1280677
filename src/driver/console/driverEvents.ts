import { useState } from 'react'
import { type CurrentStop, getCurrentStop } from '~/domain/booking/stops/bookingStops'
import type { DriverEvent } from '~/domain/booking/transitions'
import { positionFound, requestPosition, selectGps } from '~/src/features/gps/gps'
import { useAppDispatch, useAppSelector, useAppStore } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import type { BookingWithEvents } from '../currentBookings'
import { refusalRead, selectOutbox } from '../outbox/outbox'
import type { DriverEventInput, PhotoField } from '../outbox/outboxItem'
import { useSendEvent } from '../outbox/useSendEvent'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Booking } from '~/domain/booking/types'
import type { Place } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Events that have a button of their own beside the main one. */
const SIDE_EVENTS: readonly DriverEvent[] = ['skip_stop', 'release', 'no_show']
/** Events that end a drive, whose map and distance the screen shows before. */
const DRIVING_EVENTS: readonly (DriverEvent | undefined)[] = ['arrive', 'arrive_stop', 'reach']

/** Returns the photo that the settings require for an event, if any. */
const getRequiredPhoto = (
  eventName: DriverEvent | undefined,
  settings: Settings,
): PhotoField | null => {
  if (settings.appcat !== 'delivery') return null
  if (eventName === 'start' && settings.AllowDeliveryPickupImageCapture) return 'pickup_image'
  return eventName === 'reach' && settings.AllowFinalDeliveryImageCapture ? 'deliver_image' : null
}

/** Returns the place to drive to next, which depends on the next event. */
const getTarget = (
  booking: Booking,
  eventName: DriverEvent | undefined,
  stop: CurrentStop | undefined,
): Place => {
  if (eventName === 'arrive' || eventName === 'start') return booking.pickup
  return stop?.place ?? booking.drop
}

/** Returns a stop as an event names it. */
export const toStopRef = ({ index, place: { lat, lng } }: CurrentStop) => ({
  index,
  stop: { lat, lng },
})

/** Returns a booking's outbox state: true while an event waits, and the last refusal. */
const useOutboxState = ({ id }: Booking) => {
  const outbox = useAppSelector(selectOutbox)
  const waiting = outbox.items.some((item) => item.kind === 'event' && item.booking_id === id)
  return {
    isWaiting: waiting && !outbox.isOptimistic,
    refused: outbox.rejectedEvents.find((r) => r.booking_id === id && r.droppedEventCount === 0),
  }
}

export interface DriverBooking {
  current: BookingWithEvents
  driver: User
  settings: Settings
}

/** Sends the events of the booking, after the code, the photo or the position that they need. */
export const useDriverEvents = (
  { current: { booking }, driver, settings }: DriverBooking,
  next: NextEvent,
) => {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { location, error: lost } = useAppSelector(selectGps)
  const [asking, setAsking] = useState<DriverEvent | null>(null)
  const { busy: isLocating, run } = useSingleRun()
  const { isWaiting, refused } = useOutboxState(booking)
  const { eventName, stop } = next
  const photoField = getRequiredPhoto(asking ?? eventName, settings)
  const sendEvent = useSendEvent(booking, driver, settings)
  const send = (input: DriverEventInput, photo?: string) =>
    sendEvent(input, photoField && photo ? { field: photoField, url: photo } : undefined)
  const take = async (event: DriverEvent, proof: { otp?: number; photo?: string } = {}) => {
    const on = { booking_id: booking.id }
    if (event === 'arrive' || event === 'reach') {
      // A lost position must not pass as the current one.
      const place = (lost ? null : location) ?? (await dispatch(requestPosition()))
      if (!place) {
        const { isDenied } = selectGps(store.getState())
        const text = isDenied ? 'gps_denied' : 'gps_unknown'
        dispatch(noticeRaised({ tone: 'problem', text, endedBy: [positionFound.type] }))
        return
      }
      send({ ...on, event, lat: place.lat, lng: place.lng }, proof.photo)
      if (event === 'reach') setAsking(null)
    } else if (event === 'arrive_stop' || event === 'leave_stop') {
      if (stop) send({ ...on, event, ...toStopRef(stop) })
    } else if (event === 'start')
      send({ ...on, event, ...(proof.otp !== undefined && { otp: proof.otp }) }, proof.photo)
    else if (event === 'finish' || event === 'collect') send({ ...on, event })
  }
  const begin = (event: DriverEvent) => {
    dispatch(refusalRead(booking.id))
    const isCodeAsked = event === 'start' && booking.otp !== false
    if (isCodeAsked || getRequiredPhoto(event, settings)) setAsking(event)
    else void run(() => take(event))
  }
  return {
    asking,
    photoField,
    needsCode: (asking ?? eventName) === 'start' && booking.otp !== false,
    refused,
    isBusy: isLocating || isWaiting,
    send,
    begin,
    finish: (event: DriverEvent, proof: { otp?: number; photo?: string }) =>
      void run(() => take(event, proof)),
    stopAsking: () => {
      setAsking(null)
      dispatch(refusalRead(booking.id))
    },
  }
}

/** The next event of the booking, the stop where it happens, and the place to drive to. */
export interface NextEvent {
  eventName: DriverEvent | undefined
  stop: CurrentStop | undefined
  target: Place
  isDriving: boolean
}

export const getNextEvent = ({ booking, events }: BookingWithEvents): NextEvent => {
  const eventName = events.find((event) => !SIDE_EVENTS.includes(event))
  const stop = getCurrentStop(booking)
  const target = getTarget(booking, eventName, stop)
  return { eventName, stop, target, isDriving: DRIVING_EVENTS.includes(eventName) }
}
