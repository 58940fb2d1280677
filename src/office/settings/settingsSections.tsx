import { getCountries } from 'libphonenumber-js/min'
import { useMemo } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SettingsForm } from '~/domain/forms/settingsForms'
import { getDecimals, isCurrencyCode } from '~/domain/payments/currencyUnits'
import { getFareStep, getSmallestFareStep } from '~/domain/payments/fareStep'
import { DEFAULT_ALARM_MINUTES, DEFAULT_WARN_MINUTES } from '~/domain/dispatch/waitingBookings'
import { DEFAULT_BANK_WAIT_HOURS } from '~/domain/money/withdrawals'
import { storedCountry } from '~/src/features/settings/countries'
import { getLocalizedNames } from '~/src/i18n/locale'
import pages from '~/src/office/recordPages/pages.module.css'
import { makeFormat, useFormat } from '~/src/ui/format/format'
import { NumberField, Section, SelectField, SwitchField, TextField } from '~/src/ui/forms/fields'
import type { BindField, FieldBinding } from '~/src/ui/forms/useSchemaForm'
import type { Settings } from '~/domain/catalog/types'

interface Props {
  field: BindField<SettingsForm>
  /** The stored settings, without the changes in the form. */
  settings: Settings
}

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

/** Edits the currency and the step to which fares are rounded. */
export const CurrencySection = ({
  field,
  settings,
  control,
}: Props & { control: Control<SettingsForm> }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
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
  )
}

/** Edits how people sign in, and how long a sign-in to the office lasts. */
export const SecuritySection = ({ field }: Pick<Props, 'field'>) => {
  const { t } = useTranslation()
  return (
    <Section title={t('settings_security')}>
      <SwitchField label={t('otp_secure')} hint={t('otp_secure_hint')} {...field('otp_secure')} />
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
  )
}

/** Edits what riders and drivers do with their wallets. */
export const WalletSection = ({ field }: Pick<Props, 'field'>) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('wallet')}>
      <NumberField label={t('referral_bonus')} {...field('bonus')} />
      <NumberField
        label={t('bonus_delay_days')}
        hint={t('bonus_delay_days_hint')}
        {...field('bonusDelayDays')}
      />
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
  )
}

/** Returns the countries by their names in the reader's language. */
const useCountries = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const shown = getLocalizedNames(i18n.language, 'region')
    return getCountries()
      .map((code) => ({ code, stored: storedCountry(code), label: shown.of(code) ?? code }))
      .sort((a, b) => a.label.localeCompare(b.label))
  }, [i18n.language])
}

/** Edits the place, the category and the look of the platform. */
export const PlatformSection = ({ field, settings }: Props) => {
  const { t } = useTranslation()
  const countries = useCountries()
  return (
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
      <SwitchField label={t('allow_country_selection')} {...field('AllowCountrySelection')} />
      <SwitchField label={t('convert_to_mile')} {...field('convert_to_mile')} />
      <SwitchField label={t('horizontal_view')} {...field('horizontal_view')} />
      <SwitchField label={t('show_live_route')} {...field('showLiveRoute')} />
      {settings.appcat === 'delivery' ? (
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
  )
}

/** Edits the minutes after which a waiting booking warns the office. */
const WaitFields = ({ field }: Pick<Props, 'field'>) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
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
    </>
  )
}

/** Edits how drivers get bookings. */
export const DriverSection = ({ field, settings }: Props) => {
  const { t } = useTranslation()
  return (
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
      <WaitFields field={field} />
      <SwitchField label={t('negative_balance')} {...field('negativeBalance')} />
      <SwitchField label={t('car_horn_repeat')} {...field('CarHornRepeat')} />
    </Section>
  )
}
