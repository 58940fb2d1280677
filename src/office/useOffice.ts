import { useCallback } from 'react'
import type { Settings, User } from '~/domain/entities'
import { type OfficeAction, actionRefused } from '~/domain/permissions'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { undoable } from '~/src/store/undo'

/** Who works here, under which settings, and what they let him do. */
export const useOffice = (): {
  profile: User | null
  isAdmin: boolean
  settings: Settings | null
  /** Whether the action may go on; says why when it may not (demo mode shows its message). */
  allowed: (action: OfficeAction) => boolean
  /** The same without saying anything: for buttons that are not drawn at all. */
  may: (action: OfficeAction) => boolean
  say: (text: string, params?: Record<string, string | number>) => void
  /** Says that something was deleted, with the way to have it back. */
  sayDeleted: (restore: () => unknown) => void
} => {
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const may = (action: OfficeAction) =>
    settings !== null && actionRefused(action, profile?.usertype, settings) === undefined
  const allowed = (action: OfficeAction) => {
    const refused = settings && actionRefused(action, profile?.usertype, settings)
    if (refused) dispatch(noticeRaised({ tone: 'problem', text: refused.key }))
    return settings !== null && !refused
  }
  const say = useCallback(
    (text: string, params?: Record<string, string | number>) => {
      dispatch(noticeRaised({ tone: 'success', text, ...(params && { params }) }))
    },
    [dispatch],
  )
  const sayDeleted = useCallback(
    (restore: () => unknown) => {
      dispatch(noticeRaised({ tone: 'success', text: 'deleted', undo: undoable(restore) }))
    },
    [dispatch],
  )
  return {
    profile,
    isAdmin: profile?.usertype === 'admin',
    settings,
    allowed,
    may,
    say,
    sayDeleted,
  }
}
