import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { namesIn, tagOf } from '~/src/i18n/speak'
import { useLive } from '~/src/store/liveSlice'
import { Button, SelectInput, TextInput } from '~/src/ui/controls'
import css from './LoginPage.module.css'

const isCountry = (code: string | undefined): code is CountryCode =>
  code !== undefined && (getCountries() as string[]).includes(code)

/** Every country with its dialling prefix, by name in the language spoken. */
export const useCountries = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const names = namesIn(i18n.language, 'region')
    return getCountries()
      .map((code) => ({
        code,
        label: names.of(code) ?? code,
        prefix: `+${getCountryCallingCode(code)}`,
      }))
      .sort((a, b) => a.label.localeCompare(b.label, tagOf(i18n.language)))
  }, [i18n.language])
}

/** Asks for a phone number of any country; `onSend` gets it in full, +598… */
export const PhoneForm = ({
  busy,
  refused,
  submit,
  onSend,
}: {
  busy: boolean
  /** Already translated. */
  refused?: string | undefined
  /** What the button says, already translated; that a code is sent unless said. */
  submit?: string
  onSend: (phone: string) => void
}) => {
  const { t } = useTranslation()
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
              {/* An option holds text alone: isolates keep the + before its number. */}
              {`${label} (\u2066${prefix}\u2069)`}
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
      <Button type="submit" look="primary" size="large" wide busy={busy}>
        {submit ?? t('get_code')}
      </Button>
    </form>
  )
}
