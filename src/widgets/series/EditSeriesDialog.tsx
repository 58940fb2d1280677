import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { EditRecurringInput } from '~/domain/api/inputs/recurring'
import { type DomainError, domainError } from '~/domain/api/errors'
import { toOccurrenceKey } from '~/domain/recurring/occurrences'
import type { AmendedTrip, SeriesView } from '~/domain/recurring/view'
import {
  findPatternErrors,
  PATTERN_FIELDS,
  type PatternDraft,
  PatternFields,
} from '~/src/features/recurring/PatternFields'
import { changeRecurring } from '~/src/features/recurring/recurring'
import css from '~/src/features/recurring/recurring.module.css'
import { FirstDayField, PaymentChoice, SeriesRefusal } from '~/src/features/recurring/seriesParts'
import { liveSettings } from '~/src/features/settings/settings'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, SegmentedControl } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { useSingleRun } from '~/src/ui/useSingleRun'
import { RECIPIENT_FIELDS, RecipientFields } from '../trip/RecipientFields'
import type { RecipientDraft } from '../trip/tripDraft'
import { type PlacesDraft, toStopDrafts, toWaypoints, TripPlaces } from '../trip/TripPlaces'
import { useLookups } from '../trip/useLookups'
import { useRevision } from '../trip/useRevision'
import { VehicleSelect } from '../trip/VehicleSelect'
import type { Place } from '~/domain/geo/types'

/** The parts of the form that differ between the rider's app and the office. */
export interface SeriesFormOptions {
  /** False where the places are not the user's own. */
  remembersPlaces: boolean
  /** True where phone numbers are hidden; a new one can be typed all the same. */
  isPhoneHidden?: boolean
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string
}

interface SeriesDraft extends PatternDraft, PlacesDraft {
  carType: string
  from: string
  /** The recipient and the notes that were typed; a field that is absent was not touched. */
  details: Partial<RecipientDraft>
  payment: 'cash' | 'wallet' | undefined
}

const toDraft = (series: SeriesView): SeriesDraft => ({
  days: series.days,
  time: series.time,
  until: series.until ?? '',
  hasBack: series.back !== undefined,
  back: series.back ?? '',
  pickup: series.pickup,
  drop: series.drop,
  stops: toStopDrafts(series.waypoints),
  carType: series.carType,
  from: series.from,
  details: {},
  payment: series.payment,
})

type EditedFields = Omit<
  EditRecurringInput,
  'series_id' | 'customer' | 'action' | 'revision' | 'booked'
>

const toComparedPlaces = (places: readonly (Place | null)[]): string =>
  JSON.stringify(places.map((place) => place && [place.lat, place.lng, place.add]))

/** Returns the fields of the draft that differ from the series. */
const getEditedFields = (series: SeriesView, draft: SeriesDraft): EditedFields => {
  const { days, time, from, until, hasBack, back, pickup, drop, stops, carType, payment } = draft
  const waypoints = toWaypoints(stops)
  const sameDays = days.length === series.days.length && days.every((d) => series.days.includes(d))
  return {
    ...(!sameDays && { days }),
    ...(time !== series.time && { time }),
    ...((hasBack ? back : '') !== (series.back ?? '') && { back: hasBack ? back : null }),
    ...(from !== series.from && { from }),
    ...(until !== (series.until ?? '') && { until: until || null }),
    ...(pickup && toComparedPlaces([pickup]) !== toComparedPlaces([series.pickup]) && { pickup }),
    ...(drop && toComparedPlaces([drop]) !== toComparedPlaces([series.drop]) && { drop }),
    ...(toComparedPlaces(waypoints) !== toComparedPlaces(series.waypoints) && { waypoints }),
    ...(carType !== series.carType && { carType }),
    ...Object.fromEntries(
      Object.entries(draft.details).filter(
        ([field, text]) => text !== (series[field as keyof RecipientDraft] ?? ''),
      ),
    ),
    ...(payment !== undefined && payment !== series.payment && { payment }),
  }
}

