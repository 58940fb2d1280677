import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { useEffect, useMemo, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { setupForm } from '~/domain/forms/settingsForms'
import { SHIPPED_LANGUAGES } from '~/domain/catalog/languages'
import { BUSINESSES } from '~/domain/setup/business'
import { getCompanyDefaults } from '~/domain/setup/companyDefaults'
import { getCurrencySymbol } from '~/domain/setup/countryConventions'
import { getTimezones } from '~/domain/setup/timezones'
import { storedCountry } from '~/src/features/settings/countries'
import { liveSettings } from '~/src/features/settings/settings'
import { setUpPlatform } from '~/src/features/settings/platformSetup'
import setupTexts from '~/src/i18n/locales/en/setup.json'
import { getLocalizedNames } from '~/src/i18n/locale'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { SelectField, TextField } from '~/src/ui/forms/fields'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { SkeletonLines } from '~/src/ui/feedback/states'
import css from './login/LoginPage.module.css'
import { PhoneForm } from './login/PhoneForm'
import { NAME_FIELDS } from './profileFields'

const getOwnZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the countries and the currencies in the user's language, sorted by name. */
const useChoices = () => {
  const { language } = useTranslation().i18n
  return useMemo(() => {
    const countries = getLocalizedNames(language, 'region')
    const currencies = getLocalizedNames(language, 'currency')
    return {
      countries: getCountries()
        .map((code) => ({ value: code as string, label: countries.of(code) ?? code }))
        .sort((a, b) => a.label.localeCompare(b.label)),
      currencies: Intl.supportedValuesOf('currency').map((code) => ({
        value: code,
        label: `${code} · ${currencies.of(code) ?? code}`,
      })),
    }
  }, [language])
}

/** Creates the form of the company, whose other choices follow its country. */
const useCompanyForm = (mobile: string, initialCountry: string) => {
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  const bound = useSchemaForm({
    schema: setupForm,
    initial: {
      companyName: '',
      country: initialCountry,
      business: 'rides',
      firstName: '',
      lastName: '',
      ...getCompanyDefaults(initialCountry, getOwnZone()),
      secret: '',
    },
    onSubmit: async ({ secret, country, ...fields }) => {
      await dispatch(
        setUpPlatform.quiet({
          mobile,
          country: storedCountry(country),
          restrictCountry: country,
          symbol: getCurrencySymbol(fields.code),
          ...fields,
          ...(secret && { secret }),
        }),
      ).unwrap()
      const params = { appName: fields.companyName }
      dispatch(noticeRaised({ tone: 'success', text: 'setup_done', params }))
      void navigate(screenPaths.login, { replace: true })
    },
  })
  const { control, setValue } = bound.form
  const country = useWatch({ control, name: 'country' })
  const followed = useRef(initialCountry)
  useEffect(() => {
    if (followed.current === country) return
    followed.current = country
    const { code, timezone, language } = getCompanyDefaults(country, getOwnZone())
    setValue('code', code)
    setValue('timezone', timezone)
    setValue('language', language)
  }, [country, setValue])
  return bound
}

/** Renders the choices that follow from the country. */
const LocalFields = ({
  form: { control },
  field,
}: Pick<ReturnType<typeof useCompanyForm>, 'form' | 'field'>) => {
  const { t } = useTranslation()
  const { currencies } = useChoices()
  const country = useWatch({ control, name: 'country' })
  const timezone = useWatch({ control, name: 'timezone' })
  const zones = [...new Set([timezone, ...getTimezones(country)])]
  return (
    <>
      <SelectField label={t('setup_currency')} options={currencies} {...field('code')} />
      <SelectField
        label={t('setup_timezone')}
        options={zones.map((zone) => ({ value: zone, label: zone }))}
        {...field('timezone')}
      />
      <SelectField
        label={t('setup_language')}
        options={SHIPPED_LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
        {...field('language')}
      />
    </>
  )
}

/**
 * Renders the second setup step: the URL has the first admin's number, the form asks for the rest.
 */
const SetupForm = ({ mobile, country }: { mobile: string; country: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { countries } = useChoices()
  const { form, element, field, submit, isSubmitting, problem } = useCompanyForm(mobile, country)
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>
        <bdi dir="ltr">{mobile}</bdi>
      </p>
      {NAME_FIELDS.map(({ field: name, ...input }) => (
        <TextField key={name} label={t(name)} {...input} maxLength={100} {...field(name)} />
      ))}
      <TextField
        label={t('setup_company')}
        autoComplete="organization"
        maxLength={100}
        {...field('companyName')}
      />
      <SelectField
        label={t('setup_business')}
        hint={t('setup_business_hint')}
        options={BUSINESSES.map((value) => ({ value, label: t(`business_${value}`) }))}
        {...field('business')}
      />
      <SelectField
        label={t('country')}
        hint={t('setup_country_hint')}
        options={countries}
        {...field('country')}
      />
      <LocalFields form={form} field={field} />
      <TextField
        label={t('setup_secret')}
        hint={t('setup_secret_hint')}
        type="password"
        autoComplete="off"
        {...field('secret')}
      />
      {problem && <p role="alert">{problem}</p>}
      <Button type="submit" variant="primary" size="large" wide busy={isSubmitting}>
        {t('setup_submit')}
      </Button>
      <Button variant="quiet" onClick={() => void navigate(screenPaths.setup)}>
        {t('back')}
      </Button>
    </form>
  )
}

/**
 * Returns the country of the first admin's number. Several countries share a calling code, so the
 * one chosen in the first step counts when the number can be one of its numbers.
 */
const getCountryOf = (mobile: string, chosenCountry: unknown): string => {
  const phone = parsePhoneNumberFromString(mobile)
  const country = getCountries().find((code) => code === chosenCountry)
  return country && getCountryCallingCode(country) === phone?.countryCallingCode
    ? country
    : (phone?.country ?? 'US')
}

/**
 * Shows the setup while the platform has no settings: first the country and the admin's number,
 * then the rest.
 */
export const SetupPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const state = useLocation().state as { country?: unknown } | null
  useAddedTexts(setupTexts)
  const { settings, loading } = useLive(liveSettings)
  if (loading) return <SkeletonLines />
  const mobile = params.get('mobile')
  // After the setup the first admin logs in; the settings can arrive before the response.
  if (settings) return <Navigate to={mobile ? screenPaths.login : screenPaths.home} replace />
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('setup_title')}</h1>
        <p className={css.text}>{t('setup_text')}</p>
        {mobile ? (
          <SetupForm mobile={mobile} country={getCountryOf(mobile, state?.country)} />
        ) : (
          <PhoneForm
            busy={false}
            submit={t('next')}
            onSend={(number, country) =>
              void navigate(`${screenPaths.setup}?mobile=${encodeURIComponent(number)}`, {
                state: { country },
              })
            }
          />
        )}
      </section>
    </div>
  )
}
