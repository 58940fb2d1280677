import type { Settings } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { at } from '~/domain/paths'
import { liveRecord } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { fieldsAt } from '~/src/store/storable'

/** Null while they load, and for good on a platform that is not set up yet. */
export const settings = liveRecord<'settings', Settings>('settingsdata', 'settings', {
  at: () => ({ path: at.settings }),
  row: async () => (await import('./settingsRow')).settingsRow,
  open: true,
})

/** Saves the changed settings; refused in demo mode and without a bonus. */
export const editSettings = operation<{
  before: Settings
  changes: Partial<Settings>
  quiet?: boolean
}>('settingsdata/editSettings', async ({ before, changes }, { database }) => {
  if (before.AllowCriticalEditsAdmin === false) throw refusal('demo_mode')
  if ('bonus' in changes && typeof changes.bonus !== 'number')
    throw refusal('proper_bonus', 'bonus')
  await database.update(fieldsAt(at.settings, changes))
})