/** Says which bookings were changed, and why others stay as they are. */
const AmendedTrips = ({ trips, onClose }: { trips: AmendedTrip[]; onClose: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const explain = ({ key, params = {} }: AmendedTrip) => {
    if (key === undefined) return t('series_trip_amended')
    const { estimate } = params
    return key === 'estimate_changed' && typeof estimate === 'number'
      ? t('series_trip_dearer', { price: format.money(estimate) })
      : t(key, params)
  }
  return (
    <Dialog
      title={t('series_edited')}
      onClose={onClose}
      actions={
        <Button variant="primary" size="large" wide onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <ul role="list" className={css.trips}>
        {trips.map((trip) => (
          <li key={toOccurrenceKey(trip)}>
            <Link to={screenPaths.booking(trip.booking)}>{format.dateTime(trip.at)}</Link>
            <span>{explain(trip)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Returns the errors of the draft by field; a stop's is under `stop0` with its id. */
const useDraftErrors = (draft: SeriesDraft): Record<string, string> => {
  const { t } = useTranslation()
  return {
    ...findPatternErrors(draft, t),
    ...(draft.from === '' && { from: t('field_required') }),
    ...(!draft.pickup && { pickup: t('select_proper_pickup') }),
    ...(!draft.drop && { drop: t('select_proper_drop') }),
    ...Object.fromEntries(
      draft.stops.flatMap(({ id, place }) =>
        place ? [] : [[`stop${id}`, t('select_proper_stop')]],
      ),
    ),
  }
}

/** Fields that show the server's refusal beside them. */
const FORM_FIELDS = [...PATTERN_FIELDS, 'pickup', 'drop', 'carType']

interface EditOptions {
  series: SeriesView
  /** The rider's uid, for the office. */
  customer?: string | undefined
  addressConfirmation?: string | undefined
  onEdited: (series: SeriesView) => void
  onClose: () => void
}

/** Holds the edited series, and sends what has changed. */
const useSeriesEdit = ({
  series,
  customer,
  addressConfirmation,
  onEdited,
  onClose,
}: EditOptions) => {
  const dispatch = useAppDispatch()
  const [draft, setDraft] = useState(() => toDraft(series))
  /** The state that the person has seen; the list may load a later one while they type. */
  const [seenSeries] = useState(series)
  const { revision, takeRefused } = useRevision(series.revision)
  const [booked, setBooked] = useState<'keep' | 'amend'>('keep')
  const [trips, setTrips] = useState<AmendedTrip[] | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [tries, setTries] = useState(0)
  const { busy, run } = useSingleRun({ isLast: true })
  const errors = useDraftErrors(draft)
  const edited = getEditedFields(seenSeries, draft)
  const hasNewPlaces = 'pickup' in edited || 'drop' in edited || 'waypoints' in edited
  const isElsewhere =
    refused?.key === 'address_elsewhere' ||
    (!hasNewPlaces && seenSeries.problems.some(({ key }) => key === 'address_elsewhere'))
  const mayConfirm = addressConfirmation !== undefined && isElsewhere
  const change = (changes: Partial<SeriesDraft>) => {
    setRefused((before) => (before?.key === 'address_elsewhere' ? null : before))
    setDraft((before) => ({ ...before, ...changes }))
  }
  const send = async () => {
    const { series: after, amended } = await dispatch(
      changeRecurring.quiet({
        series_id: series.id,
        ...(customer !== undefined && { customer }),
        action: 'edit',
        revision,
        ...edited,
        ...(mayConfirm && { addressesConfirmed: true as const }),
        booked,
      }),
    ).unwrap()
    if (after) onEdited(after)
    if (amended && amended.length > 0) setTrips(amended)
    else onClose()
  }
  const save = async () => {
    setTries(tries + 1)
    setRefused(null)
    if (Object.keys(errors).length > 0) return
    if (Object.keys(edited).length === 0 && !mayConfirm) {
      onClose()
      return
    }
    await run(send).catch((error: unknown) => {
      const problem = 'key' in (error as object) ? (error as DomainError) : domainError('bad_input')
      takeRefused(problem)
      setRefused(problem)
    })
  }
  const shownErrors = tries > 0 ? errors : {}
  return {
    draft,
    change,
    seenSeries,
    booked,
    setBooked,
    trips,
    refused,
    shownErrors,
    mayConfirm,
    busy,
    save,
  }
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

/** Returns the recipient and the notes of a series as the form shows them. */
const getRecipient = (
  series: SeriesView,
  details: SeriesDraft['details'],
  isPhoneHidden: boolean,
): RecipientDraft => ({
  deliveryPerson: series.deliveryPerson ?? '',
  deliveryPersonPhone: isPhoneHidden ? '' : (series.deliveryPersonPhone ?? ''),
  pickUpInstructions: series.pickUpInstructions ?? '',
  deliveryInstructions: series.deliveryInstructions ?? '',
  ...details,
})

/** Renders the pattern, the places, the vehicle type, the recipient and the payment of a series. */
const SeriesFields = ({
  series,
  seenSeries,
  draft,
  change,
  errors,
  hasRecipient,
  isPhoneHidden = false,
  remembersPlaces,
  onLookup,
}: Pick<EditOptions, 'series'> &
  Pick<ReturnType<typeof useSeriesEdit>, 'seenSeries' | 'draft' | 'change'> &
  Pick<SeriesFormOptions, 'isPhoneHidden' | 'remembersPlaces'> &
  Pick<ComponentProps<typeof TripPlaces>, 'onLookup'> & {
    errors: Readonly<Record<string, string | undefined>>
    hasRecipient: boolean
  }) => {
  const errorAt = (field: string) => errors[field]
  return (
    <>
      <PatternFields draft={draft} errors={errors} firstDay={draft.from} onChange={change}>
        <FirstDayField
          value={draft.from}
          error={errors.from}
          onChange={(from) => change({ from })}
        />
      </PatternFields>
      <TripPlaces
        value={draft}
        near={series}
        remembersPlaces={remembersPlaces}
        errorAt={errorAt}
        onChange={change}
        onLookup={onLookup}
      />
      <VehicleSelect
        value={draft.carType}
        error={errors.carType}
        onChange={(carType) => change({ carType })}
      />
      {hasRecipient && (
        <RecipientFields
          value={getRecipient(seenSeries, draft.details, isPhoneHidden)}
          errorAt={errorAt}
          onChange={(changes) => change({ details: { ...draft.details, ...changes } })}
        />
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
  form: { addressConfirmation, ...fields },
  ...options
}: Omit<EditOptions, 'addressConfirmation'> & { form: SeriesFormOptions }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  const { series, onClose } = options
  const edit = useSeriesEdit({ ...options, addressConfirmation })
  const { lookups, trackLookup } = useLookups()
  const { refused, trips } = edit
  if (trips) return <AmendedTrips trips={trips} onClose={onClose} />
  const hasRecipient = settings?.appcat === 'delivery'
  const field = refused?.field?.split('.')[0] ?? ''
  const isShownAtField = [...FORM_FIELDS, ...(hasRecipient ? RECIPIENT_FIELDS : [])].includes(field)
  return (
    <Dialog
      title={t('series_edit')}
      onClose={onClose}
      problem={refused && !isShownAtField && <SeriesRefusal refused={refused} />}
      actions={
        <Button
          variant="primary"
          size="large"
          wide
          busy={edit.busy || lookups.length > 0}
          onClick={() => void edit.save()}
        >
          {edit.mayConfirm ? addressConfirmation : t('series_edit_save')}
        </Button>
      }
    >
      <SeriesFields
        {...fields}
        series={series}
        seenSeries={edit.seenSeries}
        draft={edit.draft}
        change={edit.change}
        errors={{
          ...edit.shownErrors,
          ...(refused && isShownAtField && { [field]: translateError(refused, t) }),
        }}
        hasRecipient={hasRecipient}
        onLookup={trackLookup}
      />
      {series.next.some(({ booking }) => booking !== undefined) && (
        <BookedChoice value={edit.booked} onChange={edit.setBooked} />
      )}
      <p className={css.note}>{t('series_edit_note', { timezone: format.timezone ?? 'UTC' })}</p>
    </Dialog>
  )
}
