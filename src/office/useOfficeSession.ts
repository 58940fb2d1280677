import { useCallback } from 'react'
import { type OfficeAction, checkAction } from '~/domain/access/permissions'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { registerUndo } from '~/src/store/undoActions'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Returns the current user, the settings, and the actions they allow the user. */
export const useOfficeSession = (): {
  profile: User | null
  isAdmin: boolean
  settings: Settings | null
  /**
   * Returns true when the action is allowed; otherwise shows the reason (in demo mode, its
   * message).
   */
  canOrNotify: (action: OfficeAction) => boolean
  /** Returns the same without a message, for buttons that are not rendered at all. */
  can: (action: OfficeAction) => boolean
  notify: (text: string, params?: Record<string, string | number>) => void
  /** Reports that a record was deleted, with a button to restore it. */
  notifyDeleted: (restore: () => unknown) => void
} => {
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const can = (action: OfficeAction) =>
    settings !== null && checkAction(action, profile?.usertype, settings) === undefined
  const canOrNotify = (action: OfficeAction) => {
    const refused = settings && checkAction(action, profile?.usertype, settings)
    if (refused)
      dispatch(noticeRaised({ tone: 'problem', text: refused.key, endedBy: ENDED_BY_PAGE_CHANGE }))
    return settings !== null && !refused
  }
  const notify = useCallback(
    (text: string, params?: Record<string, string | number>) => {
      dispatch(noticeRaised({ tone: 'success', text, ...(params && { params }) }))
    },
    [dispatch],
  )
  const notifyDeleted = useCallback(
    (restore: () => unknown) => {
      dispatch(noticeRaised({ tone: 'success', text: 'deleted', undoId: registerUndo(restore) }))
    },
    [dispatch],
  )
  return {
    profile,
    isAdmin: profile?.usertype === 'admin',
    settings,
    canOrNotify,
    can,
    notify,
    notifyDeleted,
  }
}
