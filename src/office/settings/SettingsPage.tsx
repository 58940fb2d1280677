import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CurrencyChangePlan,
  checkCurrencyChange,
  isSameCurrency,
} from '~/domain/money/currencyChange'
import { type DomainError, domainError } from '~/domain/api/errors'
import { type SettingsForm, settingsForm, createSettingsForm } from '~/domain/forms/settingsForms'
import { dbPaths } from '~/domain/data/databasePaths'
import { changeCurrency } from '~/src/features/settings/editSettings'
import { useAppDispatch } from '~/src/store/hooks'
import { EditPage } from '~/src/office/recordPages/EditPage'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useEditAuthors } from '../audit/useEditAuthors'
import { useOfficeSession } from '../useOfficeSession'
import { CurrencyDialog } from './CurrencyDialog'
import { DispatchTrial } from './DispatchTrial'
import { saveSettings } from './saveSettings'
import {
  CurrencySection,
  DriverSection,
  PlatformSection,
  SecuritySection,
  WalletSection,
} from './settingsSections'
import type { Settings } from '~/domain/catalog/types'

/** The fields that `change_currency` writes. */
const CURRENCY_FIELDS = ['code', 'decimal', 'symbol']
const FORM_FIELDS = Object.keys(settingsForm.entries) as (keyof SettingsForm)[]

/** A currency change that waits for the admin to confirm or reject its plan. */
interface PendingCurrencyChange {
  plan: CurrencyChangePlan
  requested: { code: string; symbol: string }
  resolve: () => void
  reject: (refused: DomainError) => void
}

/** Returns the values of the form; a field without a stored value is empty. */
const toInitialValues = (settings: Settings) => ({
  ...Object.fromEntries(FORM_FIELDS.map((field) => [field, settings[field]])),
  dispatchSeconds: settings.dispatchSeconds ?? null,
  maxPickupMinutes: settings.maxPickupMinutes ?? null,
  followOnMinutes: settings.followOnMinutes ?? null,
  fairnessWeight: settings.fairnessWeight ?? null,
  fareStep: settings.fareStep ?? null,
  bankWaitHours: settings.bankWaitHours ?? null,
  bonusDelayDays: settings.bonusDelayDays ?? null,
  officeIdleMinutes: settings.officeIdleMinutes ?? null,
  officeSessionHours: settings.officeSessionHours ?? null,
  requeueDeclined: settings.requeueDeclined ?? false,
  waitWarnMinutes: settings.waitWarnMinutes ?? null,
  waitAlarmMinutes: settings.waitAlarmMinutes ?? null,
  dispatchMode: settings.dispatchMode ?? 'nearest',
})

/**
 * Returns a function that changes the currency, and the dialog in which the admin confirms the plan
 * of the change.
 */
const useCurrencyChange = () => {
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const [planned, setPlanned] = useState<PendingCurrencyChange | null>(null)
  /** Resolves when the currency has changed; rejects when it stays, and then nothing is saved. */
  const changedTo = async ({ code, symbol }: SettingsForm) => {
    const input = { code, symbol }
    const { plan } = await dispatch(changeCurrency.quiet({ ...input, dry_run: true })).unwrap()
    if (plan)
      await new Promise<void>((resolve, reject) =>
        setPlanned({ plan, requested: input, resolve, reject }),
      )
    notify('currency_changed', { to: code })
  }
  const question = planned && (
    <CurrencyDialog
      plan={planned.plan}
      onChange={async () => {
        await dispatch(changeCurrency(planned.requested)).unwrap()
        planned.resolve()
      }}
      onClose={() => {
        // Has no effect after a change, because the promise has already resolved.
        planned.reject(checkCurrencyChange(planned.plan) ?? domainError('currency_kept', 'code'))
        setPlanned(null)
      }}
    />
  )
  return { changedTo, question }
}

const SettingsEditForm = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { changedTo, question } = useCurrencyChange()
  const authors = useEditAuthors(dbPaths.settings)
  const schema = useMemo(() => createSettingsForm(settings), [settings])
  const save = async (values: SettingsForm, changes: Partial<SettingsForm>) => {
    let left = changes
    if (!isSameCurrency(settings, values)) {
      await changedTo(values)
      left = Object.fromEntries(
        Object.entries(changes).filter(([field]) => !CURRENCY_FIELDS.includes(field)),
      )
    }
    if (Object.keys(left).length > 0) await dispatch(saveSettings(settings, left))
    notify('saved')
  }
  return (
    <>
      <EditPage<SettingsForm>
        title={t('menu_settings')}
        schema={schema}
        initial={toInitialValues(settings)}
        onSave={save}
        {...authors}
      >
        {(field, { control }) => (
          <>
            <CurrencySection field={field} settings={settings} control={control} />
            <SecuritySection field={field} />
            <WalletSection field={field} />
            <PlatformSection field={field} settings={settings} />
            <DriverSection field={field} settings={settings} />
          </>
        )}
      </EditPage>
      <DispatchTrial settings={settings} />
      {question}
    </>
  )
}

/** Edits the platform's settings: currency, security, wallet, country, drivers. */
export const SettingsPage = () => {
  const { settings } = useOfficeSession()
  return settings ? <SettingsEditForm settings={settings} /> : <SkeletonLines lines={6} />
}
