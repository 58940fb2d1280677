import { getCountries } from 'libphonenumber-js/min'
import { useMemo, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  type CurrencyChangePlan,
  checkCurrencyChange,
  isSameCurrency,
} from '~/domain/currencyChange'
import type { Settings } from '~/domain/entities'
import { getFareStep, getSmallestFareStep } from '~/domain/payments/fareStep'
import { type DomainError, domainError } from '~/domain/errors'
import { type SettingsForm, settingsForm, createSettingsForm } from '~/domain/forms/settingsForms'
import { dbPaths } from '~/domain/databasePaths'
import { DEFAULT_BANK_WAIT_HOURS } from '~/domain/withdrawals'
import { DEFAULT_ALARM_MINUTES, DEFAULT_WARN_MINUTES } from '~/domain/waitingBookings'
import { getDecimals, isCurrencyCode } from '~/domain/payments/currencyUnits'
import { storedCountry } from '~/src/features/settings/countries'
import { changeCurrency } from '~/src/features/settings/editSettings'
import { getLocalizedNames } from '~/src/i18n/locale'
import { useAppDispatch } from '~/src/store/hooks'
import { makeFormat, useFormat } from '~/src/ui/format'
import { EditPage } from '~/src/office/recordPages/EditPage'
import { NumberField, Section, SelectField, SwitchField, TextField } from '~/src/ui/forms/fields'
import pages from '~/src/office/recordPages/pages.module.css'
import type { FieldBinding } from '~/src/ui/forms/useSchemaForm'
import { SkeletonLines } from '~/src/ui/states'
import { useEditAuthors } from '../audit/useEditAuthors'
import { useOfficeSession } from '../useOfficeSession'
import { CurrencyDialog } from './CurrencyDialog'
import { DispatchTrial } from './DispatchTrial'
import { saveSettings } from './saveSettings'

/** The fields that `change_currency` writes. */
const CURRENCY_FIELDS = ['code', 'decimal', 'symbol']
const FORM_FIELDS = Object.keys(settingsForm.entries) as (keyof SettingsForm)[]

/** Previews amounts with the values in the form. */
const AmountPreview = ({ control }: { control: Control<SettingsForm> }) => {
  const { t, i18n } = useTranslation()
  const [symbol, decimal, after] = useWatch({
    control,
    name: ['symbol', 'decimal', 'swipe_symbol'],
  })
  const shown = makeFormat({
    dateLocale: i18n.language,
    symbol: symbol ?? '',
    symbolAfter: after ?? false,
    decimal: Math.min(4, Math.max(0, Math.trunc(decimal ?? 0))),
    miles: false,
    timezone: undefined,
  }).money(1234.5678)
  return <p className={pages.lead}>{t('currency_preview', { amount: shown })}</p>
}

/** Renders the number of decimals, with a hint for the currency code in the form. */
const DecimalsField = ({
  control,
  bound,
}: {
  control: Control<SettingsForm>
  bound: FieldBinding<SettingsForm, 'decimal'>
}) => {
  const { t } = useTranslation()
  const code = useWatch({ control, name: 'code' })
  const hint = isCurrencyCode(code ?? '') ? `${code}: ${getDecimals(code)} (ISO 4217)` : undefined
  return <NumberField label={t('decimal_places')} hint={hint} {...bound} />
}

/** A currency change that waits for the admin to confirm or reject its plan. */
interface PendingCurrencyChange {
  plan: CurrencyChangePlan
  requested: { code: string; symbol: string }
  resolve: () => void
  reject: (refused: DomainError) => void
}

