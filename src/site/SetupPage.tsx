import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { DEFAULT_APP_NAME } from '~/domain/appName'
import { setupForm } from '~/domain/forms/settingsForms'
import { storedCountry } from '~/src/features/settings/countries'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { setUpPlatform } from '~/src/features/settings/platformSetup'
import { getLocalizedNames } from '~/src/i18n/locale'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, SegmentedControl } from '~/src/ui/controls'
import { SelectField, TextField } from '~/src/ui/forms/fields'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { SkeletonLines } from '~/src/ui/states'
import css from './login/LoginPage.module.css'
import { PhoneForm } from './login/PhoneForm'
import { NAME_FIELDS } from './profileFields'

/** Returns the available currencies with their symbols. */
const useCurrencies = () => {
  const { i18n } = useTranslation()
  const names = getLocalizedNames(i18n.language, 'currency')
  return Intl.supportedValuesOf('currency').map((code) => ({
    code,
    name: names.of(code) ?? code,
  }))
}
const getCurrencySymbol = (code: string) =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? code

/**
 * Renders the second setup step: the URL has the first admin's number, the form asks for the rest.
 */
const SetupForm = ({ mobile }: { mobile: string }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  const currencies = useCurrencies()
  const country = parsePhoneNumberFromString(mobile)?.country ?? 'US'
  const countries = getLocalizedNames(i18n.language, 'region')
  const { form, element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: setupForm,
    initial: {
      firstName: '',
      lastName: '',
      code: 'USD',
      appcat: 'delivery',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      secret: '',
    },
    onSubmit: async ({ secret, ...fields }) => {
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
      dispatch(
        noticeRaised({
          tone: 'success',
          text: 'setup_done',
          params: { appName: DEFAULT_APP_NAME },
        }),
      )
      void navigate(screenPaths.login, { replace: true })
    },
  })
  const { field: appcat } = useController({ control: form.control, name: 'appcat' })
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>
        <bdi dir="ltr">{mobile}</bdi> · {countries.of(country)}
      </p>
      {NAME_FIELDS.map(({ field: name, ...input }) => (
        <TextField key={name} label={t(name)} {...input} maxLength={100} {...field(name)} />
      ))}
      <SegmentedControl
        legend={t('setup_appcat')}
        value={appcat.value}
        onChange={appcat.onChange}
        options={[
          { value: 'delivery', label: t('appcat_delivery') },
          { value: 'taxi', label: t('appcat_taxi') },
        ]}
      />
      <SelectField
        label={t('setup_currency')}
        options={currencies.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))}
        {...field('code')}
      />
      <SelectField
        label={t('setup_timezone')}
        options={Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone }))}
        {...field('timezone')}
      />
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
 * Shows the setup while the platform has no settings: first the country and the admin's number,
 * then the rest.
 */
export const SetupPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
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
          <SetupForm mobile={mobile} />
        ) : (
          <PhoneForm
            busy={false}
            submit={t('next')}
            onSend={(number) =>
              void navigate(`${screenPaths.setup}?mobile=${encodeURIComponent(number)}`)
            }
          />
        )}
      </section>
    </div>
  )
}
