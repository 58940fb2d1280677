import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ChangeRecurringInput } from '~/domain/api/inputs/recurring'
import type { DomainError } from '~/domain/api/errors'
import { toOccurrenceKey } from '~/domain/recurring/occurrences'
import type { SeriesView } from '~/domain/recurring/view'
import { formatDay } from '~/domain/language/zonedTime'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, StatusChip, TextInput } from '~/src/ui/controls'
import { ConfirmDialog, Dialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { FromTo } from '~/src/ui/FromTo'
import { Refusal } from '~/src/ui/forms/Refusal'
import { formatPattern, formatPatternDay } from './patternFormat'
import { EditSeriesDialog, type SeriesFormParts } from './EditSeriesDialog'
import { changeRecurring } from './recurring'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './recurring.module.css'

type Change = ChangeRecurringInput extends infer Input
  ? Input extends ChangeRecurringInput
    ? Omit<Input, 'series_id' | 'customer'>
    : never
  : never

const PauseDialog = ({
  onPause,
  onClose,
}: {
  onPause: (from: string, to: string) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { timezone = 'UTC' } = useFormat()
  const [from, setFrom] = useState(() => formatDay(Date.now(), timezone))
  const [to, setTo] = useState('')
  const [refused, setRefused] = useState<DomainError | null>(null)
  const { busy, run } = useSingleRun({ isLast: true })
  const pause = () => {
    run(() => onPause(from, to).then(onClose)).catch(setRefused)
  }
  const errorAt = (field: string) =>
    refused?.field === field ? translateError(refused, t) : undefined
  return (
    <Dialog
      title={t('series_pause')}
      onClose={onClose}
      problem={refused?.field !== 'from' && refused?.field !== 'to' && <Refusal error={refused} />}
      actions={
        <Button variant="primary" busy={busy} disabled={from === ''} onClick={pause}>
          {t('series_pause')}
        </Button>
      }
    >
      <TextInput
        required
        type="date"
        label={t('series_pause_from')}
        value={from}
        error={errorAt('from')}
        onChange={({ target }) => setFrom(target.value)}
      />
      <TextInput
        type="date"
        label={t('series_pause_to')}
        min={from}
        value={to}
        error={errorAt('to')}
        onChange={({ target }) => setTo(target.value)}
      />
    </Dialog>
  )
}

/** Shows one recurring booking with its next trips, and lets its owner or the office change it. */
export const SeriesCard = ({
  series,
  heading,
  customer,
  formParts,
  onChanged,
}: {
  series: SeriesView
  /** The rider, for the office. */
  heading?: ReactNode
  /** The rider's uid, for the office. */
  customer?: string
  formParts: SeriesFormParts
  onChanged: (series: SeriesView | null) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const [dialog, setDialog] = useState<'edit' | 'pause' | 'end' | null>(null)
  const { busy, run } = useSingleRun()
  const [changedKey, setChangedKey] = useState<string | null>(null)
  const { pause, from, until } = series
  const toDay = (day: string) => formatPatternDay(format.locale, day)
  const change = async (changes: Change, isQuiet = false) => {
    const target = { series_id: series.id, ...(customer !== undefined && { customer }) }
    const { series: after } = await dispatch(
      (isQuiet ? changeRecurring.quiet : changeRecurring)({ ...target, ...changes }),
    ).unwrap()
    onChanged(after)
  }
  const changeTrip = (key: string, changes: Change) => {
    run(() => {
      setChangedKey(key)
      return change(changes)
      // A refusal is shown as a notice.
    }).catch(() => undefined)
  }
  const nameTrip = (trip: { at: number; leg: string }) =>
    trip.leg === 'back'
      ? `${format.dateTime(trip.at)} · ${t('series_back')}`
      : format.dateTime(trip.at)
  return (
    <article className={css.card} aria-label={formatPattern(series, format.locale, t)}>
      {heading}
      <h2>{formatPattern(series, format.locale, t)}</h2>
      <p>
        <FromTo from={series.pickup.add} to={series.drop.add} />
      </p>
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
      <h3>{t('series_next')}</h3>
      {series.next.length === 0 && <p className={css.note}>{t('series_none')}</p>}
      <ul role="list" className={css.trips}>
        {series.next.map((trip) => {
          const { date, leg, booking } = trip
          const key = toOccurrenceKey(trip)
          return (
            <li key={key}>
              <span>{nameTrip(trip)}</span>
              {booking ? (
                <Link to={screenPaths.booking(booking)}>{t('series_booked')}</Link>
              ) : (
                <Button
                  size="small"
                  variant="quiet"
                  busy={busy && changedKey === key}
                  aria-label={t('series_skip_trip', { trip: nameTrip(trip) })}
                  onClick={() => changeTrip(key, { action: 'skip', date, leg })}
                >
                  {t('series_skip')}
                </Button>
              )}
            </li>
          )
        })}
        {series.skipped.map(({ date, leg }) => {
          const key = toOccurrenceKey({ date, leg })
          const name = leg === 'back' ? `${toDay(date)} · ${t('series_back')}` : toDay(date)
          return (
            <li key={key} className={css.skipped}>
              <span>
                {name} <StatusChip tone="muted">{t('series_skipped')}</StatusChip>
              </span>
              <Button
                size="small"
                variant="quiet"
                busy={busy && changedKey === key}
                aria-label={t('series_unskip_trip', { trip: name })}
                onClick={() => changeTrip(key, { action: 'unskip', date, leg })}
              >
                {t('series_unskip')}
              </Button>
            </li>
          )
        })}
      </ul>
      {series.problems.length > 0 && (
        <div className={css.problems}>
          <h3>{t('series_problems')}</h3>
          <ul role="list">
            {series.problems.map((problem) => (
              <li key={toOccurrenceKey(problem)}>
                <strong>{nameTrip(problem)}</strong> {translateError(problem, t)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={css.actions}>
        <Button size="small" onClick={() => setDialog('edit')}>
          {t('series_edit')}
        </Button>
        {pause ? (
          <Button
            size="small"
            busy={busy && changedKey === 'resume'}
            onClick={() => changeTrip('resume', { action: 'resume' })}
          >
            {t('series_resume')}
          </Button>
        ) : (
          <Button size="small" onClick={() => setDialog('pause')}>
            {t('series_pause')}
          </Button>
        )}
        <Button size="small" variant="danger" onClick={() => setDialog('end')}>
          {t('series_end')}
        </Button>
      </div>
      {dialog === 'edit' && (
        <EditSeriesDialog
          series={series}
          customer={customer}
          parts={formParts}
          onEdited={onChanged}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'pause' && (
        <PauseDialog
          onPause={(first, to) =>
            change({ action: 'pause', from: first, ...(to !== '' && { to }) }, true)
          }
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'end' && (
        <ConfirmDialog
          danger
          title={t('series_end_title')}
          confirm={t('series_end')}
          onConfirm={() => change({ action: 'end' })}
          onClose={() => setDialog(null)}
        >
          <p>{t('series_end_text')}</p>
        </ConfirmDialog>
      )}
    </article>
  )
}