const SettingsEditForm = ({ settings }: { settings: Settings }) => {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const isDelivery = settings.appcat === 'delivery'
  const authors = useEditAuthors(dbPaths.settings)
  const countries = useMemo(() => {
    const shown = getLocalizedNames(i18n.language, 'region')
    return getCountries()
      .map((code) => ({ code, stored: storedCountry(code), label: shown.of(code) ?? code }))
      .sort((a, b) => a.label.localeCompare(b.label))
  }, [i18n.language])
  const initial = {
    ...Object.fromEntries(FORM_FIELDS.map((field) => [field, settings[field]])),
    dispatchSeconds: settings.dispatchSeconds ?? null,
    maxPickupMinutes: settings.maxPickupMinutes ?? null,
    followOnMinutes: settings.followOnMinutes ?? null,
    fairnessWeight: settings.fairnessWeight ?? null,
    fareStep: settings.fareStep ?? null,
    bankWaitHours: settings.bankWaitHours ?? null,
    officeIdleMinutes: settings.officeIdleMinutes ?? null,
    officeSessionHours: settings.officeSessionHours ?? null,
    requeueDeclined: settings.requeueDeclined ?? false,
    waitWarnMinutes: settings.waitWarnMinutes ?? null,
    waitAlarmMinutes: settings.waitAlarmMinutes ?? null,
    dispatchMode: settings.dispatchMode ?? 'nearest',
  }
  const schema = useMemo(() => createSettingsForm(settings), [settings])
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
        initial={initial}
        onSave={save}
        {...authors}
      >
        {(field, { control }) => (
          <>
            <Section title={t('settings_currency')}>
              <TextField label={t('currency_symbol')} {...field('symbol')} />
              <TextField label={t('currency_code')} hint="ISO 4217" {...field('code')} />
              <DecimalsField control={control} bound={field('decimal')} />
              <SwitchField label={t('swipe_symbol')} {...field('swipe_symbol')} />
              <NumberField
                label={t('fare_step')}
                hint={t('fare_step_hint', {
                  smallest: format.money(getSmallestFareStep(settings)),
                  standard: format.money(getFareStep({ ...settings, fareStep: undefined })),
                })}
                {...field('fareStep')}
              />
              <AmountPreview control={control} />
            </Section>
            <Section title={t('settings_security')}>
              <SwitchField
                label={t('otp_secure')}
                hint={t('otp_secure_hint')}
                {...field('otp_secure')}
              />
              <SwitchField label={t('driver_approval')} {...field('driver_approval')} />
              <SwitchField label={t('social_login')} {...field('FacebookLoginEnabled')} />
              <NumberField
                label={t('office_idle_minutes')}
                hint={t('office_idle_minutes_hint')}
                {...field('officeIdleMinutes')}
              />
              <NumberField
                label={t('office_session_hours')}
                hint={t('office_session_hours_hint')}
                {...field('officeSessionHours')}
              />
            </Section>
            <Section title={t('wallet')}>
              <NumberField label={t('referral_bonus')} {...field('bonus')} />
              <TextField
                label={t('wallet_money_field')}
                hint={t('wallet_money_hint')}
                {...field('walletMoneyField')}
              />
              <SwitchField label={t('rider_withdraw')} {...field('RiderWithDraw')} />
              <SwitchField label={t('bank_fields')} {...field('bank_fields')} />
              <NumberField
                label={t('bank_wait_hours')}
                hint={t('bank_wait_hours_hint', {
                  hours: format.number(DEFAULT_BANK_WAIT_HOURS),
                })}
                {...field('bankWaitHours')}
              />
            </Section>
            <Section title={t('settings_advanced')}>
              <SelectField
                label={t('country')}
                options={countries.map(({ stored, label }) => ({ value: stored, label }))}
                {...field('country')}
              />
              <SelectField
                label={t('restrict_country')}
                options={countries.map(({ code, label }) => ({ value: code, label }))}
                {...field('restrictCountry')}
              />
              <TextField label={t('timezone')} hint={t('timezone_hint')} {...field('timezone')} />
              <SelectField
                label={t('app_category')}
                options={[
                  { value: 'taxi', label: t('category_taxi') },
                  { value: 'delivery', label: t('category_delivery') },
                ]}
                {...field('appcat')}
              />
              <SwitchField
                label={t('allow_country_selection')}
                {...field('AllowCountrySelection')}
              />
              <SwitchField label={t('convert_to_mile')} {...field('convert_to_mile')} />
              <SwitchField label={t('horizontal_view')} {...field('horizontal_view')} />
              <SwitchField label={t('show_live_route')} {...field('showLiveRoute')} />
              {isDelivery ? (
                <>
                  <SwitchField
                    label={t('pickup_image_capture')}
                    {...field('AllowDeliveryPickupImageCapture')}
                  />
                  <SwitchField
                    label={t('final_image_capture')}
                    {...field('AllowFinalDeliveryImageCapture')}
                  />
                </>
              ) : (
                <TextField label={t('panic')} type="tel" {...field('panic')} />
              )}
            </Section>
            <Section title={t('settings_driver')}>
              <NumberField
                label={t(settings.convert_to_mile ? 'driver_radius_miles' : 'driver_radius_km')}
                {...field('driverRadius')}
              />
              <SwitchField label={t('auto_dispatch')} {...field('autoDispatch')} />
              <SelectField
                label={t('dispatch_mode')}
                options={[
                  { value: 'nearest', label: t('dispatch_one_by_one') },
                  { value: 'matched', label: t('dispatch_matched') },
                  { value: 'broadcast', label: t('dispatch_all') },
                ]}
                {...field('dispatchMode')}
              />
              <NumberField label={t('dispatch_seconds')} {...field('dispatchSeconds')} />
              <NumberField
                label={t('max_pickup_minutes')}
                hint={t('max_pickup_minutes_hint')}
                {...field('maxPickupMinutes')}
              />
              <NumberField
                label={t('follow_on_minutes')}
                hint={t('follow_on_minutes_hint')}
                {...field('followOnMinutes')}
              />
              <NumberField
                label={t('fairness_weight')}
                hint={t('fairness_weight_hint')}
                {...field('fairnessWeight')}
              />
              <SwitchField
                label={t('requeue_declined')}
                hint={t('requeue_declined_hint')}
                {...field('requeueDeclined')}
              />
              <NumberField
                label={t('wait_warn_minutes')}
                hint={t('wait_minutes_hint', { minutes: format.number(DEFAULT_WARN_MINUTES) })}
                {...field('waitWarnMinutes')}
              />
              <NumberField
                label={t('wait_alarm_minutes')}
                hint={t('wait_minutes_hint', { minutes: format.number(DEFAULT_ALARM_MINUTES) })}
                {...field('waitAlarmMinutes')}
              />
              <SwitchField label={t('negative_balance')} {...field('negativeBalance')} />
              <SwitchField label={t('car_horn_repeat')} {...field('CarHornRepeat')} />
            </Section>
          </>
        )}
      </EditPage>
      <DispatchTrial settings={settings} />
      {planned && (
        <CurrencyDialog
          plan={planned.plan}
          onChange={async () => {
            await dispatch(changeCurrency(planned.requested)).unwrap()
            planned.resolve()
          }}
          onClose={() => {
            // Has no effect after a change, because the promise has already resolved.
            planned.reject(
              checkCurrencyChange(planned.plan) ?? domainError('currency_kept', 'code'),
            )
            setPlanned(null)
          }}
        />
      )}
    </>
  )
}

/** Edits the platform's settings: currency, security, wallet, country, drivers. */
export const SettingsPage = () => {
  const { settings } = useOfficeSession()
  return settings ? <SettingsEditForm settings={settings} /> : <SkeletonLines lines={6} />
}
