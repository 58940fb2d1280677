import { TRIP_DETAILS } from '~/domain/booking/tripDetails'
import { useTranslation } from 'react-i18next'
import { PATTERN_FIELDS, PatternFields } from '~/src/features/recurring/PatternFields'
import { PaymentChoice } from '~/src/features/recurring/PaymentChoice'
import css from '~/src/features/recurring/recurring.module.css'
import { liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, SegmentedControl } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'
import { findOtherProblem } from '../trip/findOtherProblem'
import { RecipientFields } from '../trip/RecipientFields'
import { isTripField, TripPlaces } from '../trip/TripPlaces'
import { useErrorTexts } from '../trip/useErrorTexts'
import { VehicleSelect } from '../trip/VehicleSelect'
import { AmendedTrips } from './AmendedTrips'
import { type SeriesEditOptions, useSeriesEdit } from './useSeriesEdit'

/** The parts of the form that differ between the rider's app and the office. */
export interface SeriesFormOptions extends Pick<
  SeriesEditOptions,
  'isPhoneHidden' | 'addressConfirmation'
> {
  /** False where the places are not the user's own. */
  remembersPlaces: boolean
}

/** Asks whether the trips that are booked already change too. */
const BookedChoice = ({
  value,
  onChange,
}: {
  value: 'keep' | 'amend'
  onChange: (booked: 'keep' | 'amend') => void
}) => {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      legend={t('series_edit_booked')}
      value={value}
      onChange={onChange}
      options={[
        { value: 'keep', label: t('series_edit_keep') },
        { value: 'amend', label: t('series_edit_amend') },
      ]}
    />
  )
}

/** Renders the pattern, the places, the vehicle type, the recipient and the payment of a series. */
const SeriesFields = ({
  series,
  edit: { draft, change, trip, patternErrors },
  hasRecipient,
  remembersPlaces,
}: Pick<SeriesEditOptions, 'series'> &
  Pick<SeriesFormOptions, 'remembersPlaces'> & {
    edit: ReturnType<typeof useSeriesEdit>
    hasRecipient: boolean
  }) => {
  const errorAt = useErrorTexts(trip)
  const errors = Object.fromEntries(
    PATTERN_FIELDS.map((field) => [field, errorAt(field) ?? patternErrors[field]]),
  )
  return (
    <>
      <PatternFields draft={draft} errors={errors} onChange={change} />
      <TripPlaces
        places={trip.draft}
        changePlaces={trip.changePlaces}
        near={series}
        remembersPlaces={remembersPlaces}
        errorAt={errorAt}
        trackLookup={trip.trackLookup}
      />
      <VehicleSelect
        value={trip.draft.carType ?? ''}
        error={errorAt('carType')}
        onChange={(carType) => trip.change({ carType })}
      />
      {hasRecipient && (
        <RecipientFields value={trip.draft} errorAt={errorAt} onChange={trip.change} />
      )}
      {draft.payment !== undefined && (
        <PaymentChoice value={draft.payment} onChange={(payment) => change({ payment })} />
      )}
    </>
  )
}

/**
 * Edits a recurring booking from its next trip without a booking on. Trips that are booked already
 * stay, or are changed too when the person chooses so.
 */
export const EditSeriesDialog = ({
  form: { remembersPlaces, ...form },
  ...options
}: Pick<SeriesEditOptions, 'series' | 'customer' | 'onEdited' | 'onClose'> & {
  form: SeriesFormOptions
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  const { series, onClose } = options
  const edit = useSeriesEdit({ ...options, ...form })
  const { trip, trips } = edit
  if (trips) return <AmendedTrips trips={trips} onClose={onClose} />
  const hasRecipient = settings?.appcat === 'delivery'
  const formFields: string[] = [...PATTERN_FIELDS, ...(hasRecipient ? TRIP_DETAILS : [])]
  const other = findOtherProblem(
    trip,
    (field) => formFields.includes(field) || isTripField(field, trip.draft),
  )
  return (
    <Dialog
      title={t('series_edit')}
      onClose={onClose}
      problem={<Refusal error={other} />}
      actions={
        <Button
          variant="primary"
          size="large"
          wide
          busy={edit.isBusy}
          onClick={() => void edit.save()}
        >
          {edit.mayConfirm ? form.addressConfirmation : t('series_edit_save')}
        </Button>
      }
    >
      <SeriesFields
        series={series}
        edit={edit}
        hasRecipient={hasRecipient}
        remembersPlaces={remembersPlaces}
      />
      {series.next.some(({ booking }) => booking !== undefined) && (
        <BookedChoice value={edit.booked} onChange={edit.setBooked} />
      )}
      <p className={css.note}>{t('series_edit_note', { timezone: format.timezone ?? 'UTC' })}</p>
    </Dialog>
  )
}
