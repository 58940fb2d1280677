import type { UnknownAction } from '@reduxjs/toolkit'
import { useTranslation } from 'react-i18next'
import { getChoiceText } from '~/domain/catalog/catalogTexts'
import {
  type BookingPlaces,
  listPlaces,
  placeFound,
  waypointAdded,
  waypointRemoved,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { IconButton, SelectInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { PhoneInput } from '~/src/ui/PhoneInput'
import { LabeledPlaceField } from '~/src/widgets/places/LabeledPlaceField'
import { AddStopButton } from '~/src/widgets/trip/AddStopButton'
import { RecipientFields } from '~/src/widgets/trip/RecipientFields'
import { TripTime } from '~/src/widgets/trip/TripTime'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { VehicleSelect } from '~/src/widgets/trip/VehicleSelect'
import css from './AddBookingPage.module.css'
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

/** Asks for the pickup, the stops and the drop-off. */
const PlaceFields = ({ form, trip, changePlaces, errorAt }: Omit<Props, 'settings'>) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      {listPlaces(trip).map(({ slot, kind, field, stop, place, near }) => {
        const picker = (
          <LabeledPlaceField
            key={slot}
            kind={kind}
            required
            remembers={false}
            label={stop === null ? t(field) : `${t('stop')} ${format.number(stop + 1)}`}
            value={place}
            near={near ?? undefined}
            error={errorAt(field)}
            onChange={(chosenPlace) => changePlaces(placeFound({ slot, place: chosenPlace }))}
            onLookup={(lookup) => form.trackLookup(lookup, slot)}
          />
        )
        return stop === null ? (
          picker
        ) : (
          <div key={slot} className={css.stop}>
            {picker}
            <IconButton
              label={t('remove_stop')}
              onClick={() => changePlaces(waypointRemoved(stop))}
            >
              <Icon name="trash" />
            </IconButton>
          </div>
        )
      })}
      <div>
        <AddStopButton
          stopCount={trip.waypoints.length}
          onAdd={() => changePlaces(waypointAdded())}
        />
      </div>
    </>
  )
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
export const TripFields = ({ settings, ...places }: Props) => {
  const { t } = useTranslation()
  const phoneOptions = usePhoneOptions(settings)
  const { form, trip, errorAt } = places
  const { draft, change } = form
  return (
    <>
      <PlaceFields {...places} />
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
