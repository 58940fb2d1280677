import { useEffect } from 'react'
import { ACTIVE_STATUSES, type Booking } from '~/domain/entities'
import { KEPT_PROFILE } from '~/src/features/auth/session'
import { bookings } from '~/src/features/bookings/bookings'
import { cancelReasons } from '~/src/features/cancelReasons/cancelReasons'
import { languageTexts } from '~/src/features/languages/languages'
import { settings } from '~/src/features/settings/settings'
import { trail } from '~/src/features/tracking/tracking'
import { selectProfile } from '~/src/store/auth'
import { useAppStore } from '~/src/store/hooks'
import type { AppState } from '~/src/store/reducer'

/** A booking whose money is settled is no work any more: its rider's name and places leave the device. */
const isWork = ({ status, paid_at }: Booking): boolean =>
  paid_at === undefined && (ACTIVE_STATUSES as readonly string[]).includes(status)

type Values = Record<string, unknown>

/** What the driver's screens need to go on where they were, by the names it is kept under. */
const workOf = (state: AppState): Values => ({
  [KEPT_PROFILE]: selectProfile(state),
  ...settings.answers(state),
  ...languageTexts.answers(state),
  ...cancelReasons.answers(state),
  ...trail.answers(state),
  ...bookings.answers(state),
})

const slimmed = (value: unknown, name: string): unknown =>
  name.startsWith(bookings.name) ? (value as Booking[]).filter(isWork) : value

/** Has the service worker fetch the files of the driver's screens, also those not opened yet. */
export const useScreensKept = () => {
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    let ended = false
    void navigator.serviceWorker.ready.then(({ active }) => {
      if (!ended) active?.postMessage('keep-trip')
    })
    return () => {
      ended = true
    }
  }, [])
}

/**
 * Keeps the driver's work on the device, so that a page opened again without a connection is where it was: what the
 * database said last. What he did since is in the outbox.
 */
export const useKept = (uid: string) => {
  const store = useAppStore()
  useEffect(() => {
    const { device } = store.extra.services
    let kept: Values = {}
    let isWriting = false
    let ended = false
    const write = async () => {
      if (isWriting || ended) return
      isWriting = true
      try {
        for (;;) {
          const work = workOf(store.getState())
          const isIdle = !Object.values(bookings.answers(store.getState())).some((rows) =>
            rows.some(isWork),
          )
          const names = Object.keys({ ...kept, ...work }).filter(
            (name) =>
              work[name] !== kept[name] &&
              // What nobody looks at just now is still true; where a booking led is nobody's business after it.
              (name in work || (isIdle && name.startsWith(trail.name))),
          )
          if (names.length === 0 || selectProfile(store.getState())?.id !== uid) return
          kept = { ...kept, ...Object.fromEntries(names.map((name) => [name, work[name]])) }
          await device.keep(
            uid,
            Object.fromEntries(names.map((name) => [name, slimmed(work[name] ?? null, name)])),
          )
        }
      } catch {
        // A device without room, or one that keeps nothing in a private window: the work goes on.
        ended = true
      } finally {
        isWriting = false
      }
    }
    void write()
    const stop = store.subscribe(() => void write())
    return () => {
      ended = true
      stop()
    }
  }, [store, uid])
}
