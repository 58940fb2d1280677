import { type DomainError, domainError } from '~/domain/api/errors'
import { editSettings, type SettingsChanges } from '~/src/features/settings/editSettings'
import type { AppDispatch } from '~/src/store/storeTypes'
import type { Settings } from '~/domain/catalog/types'

/**
 * Returns a thunk that writes the changed settings and reports any refusal of the database as
 * update_failed.
 */
export const saveSettings =
  (before: Settings, changes: SettingsChanges) =>
  async (dispatch: AppDispatch): Promise<void> => {
    await dispatch(editSettings.quiet({ before, changes }))
      .unwrap()
      .catch((error: unknown) => {
        const { key } = error as DomainError
        throw key === 'demo_mode' || key === 'proper_bonus' ? error : domainError('update_failed')
      })
  }
