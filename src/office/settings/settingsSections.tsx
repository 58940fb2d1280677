import { getCountries } from 'libphonenumber-js/min'
import { useMemo, type ReactNode } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  SETTING_DEFINITIONS,
  SETTING_NAMES,
  type SettingDefinition,
  type SettingName,
  type SettingSection,
} from '~/domain/catalog/settingDefinitions'
import type { SettingsForm } from '~/domain/forms/settingsForms'
import { getDecimals, isCurrencyCode } from '~/domain/payments/currencyUnits'
import { getFareStep, getSmallestFareStep } from '~/domain/payments/fareStep'
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
  control: Control<SettingsForm>
}
type FormSetting = keyof SettingsForm & SettingName
type SettingOfKind<Kind> = {
  [Name in FormSetting]: (typeof SETTING_DEFINITIONS)[Name]['kind'] extends Kind ? Name : never
}[FormSetting]
type Binding<Kind> = FieldBinding<SettingsForm, SettingOfKind<Kind>>

/** Previews amounts with the values in the form. */
const AmountPreview = ({ control }: { control: Control<SettingsForm> }) => {
  const { t, i18n } = useTranslation()
  const [symbol, decimal, after] = useWatch({
    control,
    name: ['symbol', 'decimal', 'swipe_symbol'],
  })
  const sampleAmount = makeFormat({
    dateLocale: i18n.language,
    symbol: symbol ?? '',
    symbolAfter: after ?? false,
    decimal: Math.min(4, Math.max(0, Math.trunc(decimal ?? 0))),
    miles: false,
    timezone: undefined,
  }).money(1234.5678)
  return <p className={pages.lead}>{t('currency_preview', { amount: sampleAmount })}</p>
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

/** Returns the countries by their names in the reader's language. */
const useCountries = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const regionNames = getLocalizedNames(i18n.language, 'region')
    return getCountries()
      .map((code) => ({ code, stored: storedCountry(code), label: regionNames.of(code) ?? code }))
      .sort((a, b) => a.label.localeCompare(b.label))
  }, [i18n.language])
}

const CountryField = ({
  field,
  name,
}: Pick<Props, 'field'> & { name: 'country' | 'restrictCountry' }) => {
  const { t } = useTranslation()
  const countries = useCountries()
  return (
    <SelectField
      label={t(SETTING_DEFINITIONS[name].label ?? name)}
      options={countries.map(({ code, stored, label }) => ({
        value: name === 'country' ? stored : code,
        label,
      }))}
      {...field(name)}
    />
  )
}

const FareStepField = ({ field, settings }: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <NumberField
      label={t('fare_step')}
      unit="money"
      hint={t('fare_step_hint', {
        smallest: format.money(getSmallestFareStep(settings)),
        standard: format.money(getFareStep({ ...settings, fareStep: undefined })),
      })}
      {...field('fareStep')}
    />
  )
}

const RadiusField = ({ field, settings }: Props) => {
  const { t } = useTranslation()
  const label = settings.convert_to_mile ? 'driver_radius_miles' : 'driver_radius_km'
  return <NumberField label={t(label)} {...field('driverRadius')} />
}

/** The fields that need more than their definition says. */
const SPECIAL_FIELDS: Readonly<Partial<Record<FormSetting, (props: Props) => ReactNode>>> = {
  decimal: ({ field, control }) => <DecimalsField control={control} bound={field('decimal')} />,
  fareStep: FareStepField,
  country: ({ field }) => <CountryField field={field} name="country" />,
  restrictCountry: ({ field }) => <CountryField field={field} name="restrictCountry" />,
  driverRadius: RadiusField,
}

/** Edits one setting as its definition says. */
const SettingField = ({ name, field }: { name: FormSetting; field: Props['field'] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const definition: SettingDefinition = SETTING_DEFINITIONS[name]
  const { label, hint, standard } = definition
  const shownStandard = typeof standard === 'number' ? format.number(standard) : undefined
  const text = {
    label: t(label ?? name),
    hint: hint && t(hint, { standard: shownStandard }),
  }
  const bound = field(name)
  switch (definition.kind) {
    case 'switch':
      return <SwitchField {...text} {...(bound as Binding<'switch'>)} />
    case 'number':
      return <NumberField {...text} {...(bound as Binding<'number'>)} />
    case 'amount':
      return <NumberField {...text} unit="money" {...(bound as Binding<'amount'>)} />
    case 'choice': {
      const options = Object.entries(definition.options).map(([value, option]) => ({
        value,
        label: t(option),
      }))
      return <SelectField {...text} options={options} {...(bound as Binding<'choice'>)} />
    }
    case 'text': {
      const type = definition.format === 'tel' ? 'tel' : 'text'
      return <TextField {...text} type={type} {...(bound as Binding<'text'>)} />
    }
  }
}

/** The title of each section of the form. */
export const SECTION_TITLES: Readonly<Record<SettingSection, string>> = {
  currency: 'settings_currency',
  security: 'settings_security',
  wallet: 'wallet',
  platform: 'settings_advanced',
  driver: 'settings_driver',
}

const listSettings = (section: SettingSection, { appcat }: Settings): FormSetting[] =>
  SETTING_NAMES.filter((name): name is FormSetting => {
    const definition: SettingDefinition = SETTING_DEFINITIONS[name]
    return definition.section === section && (definition.category ?? appcat) === appcat
  })

/** Edits the settings of one part of the form. */
export const SettingsSection = ({ section, ...props }: Props & { section: SettingSection }) => {
  const { t } = useTranslation()
  return (
    <Section id={section} title={t(SECTION_TITLES[section])}>
      {listSettings(section, props.settings).map((name) => {
        const Special = SPECIAL_FIELDS[name]
        return Special ? (
          <Special key={name} {...props} />
        ) : (
          <SettingField key={name} name={name} field={props.field} />
        )
      })}
      {section === 'currency' && <AmountPreview control={props.control} />}
    </Section>
  )
}
