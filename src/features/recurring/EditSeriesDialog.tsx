import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { EditRecurringInput } from '~/domain/api/inputs/recurring'
import {
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  MAX_RECIPIENT_PHONE_LENGTH,
} from '~/domain/booking/limits/limits'
import { type DomainError, domainError } from '~/domain/api/errors'
import { toOccurrenceKey } from '~/domain/recurring/occurrences'
import type { AmendedTrip, SeriesView } from '~/domain/recurring/view'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, SegmentedControl, SelectInput, TextArea, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { type StopDraft, StopFields } from '~/src/ui/forms/StopFields'
import {
  findPatternErrors,
  PATTERN_FIELDS,
  type PatternDraft,
  PatternFields,
} from './PatternFields'
import { changeRecurring } from './recurring'
import css from './recurring.module.css'
import { PaymentChoice, SeriesRefusal } from './seriesParts'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { LatLng, Place } from '~/domain/geo/types'

/** The props of a place field; each part of the app has its own. */
interface SeriesPlaceProps {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
  error: string | undefined
  near: LatLng
  /** Receives the running lookup of a chosen place; saving waits until it settles. */
  onLookup: (lookup: Promise<unknown>) => void
}

/** The parts of the form that other features own. */
export interface SeriesFormParts {
  renderPlace: (props: SeriesPlaceProps) => ReactNode
  /** The vehicle types with their translated names. */
  vehicles: readonly { id: string; name: string }[]
  /** True for parcels, which have a recipient and notes. */
  hasRecipient: boolean
  /** True where phone numbers are hidden; a new one can be typed all the same. */
  isPhoneHidden?: boolean
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string
}

const DETAIL_FIELDS = [
  'deliveryPerson',
  'deliveryPersonPhone',
  'pickUpInstructions',
  'deliveryInstructions',
] as const
type DetailField = (typeof DETAIL_FIELDS)[number]

