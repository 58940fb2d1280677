import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation } from 'react-router-dom'
import { homeOf } from '~/domain/permissions'
import {
  isSignInCode,
  mobileSignIn,
  requestCode,
  socialSignIn,
} from '~/src/features/auth/operations'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { loginErrorCleared, selectAuth, signInCancelled } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, SelectInput, TextInput } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import css from './LoginPage.module.css'

const RESEND_SECONDS = 30

/** Why a session was turned away: a notice, because it can happen on every page. */
const SAID_ELSEWHERE = new Set([
  'require_approval',
  'not_valid_user_type',
  'user_issue_contact_admin',
])

const isCountry = (code: string | undefined): code is CountryCode =>
  code !== undefined && (getCountries() as string[]).includes(code)

/** Every country with its dialling prefix, by name in the language spoken. */
const useCountries = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const names = new Intl.DisplayNames([i18n.language, 'en'], { type: 'region' })
    return getCountries()
      .map((code) => ({
        code,
        label: names.of(code) ?? code,
        prefix: `+${getCountryCallingCode(code)}`,
      }))
      .sort((a, b) => a.label.localeCompare(b.label, i18n.language))
  }, [i18n.language])
}

const useCountdown = (): [number, () => void] => {
  const [left, setLeft] = useState(0)
  const isRunning = left > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return [left, () => setLeft(RESEND_SECONDS)]
}

/** In local mode the code that was "sent", so that nobody needs a phone to try the product. */
const useOfferedCode = (phone: string | null, verificationId: string | null) => {
  const services = useServices()
  const [offered, setOffered] = useState<{ id: string; code: string } | null>(null)
  useEffect(() => {
    if (!phone || !verificationId) return
    let wanted = true
    services.auth.offeredCode(phone).then(
      (code) => wanted && code && setOffered({ id: verificationId, code }),
      () => services.report('the sign-in code could not be asked for'),
    )
    return () => {
      wanted = false
    }
  }, [phone, verificationId, services])
  return offered?.id === verificationId ? offered?.code : undefined
}

const CodeStep = ({ phone, onBack }: { phone: string; onBack: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { verificationId, loading, error } = useAppSelector(selectAuth)
  const [code, setCode] = useState('')
  const [left, startCountdown] = useCountdown()
  const [touched, setTouched] = useState(false)
  const offered = useOfferedCode(phone, verificationId)
  const verify = (digits: string) => {
    setTouched(false)
    if (verificationId) void dispatch(mobileSignIn(verificationId, digits))
  }
  const type = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, 6)
    setCode(digits)
    setTouched(true)
    // Pasted or filled in by the phone: nobody should have to press a button after that.
    if (isSignInCode(digits) && digits !== code) verify(digits)
  }
  const message = error.flag && !touched && error.msg ? t(error.msg, error.params ?? {}) : undefined
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        verify(code)
      }}
    >
      <p>{t('code_sent', { phone })}</p>
      <TextInput
        label={t('code_label')}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        maxLength={12}
        error={message}
        onChange={({ target }) => type(target.value)}
      />
      {offered && (
        <p className={css.offer}>
          <span>{t('local_code', { code: offered })}</span>
          <Button size="small" onClick={() => type(offered)}>
            {t('use_code')}
          </Button>
        </p>
      )}
      <Button type="submit" look="primary" size="large" wide busy={loading}>
        {t('verify_code')}
      </Button>
      <div className={css.row}>
        <Button look="quiet" size="small" onClick={onBack}>
          {t('cancel')}
        </Button>
        <Button
          look="quiet"
          size="small"
          disabled={left > 0}
          onClick={() => {
            startCountdown()
            setCode('')
            void dispatch(requestCode(phone))
          }}
        >
          {left > 0 ? t('resend_in', { seconds: left }) : t('resend_code')}
        </Button>
      </div>
    </form>
  )
}

const PhoneStep = ({ onSend }: { onSend: (phone: string) => void }) => {
  const { t } = useTranslation()
  const { loading, error } = useAppSelector(selectAuth)
  const { settings } = useLive(liveSettings)
  const countries = useCountries()
  const [chosen, setChosen] = useState<CountryCode | null>(null)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const home = settings?.restrictCountry
  const country = chosen ?? (isCountry(home) ? home : 'US')
  const send = (event: FormEvent) => {
    event.preventDefault()
    // A number that begins with + says its own country.
    const phone = parsePhoneNumberFromString(typed, country)
    const isRight = phone?.isPossible() ?? false
    setWrong(!isRight)
    if (phone && isRight) onSend(phone.number)
    else field.current?.focus()
  }
  const refused =
    error.flag &&
    error.msg &&
    !SAID_ELSEWHERE.has(error.msg) &&
    error.params?.message !== 'not_logged_in'
      ? error.params?.code
        ? t('auth_error_code', error.params)
        : t(error.msg, error.params ?? {})
      : undefined
  return (
    <form className={css.form} noValidate onSubmit={send}>
      {settings?.AllowCountrySelection !== false && (
        <SelectInput
          label={t('country')}
          value={country}
          autoComplete="country"
          onChange={({ target }) => setChosen(target.value as CountryCode)}
        >
          {countries.map(({ code, label, prefix }) => (
            <option key={code} value={code}>
              {label} ({prefix})
            </option>
          ))}
        </SelectInput>
      )}
      <TextInput
        ref={field}
        label={t('mobile')}
        hint={<bdi dir="ltr">+{getCountryCallingCode(country)}</bdi>}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        value={typed}
        error={wrong ? t('phone_invalid') : refused}
        onChange={({ target }) => {
          setTyped(target.value)
          setWrong(false)
        }}
      />
      <Button type="submit" look="primary" size="large" wide busy={loading}>
        {t('get_code')}
      </Button>
    </form>
  )
}

/** Phone and code, or a social account; afterwards to where the role belongs. */
export const LoginPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const location = useLocation()
  const { info, verificationId } = useAppSelector(selectAuth)
  const { settings } = useLive(liveSettings)
  const [phone, setPhone] = useState<string | null>(null)
  useEffect(() => {
    return () => void dispatch(signInCancelled())
  }, [dispatch])

  const state = location.state as { from?: string; forBooking?: boolean } | null
  if (info) {
    // A link to one booking is followed; otherwise each role has its own start (specification 2).
    const isBooking = /^\/bookings\/./.test(state?.from ?? '')
    return <Navigate to={isBooking && state?.from ? state.from : homeOf(info.usertype)} replace />
  }
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('login_title')}</h1>
        {state?.forBooking ? (
          <p className={css.kept}>
            <Icon name="check" />
            <span>
              {t('must_login')} {t('login_kept')}
            </span>
          </p>
        ) : (
          <p className={css.text}>{t('login_text')}</p>
        )}
        {phone && verificationId ? (
          <CodeStep
            phone={phone}
            onBack={() => {
              setPhone(null)
              dispatch(signInCancelled())
            }}
          />
        ) : (
          <PhoneStep
            onSend={(number) => {
              setPhone(number)
              dispatch(loginErrorCleared())
              void dispatch(requestCode(number))
            }}
          />
        )}
        {settings?.FacebookLoginEnabled && !verificationId && (
          <>
            <p className={css.or}>{t('or')}</p>
            {(['facebook', 'apple', 'google'] as const).map((provider) => (
              <Button key={provider} wide onClick={() => void dispatch(socialSignIn(provider))}>
                {t(`continue_${provider}`)}
              </Button>
            ))}
          </>
        )}
      </section>
      <p className={css.home}>
        <a href={screens.privacy}>{t('privacy_policy')}</a>
      </p>
    </div>
  )
}
