import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ChangeRecurringInput } from '~/domain/api/inputs/recurring'
import { toOccurrenceKey } from '~/domain/recurring/occurrences'
import type { SeriesView } from '~/domain/recurring/view'
import { formatPattern, formatPatternDay } from '~/src/features/recurring/patternFormat'
import { changeRecurring } from '~/src/features/recurring/recurring'
import css from '~/src/features/recurring/recurring.module.css'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { useFormat } from '~/src/ui/format/format'
import { TripEnds } from '~/src/ui/PlaceMark'
import { useSingleRun } from '~/src/ui/useSingleRun'
import { EditSeriesDialog, type SeriesFormOptions } from './EditSeriesDialog'
import { PauseSeriesDialog } from './PauseSeriesDialog'

type Change = ChangeRecurringInput extends infer Input
  ? Input extends ChangeRecurringInput
    ? Omit<Input, 'series_id' | 'customer'>
    : never
  : never

interface SeriesProps {
  series: SeriesView
  /** The rider's uid, for the office. */
  customer?: string | undefined
  onChanged: (series: SeriesView | null) => void
}

/** Returns the request that changes a series. A refusal of a quiet one raises no notice. */
const useChange = ({ series, customer, onChanged }: SeriesProps) => {
  const dispatch = useAppDispatch()
  return async (changes: Change, isQuiet = false) => {
    const target = { series_id: series.id, ...(customer !== undefined && { customer }) }
    const { series: after } = await dispatch(
      (isQuiet ? changeRecurring.quiet : changeRecurring)({ ...target, ...changes }),
    ).unwrap()
    onChanged(after)
  }
}

/** Returns a function that writes days of a series, and one that names a trip. */
const useTripNames = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const addLeg = (name: string, leg: string) =>
    leg === 'back' ? `${name} · ${t('series_back')}` : name
  const toDay = (day: string) => formatPatternDay(format.locale, day)
  return {
    toDay,
    nameTrip: ({ at, leg }: { at: number; leg: string }) => addLeg(format.dateTime(at), leg),
    nameSkipped: ({ date, leg }: { date: string; leg: string }) => addLeg(toDay(date), leg),
  }
}

/** Shows when a series runs, and its pause. */
const SeriesDates = ({ series: { from, until, pause } }: Pick<SeriesProps, 'series'>) => {
  const { t } = useTranslation()
  const { toDay } = useTripNames()
  return (
    <>
      <p className={css.note}>
        {until === undefined
          ? t('series_from', { from: toDay(from) })
          : t('series_dates', { from: toDay(from), until: toDay(until) })}
      </p>
      {pause && (
        <p>
          <StatusChip tone="warning">
            {pause.to === undefined
              ? t('series_paused_open', { from: toDay(pause.from) })
              : t('series_paused', { from: toDay(pause.from), to: toDay(pause.to) })}
          </StatusChip>
        </p>
      )}
    </>
  )
}

/** Lists the next trips and the skipped ones, with a button that skips a trip or takes it back. */
const NextTrips = ({
  series,
  busyKey,
  onChange,
}: {
  series: SeriesView
  /** The trip whose change is running. */
  busyKey: string | null
  onChange: (key: string, change: Change) => void
}) => {
  const { t } = useTranslation()
  const { nameTrip, nameSkipped } = useTripNames()
  const renderButton = (key: string, text: string, label: string, change: Change) => (
    <Button
      size="small"
      variant="quiet"
      busy={busyKey === key}
      aria-label={label}
      onClick={() => onChange(key, change)}
    >
      {text}
    </Button>
  )
  return (
    <ul role="list" className={css.trips}>
      {series.next.map((trip) => {
        const { date, leg, booking } = trip
        const key = toOccurrenceKey(trip)
        const label = t('series_skip_trip', { trip: nameTrip(trip) })
        return (
          <li key={key}>
            <span>{nameTrip(trip)}</span>
            {booking ? (
              <Link to={screenPaths.booking(booking)}>{t('series_booked')}</Link>
            ) : (
              renderButton(key, t('series_skip'), label, { action: 'skip', date, leg })
            )}
          </li>
        )
      })}
      {series.skipped.map(({ date, leg }) => {
        const key = toOccurrenceKey({ date, leg })
        const name = nameSkipped({ date, leg })
        const label = t('series_unskip_trip', { trip: name })
        return (
          <li key={key} className={css.skipped}>
            <span>
              {name} <StatusChip tone="muted">{t('series_skipped')}</StatusChip>
            </span>
            {renderButton(key, t('series_unskip'), label, { action: 'unskip', date, leg })}
          </li>
        )
      })}
    </ul>
  )
}

