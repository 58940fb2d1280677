import { areContactsHidden, isOfficeRole } from '~/domain/access/permissions'
import { selectProfile } from './auth'
import { useAppSelector } from './hooks'
import type { AppState } from './reducer'
import type { Settings } from '~/domain/catalog/types'

const selectSettings = (state: AppState): Settings | null =>
  (Reflect.get(state, 'settingsdata') as { settings: Settings | null } | undefined)?.settings ??
  null

/**
 * Returns true when the rules refuse contacts to the signed-in person, which is in demo mode for
 * the office; undefined until the settings of the office are known.
 */
const selectContactsHidden = (state: AppState): boolean | undefined => {
  const profile = selectProfile(state)
  if (!profile || !isOfficeRole(profile.usertype)) return false
  const settings = selectSettings(state)
  return settings ? areContactsHidden(profile.usertype, settings) : undefined
}
export const useContactsHidden = (): boolean | undefined => useAppSelector(selectContactsHidden)
