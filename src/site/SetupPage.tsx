import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import type { Setup } from '~/domain/api'
import type { Refusal } from '~/domain/errors'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { setUp } from '~/src/features/settings/setUp'
import { namesIn } from '~/src/i18n/speak'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { Button, Segments, SelectInput, TextInput } from '~/src/ui/controls'
import { focusWrong } from '~/src/ui/focusWrong'
import { SkeletonLines } from '~/src/ui/states'
import css from './login/LoginPage.module.css'
import { PhoneForm } from './login/PhoneForm'
import { NAMES } from './person'

/** The currencies to choose from, with the sign each is written with. */
const useCurrencies = () => {
  const { i18n } = useTranslation()
  const names = namesIn(i18n.language, 'currency')
  return Intl.supportedValuesOf('currency').map((code) => ({
    code,
    name: names.of(code) ?? code,
  }))
}
const signOf = (code: string) =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? code

/** The second step: the first admin's number stands in the address, the rest is asked here. */
const Details = ({ mobile }: { mobile: string }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  const currencies = useCurrencies()
  const country = parsePhoneNumberFromString(mobile)?.country ?? 'US'
  const [names, setNames] = useState({ firstName: '', lastName: '' })
  const [code, setCode] = useState('USD')
  const [appcat, setAppcat] = useState<Setup['appcat']>('delivery')
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [secret, setSecret] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)
  /** How often it was tried with a name missing. */
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0) focusWrong(form.current)
  }, [tries])
  const countries = namesIn(i18n.language, 'region')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (NAMES.some(({ field }) => !names[field].trim())) {
      setTries((count) => count + 1)
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      await dispatch(
        setUp({
          mobile,
          country: namesIn('en', 'region').of(country) ?? country,
          restrictCountry: country,
          firstName: names.firstName.trim(),
          lastName: names.lastName.trim(),
          symbol: signOf(code),
          code,
          appcat,
          timezone,
          ...(secret && { secret }),
          quiet: true,
        }),
      ).unwrap()
      dispatch(noticeRaised({ tone: 'success', text: 'setup_done' }))
      void navigate(screens.login, { replace: true })
    } catch (error) {
      setRefused(error as Refusal)
      setBusy(false)
    }
  }
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>
        <bdi dir="ltr">{mobile}</bdi> · {countries.of(country)}
      </p>
      {NAMES.map(({ field, ...input }) => (
        <TextInput
          key={field}
          label={t(field)}
          {...input}
          maxLength={100}
          value={names[field]}
          error={tries > 0 && !names[field].trim() ? t('field_required') : undefined}
          onChange={({ target }) => setNames({ ...names, [field]: target.value })}
        />
      ))}
      <Segments
        legend={t('setup_appcat')}
        value={appcat}
        onChange={setAppcat}
        options={[
          { value: 'delivery', label: t('appcat_delivery') },
          { value: 'taxi', label: t('appcat_taxi') },
        ]}
      />
      <SelectInput
        label={t('setup_currency')}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      >
        {currencies.map((currency) => (
          <option key={currency.code} value={currency.code}>
            {currency.code} · {currency.name}
          </option>
        ))}
      </SelectInput>
      <SelectInput
        label={t('setup_timezone')}
        value={timezone}
        onChange={({ target }) => setTimezone(target.value)}
      >
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectInput>
      <TextInput
        label={t('setup_secret')}
        hint={t('setup_secret_hint')}
        type="password"
        autoComplete="off"
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      {refused && <p role="alert">{t(refused.key, refused.params ?? {})}</p>}
      <Button type="submit" look="primary" size="large" wide busy={busy}>
        {t('setup_submit')}
      </Button>
      <Button look="quiet" onClick={() => void navigate(screens.setup)}>
        {t('back')}
      </Button>
    </form>
  )
}

/** Shown while the platform has no settings: the country and its first admin's number, then the rest. */
export const SetupPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { settings, loading } = useLive(liveSettings)
  if (loading) return <SkeletonLines />
  const mobile = params.get('mobile')
  // Set up on this page, its first admin logs in: the settings may be here before the answer is.
  if (settings) return <Navigate to={mobile ? screens.login : screens.home} replace />
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('setup_title')}</h1>
        <p className={css.text}>{t('setup_text')}</p>
        {mobile ? (
          <Details mobile={mobile} />
        ) : (
          <PhoneForm
            busy={false}
            submit={t('next')}
            onSend={(number) =>
              void navigate(`${screens.setup}?mobile=${encodeURIComponent(number)}`)
            }
          />
        )}
      </section>
    </div>
  )
}
