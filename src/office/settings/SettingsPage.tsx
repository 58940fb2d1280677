import { getCountries } from 'libphonenumber-js/min'
import { useMemo } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Settings } from '~/domain/entities'
import { type SettingsForm, settingsForm } from '~/domain/forms/settings'
import { namesIn } from '~/src/i18n/speak'
import { useAppDispatch } from '~/src/store/hooks'
import { makeFormat } from '~/src/ui/format'
import { EditPage } from '~/src/ui/office/EditPage'
import { NumberField, Section, SelectField, SwitchField, TextField } from '~/src/ui/office/fields'
import pages from '~/src/ui/office/pages.module.css'
import { SkeletonLines } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import { changedOf, saveSettings } from './saveSettings'

const FIELDS = Object.keys(settingsForm.entries) as (keyof SettingsForm)[]

/** How amounts will look with what is typed now. */
const Preview = ({ control }: { control: Control<SettingsForm> }) => {
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

const Form = ({ settings }: { settings: Settings }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const { say } = useOffice()
  const isDelivery = settings.appcat === 'delivery'
  const countries = useMemo(() => {
    // Stored by its English name, whatever language the office speaks.
    const stored = namesIn('en', 'region')
    const shown = namesIn(i18n.language, 'region')
    return getCountries()
      .map((code) => ({ code, stored: stored.of(code) ?? code, label: shown.of(code) ?? code }))
      .sort((a, b) => a.label.localeCompare(b.label))
  }, [i18n.language])
  const initial = Object.fromEntries(FIELDS.map((field) => [field, settings[field]]))
  const save = async (values: SettingsForm) => {
    await dispatch(saveSettings(settings, changedOf(settings, values)))
    say('saved')
  }
  return (
    <EditPage<SettingsForm>
      title={t('menu_settings')}
      schema={settingsForm as never}
      initial={initial}
      onSave={save}
    >
      {(field, { control }) => (
        <>
          <Section title={t('settings_currency')}>
            <TextField label={t('currency_symbol')} {...field('symbol')} />
            <TextField label={t('currency_code')} hint="ISO 4217" {...field('code')} />
            <NumberField label={t('decimal_places')} {...field('decimal')} />
            <SwitchField label={t('swipe_symbol')} {...field('swipe_symbol')} />
            <Preview control={control} />
          </Section>
          <Section title={t('settings_security')}>
            <SwitchField
              label={t('otp_secure')}
              hint={t('otp_secure_hint')}
              {...field('otp_secure')}
            />
            <SwitchField label={t('driver_approval')} {...field('driver_approval')} />
            <SwitchField label={t('facebook_login')} {...field('FacebookLoginEnabled')} />
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
            <SwitchField label={t('allow_country_selection')} {...field('AllowCountrySelection')} />
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
                { value: 'all', label: t('dispatch_all') },
                { value: 'one_by_one', label: t('dispatch_one_by_one') },
              ]}
              {...field('dispatchMode')}
            />
            <NumberField label={t('dispatch_seconds')} {...field('dispatchSeconds')} />
            <SwitchField label={t('negative_balance')} {...field('negativeBalance')} />
            <SwitchField label={t('car_horn_repeat')} {...field('CarHornRepeat')} />
          </Section>
        </>
      )}
    </EditPage>
  )
}

/** How the platform works: currency, security, wallet, country, drivers. */
export const SettingsPage = () => {
  const { settings } = useOffice()
  return settings ? <Form settings={settings} /> : <SkeletonLines lines={6} />
}
