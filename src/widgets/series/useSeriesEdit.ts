import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/api/errors'
import type { AmendedTrip, SeriesView } from '~/domain/recurring/view'
import { findPatternErrors, type PatternDraft } from '~/src/features/recurring/PatternFields'
import { changeRecurring } from '~/src/features/recurring/recurring'
import { useAppDispatch } from '~/src/store/hooks'
import { useSingleRun } from '~/src/ui/useSingleRun'
import { useRevision } from '../trip/useRevision'
import { toTripDraft, useTripEdits } from '../trip/useTripEdits'

/** When a series takes place and how it is paid, as it is typed. */
interface SeriesDraft extends PatternDraft {
  payment: 'cash' | 'wallet' | undefined
}

const toDraft = (series: SeriesView): SeriesDraft => ({
  days: series.days,
  time: series.time,
  until: series.until ?? '',
  hasBack: series.back !== undefined,
  back: series.back ?? '',
  from: series.from,
  payment: series.payment,
})

/** Returns the fields of the draft that differ from the series. */
const getEditedFields = (series: SeriesView, draft: SeriesDraft) => {
  const { days, time, from, until, hasBack, back, payment } = draft
  const sameDays = days.length === series.days.length && days.every((d) => series.days.includes(d))
  return {
    ...(!sameDays && { days }),
    ...(time !== series.time && { time }),
    ...((hasBack ? back : '') !== (series.back ?? '') && { back: hasBack ? back : null }),
    ...(from !== series.from && { from }),
    ...(until !== (series.until ?? '') && { until: until || null }),
    ...(payment !== undefined && payment !== series.payment && { payment }),
  }
}

export interface SeriesEditOptions {
  series: SeriesView
  /** The rider's uid, for the office. */
  customer?: string | undefined
  /** True where phone numbers are hidden; a new one can be typed all the same. */
  isPhoneHidden?: boolean | undefined
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string | undefined
  onEdited: (series: SeriesView) => void
  onClose: () => void
}

/** Holds the edited series, and sends what has changed. */
export const useSeriesEdit = ({
  series,
  customer,
  isPhoneHidden,
  addressConfirmation,
  onEdited,
  onClose,
}: SeriesEditOptions) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [draft, setDraft] = useState(() => toDraft(series))
  /** The state that the person has seen; the list may load a later one while they type. */
  const [seenSeries] = useState(series)
  const { revision, takeRefused } = useRevision(series.revision)
  const [booked, setBooked] = useState<'keep' | 'amend'>('keep')
  const [trips, setTrips] = useState<AmendedTrip[] | null>(null)
  const [tries, setTries] = useState(0)
  const { busy, run } = useSingleRun({ isLast: true })
  const errors = findPatternErrors(draft, t)
  const clearConfirmable = () => {
    if (trip.refused?.key === 'address_elsewhere') trip.clearRefusal()
  }
  const trip = useTripEdits({
    trip: toTripDraft(seenSeries),
    isPhoneHidden,
    onEdit: clearConfirmable,
  })
  const edited = { ...getEditedFields(seenSeries, draft), ...trip.editedFields }
  const hasNewPlaces = 'pickup' in edited || 'drop' in edited || 'waypoints' in edited
  const isElsewhere =
    trip.refused?.key === 'address_elsewhere' ||
    (!hasNewPlaces && seenSeries.problems.some(({ key }) => key === 'address_elsewhere'))
  const mayConfirm = addressConfirmation !== undefined && isElsewhere
  const change = (changes: Partial<SeriesDraft>) => {
    clearConfirmable()
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
    trip.clearRefusal()
    const isTripValid = trip.check()
    if (!isTripValid || Object.keys(errors).length > 0) return
    if (Object.keys(edited).length === 0 && !mayConfirm) {
      onClose()
      return
    }
    await run(send).catch((error: unknown) => {
      const problem = 'key' in (error as object) ? (error as DomainError) : domainError('bad_input')
      takeRefused(problem)
      trip.refuse(problem)
    })
  }
  return {
    draft,
    change,
    trip,
    booked,
    setBooked,
    trips,
    patternErrors: tries > 0 ? errors : {},
    mayConfirm,
    isBusy: busy || trip.isLooking,
    save,
  }
}
