import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { homeCountry } from '~/src/features/settings/countries'
import { SegmentedControl, TextInput } from '~/src/ui/controls'
import { PhoneInput } from '~/src/ui/PhoneInput'
import { UserPicker } from '../people/UserPicker'
import { CallerCard } from './CallerCard'
import type { Caller } from './useCaller'
import type { CallerTrip } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Returns the props of a phone field that follow the settings. */
export const usePhoneOptions = (settings: Settings) => {
  const home = useMemo(() => homeCountry(settings), [settings])
  return { home, canChooseCountry: settings.AllowCountrySelection !== false }
}

interface Props {
  caller: Caller
  settings: Settings
  /** Returns the translated error of the first of the fields that has one. */
  errorAt: (...fields: string[]) => string | undefined
  /** Called when the admin books a trip of the rider again. */
  onRepeat: (trip: CallerTrip) => void
}

/** Asks for the rider, or for name and number of a caller without an account. */
export const CallerFields = ({ caller, settings, errorAt, onRepeat }: Props) => {
  const { t } = useTranslation()
  const phoneOptions = usePhoneOptions(settings)
  const { rider, isGuest, guest, nameField, setGuest } = caller
  return (
    <>
      <SegmentedControl
        legend={t('booking_for')}
        value={isGuest ? 'new' : 'known'}
        onChange={(value) => caller.setIsGuest(value === 'new')}
        options={[
          { value: 'known', label: t('known_rider') },
          { value: 'new', label: t('new_caller') },
        ]}
      />
      {isGuest ? (
        <>
          <TextInput
            required
            ref={nameField}
            label={t('name')}
            autoComplete="off"
            value={guest.name}
            error={errorAt('guest.name')}
            onChange={({ target }) => setGuest({ ...guest, name: target.value })}
          />
          <PhoneInput
            required
            label={t('mobile')}
            {...phoneOptions}
            hint={t('new_caller_hint')}
            value={guest.mobile}
            error={errorAt('guest.mobile', 'guest')}
            onChange={(mobile) => setGuest({ ...guest, mobile })}
          />
        </>
      ) : (
        <UserPicker
          required
          label={t('rider')}
          usertypes={['rider']}
          value={rider}
          onChange={caller.setRider}
          onNewNumber={caller.takeNewNumber}
          error={errorAt('customer')}
        />
      )}
      {rider && <CallerCard key={rider.id} person={rider} onRepeat={onRepeat} />}
    </>
  )
}
