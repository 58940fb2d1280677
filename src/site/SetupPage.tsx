import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import type { CountryCode } from 'libphonenumber-js/min'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, SelectInput, TextInput } from '~/src/ui/controls'
import { SkeletonLines } from '~/src/ui/states'
import css from './login/LoginPage.module.css'

/** Shown while the platform has no settings: the country and its first admin's number. */
export const SetupPage = () => {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { settings, loading } = useLive(liveSettings)
  const [country, setCountry] = useState<CountryCode>('US')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  if (loading) return <SkeletonLines />
  if (settings) return <Navigate to={screens.home} replace />
  const names = new Intl.DisplayNames([i18n.language, 'en'], { type: 'region' })
  const submit = () => {
    const phone = parsePhoneNumberFromString(typed, country)
    setWrong(!phone?.isPossible())
    if (phone?.isPossible())
      void navigate(`${screens.setup}?mobile=${encodeURIComponent(phone.number)}`)
  }
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('setup_title')}</h1>
        <p className={css.text}>{params.get('mobile') ?? t('setup_text')}</p>
        <form
          className={css.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <SelectInput
            label={t('country')}
            value={country}
            onChange={({ target }) => setCountry(target.value as CountryCode)}
          >
            {getCountries().map((code) => (
              <option key={code} value={code}>
                {names.of(code)} (+{getCountryCallingCode(code)})
              </option>
            ))}
          </SelectInput>
          <TextInput
            label={t('mobile')}
            type="tel"
            value={typed}
            error={wrong ? t('phone_invalid') : undefined}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" look="primary" size="large" wide>
            {t('setup_submit')}
          </Button>
        </form>
      </section>
    </div>
  )
}
