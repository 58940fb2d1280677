import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CurrencyChangePlan,
  checkCurrencyChange,
  isSameCurrency,
} from '~/domain/money/currencyChange'
import { type DomainError, domainError } from '~/domain/api/errors'
import { type SettingsForm, settingsForm, createSettingsForm } from '~/domain/forms/settingsForms'
import {
  SETTING_DEFINITIONS,
  SETTING_SECTIONS,
  type SettingDefinition,
} from '~/domain/catalog/settingDefinitions'
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
import { SECTION_TITLES, SettingsSection } from './settingsSections'
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

/** Returns the values of the form. A setting that is absent has its standard, or an empty field. */
const toInitialValues = (settings: Settings) =>
  Object.fromEntries(
    FORM_FIELDS.map((field) => {
      const { kind, isOptional, standard }: SettingDefinition = SETTING_DEFINITIONS[field]
      const isNumber = kind === 'number' || kind === 'amount'
      const absent = isNumber && isOptional ? null : standard
      return [field, settings[field] ?? absent]
    }),
  )

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
        sections={SETTING_SECTIONS.map((id) => ({ id, title: t(SECTION_TITLES[id]) }))}
        onSave={save}
        {...authors}
      >
        {(field, { control }) => (
          <>
            {SETTING_SECTIONS.map((section) => (
              <SettingsSection
                key={section}
                section={section}
                field={field}
                settings={settings}
                control={control}
              />
            ))}
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
