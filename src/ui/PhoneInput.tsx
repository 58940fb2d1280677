import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { type ReactNode, type Ref, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toLanguageTag } from '~/domain/locales'
import { createDisplayNames } from '~/src/i18n/locale'
import { SelectInput, TextInput } from './controls'

/** Returns every country with its calling code, sorted by name in the current language. */
const useCountries = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const names = createDisplayNames(i18n.language, 'region')
    return getCountries()
      .map((code) => ({
        code,
        label: names.of(code) ?? code,
        prefix: `+${getCountryCallingCode(code)}`,
      }))
      .sort((a, b) => a.label.localeCompare(b.label, toLanguageTag(i18n.language)))
  }, [i18n.language])
}

/** Returns the full number, +598…; the text as typed when it is not a phone number. */
const toFullNumber = (typed: string, country: CountryCode): string =>
  // A number that starts with + contains its own country.
  parsePhoneNumberFromString(typed, country)?.number ?? typed

/**
 * Asks for a phone number of any country. The text stays as typed; `onChange` gets the full number,
 * with the chosen country's prefix.
 */
export const PhoneInput = ({
  home,
  canChooseCountry,
  value,
  hint,
  onChange,
  ...field
}: {
  label: ReactNode
  /** The country chosen at first. */
  home: CountryCode
  /** False fixes the home country; other numbers can still be typed with their prefix. */
  canChooseCountry: boolean
  value: string
  onChange: (phone: string) => void
  required?: boolean
  disabled?: boolean
  hint?: ReactNode
  error?: string | undefined
  autoComplete?: string
  name?: string
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
}) => {
  const { t } = useTranslation()
  const countries = useCountries()
  const [chosen, setChosen] = useState<CountryCode | null>(null)
  const [typed, setTyped] = useState('')
  const country = chosen ?? home
  // A value that changed elsewhere replaces the typed text.
  const text = toFullNumber(typed, country) === value ? typed : value
  return (
    <>
      {canChooseCountry && (
        <SelectInput
          label={t('country')}
          value={country}
          autoComplete={field.autoComplete === 'tel' ? 'country' : 'off'}
          onChange={({ target }) => {
            const next = target.value as CountryCode
            setChosen(next)
            setTyped(text)
            onChange(toFullNumber(text, next))
          }}
        >
          {countries.map(({ code, label, prefix }) => (
            <option key={code} value={code}>
              {/* An option can contain only text, so isolates keep the + before its number. */}
              {`${label} (\u2066${prefix}\u2069)`}
            </option>
          ))}
        </SelectInput>
      )}
      <TextInput
        {...field}
        hint={
          <>
            <bdi dir="ltr">+{getCountryCallingCode(country)}</bdi>
            {hint && <> · {hint}</>}
          </>
        }
        type="tel"
        inputMode="tel"
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(toFullNumber(target.value, country))
        }}
      />
    </>
  )
}
