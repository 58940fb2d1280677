import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'react-redux'
import { liveOffers } from '~/src/features/offers/offers'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import type { AppState } from '~/src/store/reducer'
import { findTracked, mayAcceptOffer, useCurrentBookings } from '../currentBookings'
import { offersEnded, selectDriverOffers } from './offerState'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

export interface DriverOffers {
  /** The bookings' ids. */
  ids: readonly string[]
  settings: Settings
  /** False while the driver is busy and cannot take another booking. */
  mayAccept: boolean
  /** The trip that the driver finishes before an offered booking. */
  trip: Booking | undefined
  /** True while the offers cover the screen. */
  areOverScreen: boolean
}

/** Returns the offers to the driver; null while these or the settings load. */
export const useOffers = (): DriverOffers | null => {
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { tasks: ids } = useLive(liveOffers)
  const { current } = useCurrentBookings()
  const { closed } = useAppSelector(selectDriverOffers)
  if (!driver || !settings || !ids) return null
  const mayAccept = mayAcceptOffer(driver, current, settings)
  return {
    ids,
    settings,
    mayAccept,
    trip: driver.queue && mayAccept ? findTracked(current) : undefined,
    // A driver who cannot accept must not be interrupted.
    areOverScreen: mayAccept && ids.some((id) => !closed.includes(id)),
  }
}

/**
 * Shows one notice when an offer ends without this driver's answer. Shows none for offers that end
 * together with an answered one, because an accept withdraws the driver's other offers in its own
 * write.
 */
export const useEndedOfferNotice = () => {
  const dispatch = useAppDispatch()
  const store = useStore<AppState>()
  const { tasks } = useLive(liveOffers)
  const before = useRef<readonly string[]>([])
  const ids = useMemo(() => tasks ?? [], [tasks])
  useEffect(() => {
    const gone = before.current.filter((id) => !ids.includes(id))
    const { answered } = selectDriverOffers(store.getState())
    const isAnswer = gone.some((id) => answered.includes(id))
    if (gone.length > 0 && !isAnswer) dispatch(noticeRaised({ tone: 'news', text: 'task_gone' }))
    if (gone.length > 0) dispatch(offersEnded(gone))
    before.current = ids
  }, [ids, store, dispatch])
}
