import type { ChangeCurrencyInput } from '~/domain/endpointSchemas'
import type { CurrencyChangePlan } from '~/domain/currencyChange'
import type { Currency, Settings } from '~/domain/entities'
import { domainError } from '~/domain/errors'
import { dbPaths } from '~/domain/databasePaths'
import { createLiveRecord } from '~/src/store/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { toFieldUpdates } from '~/src/store/records'

/** The platform's settings; null while loading, and always on a platform that is not set up yet. */
export const settings = createLiveRecord<'settings', Settings>('settingsdata', 'settings', {
  toQuery: () => ({ path: dbPaths.settings }),
  schema: async () => (await import('./settingsSchema')).settingsSchema,
  isPublic: true,
})

/** Settings to write; null removes an optional one. */
export type SettingsChanges = { [Name in keyof Settings]?: Settings[Name] | null | undefined }

/** Saves the changed settings; refuses in demo mode and without a bonus. */
export const editSettings = createServiceThunk<{
  before: Settings
  changes: SettingsChanges
}>('settingsdata/editSettings', async ({ before, changes }, { database }) => {
  if (before.AllowCriticalEditsAdmin === false) throw domainError('demo_mode')
  if ('bonus' in changes && typeof changes.bonus !== 'number')
    throw domainError('proper_bonus', 'bonus')
  await database.update(toFieldUpdates(dbPaths.settings, changes))
})

/** Changes the currency, or with `dry_run` returns the remaining balances in the current one. */
export const changeCurrency = createServiceThunk<
  ChangeCurrencyInput,
  Currency & { changed: boolean; plan: CurrencyChangePlan | null }
>('settingsdata/changeCurrency', (input, { functions }) => functions.call('change_currency', input))