/** Lists the trips that could not be booked. */
const SeriesProblems = ({ problems }: Pick<SeriesView, 'problems'>) => {
  const { t } = useTranslation()
  const { nameTrip } = useTripNames()
  if (problems.length === 0) return null
  return (
    <div className={css.problems}>
      <h3>{t('series_problems')}</h3>
      <ul role="list">
        {problems.map((problem) => (
          <li key={toOccurrenceKey(problem)}>
            <strong>{nameTrip(problem)}</strong> {translateError(problem, t)}
          </li>
        ))}
      </ul>
    </div>
  )
}

type DialogName = 'edit' | 'pause' | 'end'

const SeriesDialog = ({
  name,
  form,
  onChange,
  onClose,
  ...edited
}: SeriesProps & {
  name: DialogName
  form: SeriesFormOptions
  onChange: (change: Change, isQuiet?: boolean) => Promise<void>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { series, customer, onChanged } = edited
  if (name === 'edit')
    return <EditSeriesDialog {...{ series, customer, form, onClose }} onEdited={onChanged} />
  if (name === 'pause')
    return (
      <PauseSeriesDialog
        onPause={(from, to) => onChange({ action: 'pause', from, ...(to !== '' && { to }) }, true)}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      danger
      title={t('series_end_title')}
      confirm={t('series_end')}
      onConfirm={() => onChange({ action: 'end' })}
      onClose={onClose}
    >
      <p>{t('series_end_text')}</p>
    </ConfirmDialog>
  )
}

/** Renders the buttons of the whole series. */
const CardActions = ({
  isPaused,
  isBusy,
  onResume,
  onOpen,
}: {
  isPaused: boolean
  isBusy: boolean
  onResume: () => void
  onOpen: (dialog: DialogName) => void
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.actions}>
      <Button size="small" onClick={() => onOpen('edit')}>
        {t('series_edit')}
      </Button>
      {isPaused ? (
        <Button size="small" busy={isBusy} onClick={onResume}>
          {t('series_resume')}
        </Button>
      ) : (
        <Button size="small" onClick={() => onOpen('pause')}>
          {t('series_pause')}
        </Button>
      )}
      <Button size="small" variant="danger" onClick={() => onOpen('end')}>
        {t('series_end')}
      </Button>
    </div>
  )
}

/** Shows one recurring booking with its next trips, and lets its owner or the office change it. */
export const SeriesCard = ({
  heading,
  form,
  ...edited
}: SeriesProps & {
  /** The rider, for the office. */
  heading?: ReactNode
  form: SeriesFormOptions
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { series } = edited
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const { busy, run } = useSingleRun()
  const [changedKey, setChangedKey] = useState<string | null>(null)
  const busyKey = busy ? changedKey : null
  const change = useChange(edited)
  const changeTrip = (key: string, changes: Change) => {
    run(() => {
      setChangedKey(key)
      return change(changes)
      // A refusal is shown as a notice.
    }).catch(() => undefined)
  }
  const pattern = formatPattern(series, format.locale, t)
  return (
    <article className={css.card} aria-label={pattern}>
      {heading}
      <h2>{pattern}</h2>
      <TripEnds from={series.pickup.add} to={series.drop.add} />
      <SeriesDates series={series} />
      <h3>{t('series_next')}</h3>
      {series.next.length === 0 && <p className={css.note}>{t('series_none')}</p>}
      <NextTrips series={series} busyKey={busyKey} onChange={changeTrip} />
      <SeriesProblems problems={series.problems} />
      <CardActions
        isPaused={series.pause !== undefined}
        isBusy={busyKey === 'resume'}
        onResume={() => changeTrip('resume', { action: 'resume' })}
        onOpen={setDialog}
      />
      {dialog && (
        <SeriesDialog
          {...edited}
          name={dialog}
          form={form}
          onChange={change}
          onClose={() => setDialog(null)}
        />
      )}
    </article>
  )
}