interface SeriesDraft extends PatternDraft {
  pickup: Place | null
  drop: Place | null
  stops: StopDraft[]
  carType: string
  from: string
  /** The recipient and the notes that were typed; a field that is absent was not touched. */
  details: Partial<Record<DetailField, string>>
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
  stops: series.waypoints.map((place, id) => ({ id, place })),
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
  const waypoints = stops.flatMap(({ place }) => (place ? [place] : []))
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
        ([field, text]) => text !== (series[field as DetailField] ?? ''),
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

/**
 * Edits a recurring booking from its next trip without a booking on. Trips that are booked already
 * stay, or are changed too when the person chooses so.
 */
export const EditSeriesDialog = ({
  series,
  customer,
  parts: { renderPlace, vehicles, hasRecipient, isPhoneHidden = false, addressConfirmation },
  onEdited,
  onClose,
}: {
  series: SeriesView
  /** The rider's uid, for the office. */
  customer?: string | undefined
  parts: SeriesFormParts
  onEdited: (series: SeriesView) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const [draft, setDraft] = useState(() => toDraft(series))
  /** The state that the person has seen; the list may load a later one while they type. */
  const [seen] = useState(series)
  const [revision, setRevision] = useState(series.revision)
  const [booked, setBooked] = useState<'keep' | 'amend'>('keep')
  const [trips, setTrips] = useState<AmendedTrip[] | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [tries, setTries] = useState(0)
  const { busy, run } = useSingleRun({ isLast: true })
  /** Number of chosen places whose position is being looked up. */
  const [lookups, setLookups] = useState(0)
  const change = (changes: Partial<SeriesDraft>) => {
    setRefused((before) => (before?.key === 'address_elsewhere' ? null : before))
    setDraft((before) => ({ ...before, ...changes }))
  }
  const onLookup = (lookup: Promise<unknown>) => {
    setLookups((count) => count + 1)
    void lookup.finally(() => setLookups((count) => count - 1))
  }
  const { pickup, drop, stops } = draft
  const wrong: Record<string, string> = {
    ...findPatternErrors(draft, t),
    ...(draft.from === '' && { from: t('field_required') }),
    ...(!pickup && { pickup: t('select_proper_pickup') }),
    ...(!drop && { drop: t('select_proper_drop') }),
    ...Object.fromEntries(
      stops.flatMap(({ id, place }) => (place ? [] : [[`stop${id}`, t('select_proper_stop')]])),
    ),
  }
  const field = refused?.field?.split('.')[0]
  const errors: Record<string, string | undefined> = {
    ...(tries > 0 && wrong),
    ...(refused && field && { [field]: translateError(refused, t) }),
  }
  const isShownAtField = [
    ...PATTERN_FIELDS,
    'pickup',
    'drop',
    'carType',
    ...(hasRecipient ? DETAIL_FIELDS : []),
  ].includes(field ?? '')
  const edited = getEditedFields(seen, draft)
  const hasNewPlaces = 'pickup' in edited || 'drop' in edited || 'waypoints' in edited
  const isElsewhere =
    refused?.key === 'address_elsewhere' ||
    (!hasNewPlaces && seen.problems.some(({ key }) => key === 'address_elsewhere'))
  const mayConfirm = addressConfirmation !== undefined && isElsewhere
  const save = async () => {
    setTries(tries + 1)
    setRefused(null)
    if (Object.keys(wrong).length > 0) return
    if (Object.keys(edited).length === 0 && !mayConfirm) {
      onClose()
      return
    }
    await run(async () => {
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
    }).catch((error: unknown) => {
      const problem = 'key' in (error as object) ? (error as DomainError) : domainError('bad_input')
      const { revision: present } = problem.params ?? {}
      if (problem.key === 'changed_meanwhile' && typeof present === 'number') setRevision(present)
      setRefused(problem)
    })
  }
  if (trips) return <AmendedTrips trips={trips} onClose={onClose} />
  const place = (name: 'pickup' | 'drop', near: LatLng) =>
    renderPlace({
      label: t(name),
      value: draft[name],
      onChange: (chosen) => change({ [name]: chosen }),
      error: errors[name],
      near,
      onLookup,
    })
  const detail = (name: DetailField) => ({
    label: t(name),
    value:
      draft.details[name] ??
      (isPhoneHidden && name === 'deliveryPersonPhone' ? '' : (seen[name] ?? '')),
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) =>
      change({ details: { ...draft.details, [name]: target.value } }),
  })
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
          busy={busy || lookups > 0}
          onClick={() => void save()}
        >
          {mayConfirm ? addressConfirmation : t('series_edit_save')}
        </Button>
      }
    >
      <PatternFields draft={draft} errors={errors} firstDay={draft.from} onChange={change}>
        <TextInput
          required
          type="date"
          label={t('repeat_from')}
          value={draft.from}
          error={errors.from}
          onChange={({ target }) => change({ from: target.value })}
        />
      </PatternFields>
      {place('pickup', series.drop)}
      <StopFields
        stops={stops}
        onChange={(changed) => change({ stops: changed })}
        renderStop={(props, { id }) =>
          renderPlace({ ...props, error: errors[`stop${id}`], near: series.pickup, onLookup })
        }
      >
        {place('drop', series.pickup)}
      </StopFields>
      <SelectInput
        label={t('car_type')}
        value={draft.carType}
        error={errors.carType}
        onChange={({ target }) => change({ carType: target.value })}
      >
        {vehicles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectInput>
      {hasRecipient && (
        <>
          <TextInput maxLength={MAX_RECIPIENT_LENGTH} {...detail('deliveryPerson')} />
          <TextInput
            type="tel"
            inputMode="tel"
            maxLength={MAX_RECIPIENT_PHONE_LENGTH}
            {...detail('deliveryPersonPhone')}
          />
          <TextArea
            rows={2}
            maxLength={MAX_INSTRUCTIONS_LENGTH}
            {...detail('pickUpInstructions')}
          />
          <TextArea
            rows={2}
            maxLength={MAX_INSTRUCTIONS_LENGTH}
            {...detail('deliveryInstructions')}
          />
        </>
      )}
      {draft.payment !== undefined && (
        <PaymentChoice value={draft.payment} onChange={(payment) => change({ payment })} />
      )}
      {series.next.some(({ booking }) => booking !== undefined) && (
        <SegmentedControl
          legend={t('series_edit_booked')}
          value={booked}
          onChange={setBooked}
          options={[
            { value: 'keep', label: t('series_edit_keep') },
            { value: 'amend', label: t('series_edit_amend') },
          ]}
        />
      )}
      <p className={css.note}>{t('series_edit_note', { timezone: format.timezone ?? 'UTC' })}</p>
    </Dialog>
  )
}
