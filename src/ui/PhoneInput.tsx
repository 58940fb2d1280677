import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { type ReactNode, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toLanguageTag } from '~/domain/language/locales'
import { getLocalizedNames } from '~/src/i18n/locale'
import { SelectInput, TextInput } from './controls'
import { useIsHydrated } from './PrerenderedTexts'
import { useEarlyText } from './useEarlyText'

/**
 * Returns every country with its calling code, sorted by name in the current language. Prerendered
 * markup has only the home country: the browser may know other names than the build.
 */
const useCountries = (home: CountryCode) => {
  const { i18n } = useTranslation()
  const isHydrated = useIsHydrated()
  return useMemo(() => {
    const names = getLocalizedNames(i18n.language, 'region')
    return (isHydrated ? getCountries() : [home])
      .map((code) => ({
        code,
        label: names.of(code) ?? code,
        prefix: `+${getCountryCallingCode(code)}`,
      }))
      .sort((a, b) => a.label.localeCompare(b.label, toLanguageTag(i18n.language)))
  }, [i18n.language, isHydrated, home])
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
  ref,
  ...field
}: {
  label: ReactNode
  /** The country chosen at first. */
  home: CountryCode
  /** False fixes the home country; other numbers can still be typed with their prefix. */
  canChooseCountry: boolean
  value: string
  onChange: (phone: string, country: CountryCode) => void
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
  const countries = useCountries(home)
  const [chosenCountry, setChosenCountry] = useState<CountryCode | null>(null)
  const [typed, setTyped] = useState('')
  const country = chosenCountry ?? home
  // A value that changed elsewhere replaces the typed text.
  const text = toFullNumber(typed, country) === value ? typed : value
  const changeText = (next: string) => {
    setTyped(next)
    onChange(toFullNumber(next, country), country)
  }
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current)
  useEarlyText(input, text, changeText)
  return (
    <>
      {canChooseCountry && (
        <SelectInput
          label={t('country')}
          value={country}
          autoComplete={field.autoComplete === 'tel' ? 'country' : 'off'}
          onChange={({ target }) => {
            const next = target.value as CountryCode
            setChosenCountry(next)
            setTyped(text)
            onChange(toFullNumber(text, next), next)
          }}
        >
          {countries.map(({ code, label, prefix }) => (
            // The build may know the home country by another name.
            <option key={code} value={code} suppressHydrationWarning>
              {/* An option can contain only text, so isolates keep the + before its number. */}
              {`${label} (\u2066${prefix}\u2069)`}
            </option>
          ))}
        </SelectInput>
      )}
      <TextInput
        {...field}
        ref={input}
        hint={
          <>
            <bdi dir="ltr">+{getCountryCallingCode(country)}</bdi>
            {hint && <> · {hint}</>}
          </>
        }
        type="tel"
        inputMode="tel"
        value={text}
        onChange={({ target }) => changeText(target.value)}
      />
    </>
  )
}
