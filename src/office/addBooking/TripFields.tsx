import type { UnknownAction } from '@reduxjs/toolkit'
import { useTranslation } from 'react-i18next'
import { getChoiceText } from '~/domain/catalog/catalogTexts'
import type { BookingPlaces } from '~/src/features/bookingPlaces/bookingPlaces'
import { SelectInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { PhoneInput } from '~/src/ui/PhoneInput'
import { RecipientFields } from '~/src/widgets/trip/RecipientFields'
import { TripPlaces } from '~/src/widgets/trip/TripPlaces'
import { TripTime } from '~/src/widgets/trip/TripTime'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { VehicleSelect } from '~/src/widgets/trip/VehicleSelect'
import { usePhoneOptions } from './CallerFields'
import type { Settings, TranslatedChoice } from '~/domain/catalog/types'

interface Props {
  form: DraftedForm
  trip: BookingPlaces
  changePlaces: (action: UnknownAction) => void
  settings: Settings
  /** Returns the translated error of a field. */
  errorAt: (field: string) => string | undefined
}

/** Asks for one of the choices of a vehicle type; renders nothing when it has none. */
const ChoiceSelect = ({
  label,
  choices,
  value,
  onChange,
}: {
  label: string
  choices: readonly TranslatedChoice[]
  value: number
  onChange: (index: number) => void
}) => {
  const { language } = useTranslation().i18n
  const format = useFormat()
  if (choices.length === 0) return null
  return (
    <SelectInput
      label={label}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {choices.map((choice, index) => (
        <option key={index} value={index}>
          {`${getChoiceText(choice, language)} · ${format.money(choice.amount)}`}
        </option>
      ))}
    </SelectInput>
  )
}

/** Asks for places, vehicle type, time, choices and recipient of a booking. */
export const TripFields = ({ form, trip, changePlaces, settings, errorAt }: Props) => {
  const { t } = useTranslation()
  const phoneOptions = usePhoneOptions(settings)
  const { draft, change } = form
  return (
    <>
      <TripPlaces
        places={trip}
        changePlaces={changePlaces}
        remembersPlaces={false}
        errorAt={errorAt}
        trackLookup={form.trackLookup}
      />
      <VehicleSelect
        required
        value={trip.carType ?? ''}
        error={errorAt('carType')}
        onChange={form.chooseVehicle}
      >
        <option value="">{t('select_car')}</option>
      </VehicleSelect>
      <TripTime
        form={form}
        legend={t('booking_type')}
        time={{
          required: true,
          label: t('trip_date'),
          hint: settings.timezone,
          error: errorAt('tripdate'),
        }}
      />
      <ChoiceSelect
        label={t('parcel_type')}
        choices={form.parcelTypes}
        value={draft.parcelTypeIndex}
        onChange={(parcelTypeIndex) => change({ parcelTypeIndex })}
      />
      <ChoiceSelect
        label={t('option')}
        choices={form.options}
        value={draft.optionIndex}
        onChange={(optionIndex) => change({ optionIndex })}
      />
      {form.isDelivery && (
        <RecipientFields
          value={draft}
          required={['deliveryPerson', 'deliveryPersonPhone']}
          errorAt={errorAt}
          onChange={change}
          renderPhone={(props) => <PhoneInput {...props} {...phoneOptions} />}
        />
      )}
    </>
  )
}
