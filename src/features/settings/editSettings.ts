import type { CurrencyChangePlan } from '~/domain/money/currencyChange'
import { dbPaths } from '~/domain/data/databasePaths'
import type { ChangeCurrencyInput } from '~/domain/api/inputs/money'
import { domainError } from '~/domain/api/errors'
import { toFieldUpdates } from '~/src/store/live/records'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { Currency, Settings } from '~/domain/catalog/types'

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
