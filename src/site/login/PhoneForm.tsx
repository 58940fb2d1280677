import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { homeCountry } from '~/src/features/settings/countries'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { PhoneInput } from '~/src/ui/PhoneInput'
import css from './LoginPage.module.css'

/**
 * Asks for a phone number of any country; `onSend` gets the full number, +598…, and the country
 * chosen for it.
 */
export const PhoneForm = ({
  busy,
  refused,
  submit,
  onSend,
}: {
  busy: boolean
  /** Error text, already translated. */
  refused?: string | undefined
  /** Translated label of the button; by default it says that a code is sent. */
  submit?: string
  onSend: (phone: string, country: CountryCode) => void
}) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const [entered, setEntered] = useState('')
  const [isInvalid, setIsInvalid] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const home = useMemo(() => homeCountry(settings), [settings])
  const country = useRef(home)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const phone = parsePhoneNumberFromString(entered)
    const isRight = phone?.isPossible() ?? false
    setIsInvalid(!isRight)
    if (phone && isRight) onSend(phone.number, country.current)
    else field.current?.focus()
  }
  return (
    <form className={css.form} noValidate onSubmit={send}>
      <PhoneInput
        ref={field}
        label={t('mobile')}
        home={home}
        canChooseCountry={settings?.AllowCountrySelection !== false}
        autoComplete="tel"
        value={entered}
        error={isInvalid ? t('phone_invalid') : refused}
        onChange={(phone, chosenCountry) => {
          setEntered(phone)
          country.current = chosenCountry
          setIsInvalid(false)
        }}
      />
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {submit ?? t('get_code')}
      </Button>
    </form>
  )
}
