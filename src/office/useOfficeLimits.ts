import { useEffect } from 'react'
import { getOfficeSessionEnd, type OfficeLimits } from '~/domain/access/sessions'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { signOutFor } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { getNow } from './dates'
import type { Settings } from '~/domain/catalog/types'

/** Milliseconds between two looks at the limits. */
const CHECK_INTERVAL_MS = 15_000
const ACTIONS = ['pointerdown', 'keydown', 'wheel'] as const
/** The time (ms) of the last action on any office page of this browser. */
const LAST_ACTION = 'kerbside.officeActionAt'

const recordAction = () => savePreference(LAST_ACTION, String(getNow()))
const readLastAction = (): number => Number(readPreference(LAST_ACTION))

const findReason = (limits: OfficeLimits, signedInAt: number) => {
  const now = getNow()
  const end = getOfficeSessionEnd(limits, signedInAt)
  if (end !== undefined && end <= now) return 'session_expired'
  const { officeIdleMinutes } = limits
  const lastAction = Math.max(readLastAction(), signedInAt)
  return officeIdleMinutes !== undefined && lastAction + officeIdleMinutes * MINUTE_MS <= now
    ? 'session_idle'
    : undefined
}

/**
 * Signs the office out after a time without an action on any of its pages, and when its sign-in is
 * older than the settings allow. The functions refuse an old sign-in too.
 */
export const useOfficeLimits = (settings: Settings | null): void => {
  const dispatch = useAppDispatch()
  const { officeIdleMinutes, officeSessionHours } = settings ?? {}
  useEffect(() => {
    const limits: OfficeLimits = {
      ...(officeIdleMinutes !== undefined && { officeIdleMinutes }),
      ...(officeSessionHours !== undefined && { officeSessionHours }),
    }
    if (Object.keys(limits).length === 0) return
    const check = () => void dispatch(signOutFor((signedInAt) => findReason(limits, signedInAt)))
    check()
    const timer = setInterval(check, CHECK_INTERVAL_MS)
    for (const action of ACTIONS) window.addEventListener(action, recordAction, { passive: true })
    return () => {
      clearInterval(timer)
      for (const action of ACTIONS) window.removeEventListener(action, recordAction)
    }
  }, [dispatch, officeIdleMinutes, officeSessionHours])
}
