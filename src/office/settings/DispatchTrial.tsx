import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { PolicyComparison } from '~/domain/replay/comparison'
import { trialForm } from '~/domain/forms/trialForm'
import {
  MAX_BOOKINGS_PER_HOUR,
  MAX_DRIVERS,
  toPolicyName,
  type ModelTask,
} from '~/domain/replay/modelCity'
import type { MeasureName } from '~/domain/replay/replayMeasures'
import { dayRows } from '~/src/features/earnings/earnings'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { BarChart } from '~/src/ui/charts/BarChart'
import { Button } from '~/src/ui/controls'
import { NumberField, SelectField } from '~/src/ui/forms/fields'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { useFormat } from '~/src/ui/format/format'
import css from './settings.module.css'
import type { ReplayMessage } from './replayMessages'
import type { Settings, VehicleType } from '~/domain/catalog/types'

const DAYS = 14
const SEEDS = 3
/** A busy hour has about twice the mean of a day. */
const BUSY_HOURS = 12
const USUAL_BOOKINGS_PER_HOUR = 30
/** Fewer bookings do not compete for a driver, so that every mode would do the same. */
const MIN_BOOKINGS_PER_HOUR = 10
/** Bookings that a driver can serve in an hour, at the usual load. */
const BOOKINGS_PER_DRIVER = 2

type Format = ReturnType<typeof useFormat>
const MEASURES: readonly { name: MeasureName; show: (value: number, format: Format) => string }[] =
  [
    { name: 'meanWait', show: (value, format) => format.duration(value * 60) },
    { name: 'wait90', show: (value, format) => format.duration(value * 60) },
    { name: 'lost', show: (value, format) => format.number(value) },
    { name: 'emptyKm', show: (value, format) => format.number(value) },
    { name: 'incomePerHour', show: (value, format) => format.money(value) },
    { name: 'gini', show: (value) => value.toFixed(3) },
    { name: 'takings', show: (value, format) => format.money(value) },
  ]
/** A difference of fewer standard errors than this may be chance. */
const SURE = 2

type Trial =
  | { state: 'idle' }
  | { state: 'running'; share: number }
  | { state: 'failed' }
  | { state: 'done'; comparison: PolicyComparison[] }

/** Runs a comparison in a worker; starting another one or leaving the page ends it. */
const useTrial = () => {
  const [trial, setTrial] = useState<Trial>({ state: 'idle' })
  const worker = useRef<Worker | null>(null)
  const stop = () => {
    worker.current?.terminate()
    worker.current = null
  }
  useEffect(() => stop, [])
  return {
    trial,
    start: (task: ModelTask) => {
      stop()
      const started = new Worker(new URL('./replayWorker.ts', import.meta.url), { type: 'module' })
      worker.current = started
      setTrial({ state: 'running', share: 0 })
      started.postMessage(task)
      started.onmessage = ({ data }: MessageEvent<ReplayMessage>) => {
        if (data.type === 'progress') setTrial({ state: 'running', share: data.share })
        else {
          stop()
          setTrial(
            data.type === 'done'
              ? { state: 'done', comparison: data.comparison }
              : { state: 'failed' },
          )
        }
      }
      started.onerror = () => {
        stop()
        setTrial({ state: 'failed' })
      }
    },
    cancel: () => {
      stop()
      setTrial({ state: 'idle' })
    },
  }
}

const TrialResult = ({ comparison }: { comparison: PolicyComparison[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [now, change] = comparison
  if (!now || !change) return null
  return (
    <div className={css.trialResult}>
      <div className={css.scroll} tabIndex={0} role="region" aria-label={t('trial_result')}>
        <table className={css.trial}>
          <thead>
            <tr>
              <th scope="col">{t('trial_measure')}</th>
              <th scope="col">{t('trial_now')}</th>
              <th scope="col">{t('trial_change')}</th>
              <th scope="col">{t('trial_difference')}</th>
            </tr>
          </thead>
          <tbody>
            {MEASURES.map(({ name, show }) => {
              const before = now.measures[name].value.mean
              const { value, difference } = change.measures[name]
              const percent = before === 0 ? 0 : (100 * (value.mean - before)) / before
              const isSure =
                difference !== undefined &&
                Math.abs(difference.mean) >= SURE * difference.error &&
                difference.mean !== 0
              return (
                <tr key={name}>
                  <th scope="row">{t(`trial_${name}`)}</th>
                  <td>{show(before, format)}</td>
                  <td>{show(value.mean, format)}</td>
                  <td>
                    {isSure
                      ? `${percent > 0 ? '+' : ''}${format.number(percent)} %`
                      : t('trial_same')}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <div className={css.trialCharts}>
        {MEASURES.filter(({ name }) => name === 'meanWait' || name === 'takings').map(
          ({ name, show }) => (
            <BarChart
              key={name}
              title={t(`trial_${name}`)}
              format={(value) => show(value, format)}
              bars={[
                { id: 'now', label: t('trial_now'), value: now.measures[name].value.mean },
                { id: 'change', label: t('trial_change'), value: change.measures[name].value.mean },
              ]}
            />
          ),
        )}
      </div>
    </div>
  )
}

/** Shows the button that starts the trial, and how far it has come. */
const TrialProgress = ({
  trial,
  onCancel,
}: {
  trial: ReturnType<typeof useTrial>['trial']
  onCancel: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <div className={css.trialFields}>
        {trial.state === 'running' ? (
          <>
            <progress value={trial.share} max={1} aria-label={t('trial_running')} />
            <Button onClick={onCancel}>{t('cancel')}</Button>
          </>
        ) : (
          <Button type="submit">{t('trial_start')}</Button>
        )}
      </div>
      <div role="status">
        {trial.state === 'running' &&
          `${t('trial_running')} ${format.number(Math.round(trial.share * 100))} %`}
        {trial.state === 'failed' && t('trial_failed')}
        {trial.state === 'done' && t('trial_done')}
      </div>
    </>
  )
}

const TrialForm = ({
  settings,
  vehicleType,
  perHour,
}: {
  settings: Settings
  vehicleType: VehicleType
  perHour: number
}) => {
  const { t } = useTranslation()
  const { trial, start, cancel } = useTrial()
  const { form, element, field, submit } = useSchemaForm({
    schema: trialForm,
    initial: {
      bookingsPerHour: perHour,
      drivers: Math.min(MAX_DRIVERS, Math.ceil(perHour / BOOKINGS_PER_DRIVER)),
      dispatchMode: settings.dispatchMode === 'matched' ? 'nearest' : 'matched',
      fairnessWeight: 600,
    },
    onSubmit: async ({ bookingsPerHour, drivers, ...change }) =>
      start({
        settings: { ...settings, autoDispatch: true },
        vehicleType,
        drivers,
        bookingsPerHour,
        policies: [toPolicyName(settings), toPolicyName(change)],
        seeds: SEEDS,
      }),
  })
  const isMatched = useWatch({ control: form.control, name: 'dispatchMode' }) === 'matched'
  useEffect(() => {
    // A hidden weight must not be wrong.
    if (!isMatched) form.resetField('fairnessWeight')
  }, [form, isMatched])
  return (
    <form
      ref={element}
      className={css.trialForm}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <h2>{t('trial')}</h2>
      <p>{t('trial_hint')}</p>
      <div className={css.trialFields}>
        <NumberField label={t('trial_bookings')} {...field('bookingsPerHour')} />
        <NumberField label={t('trial_drivers')} {...field('drivers')} />
        <SelectField
          label={t('trial_mode')}
          options={[
            { value: 'nearest', label: t('dispatch_one_by_one') },
            { value: 'matched', label: t('dispatch_matched') },
            { value: 'broadcast', label: t('dispatch_all') },
          ]}
          {...field('dispatchMode')}
        />
        {isMatched && <NumberField label={t('trial_weight')} {...field('fairnessWeight')} />}
      </div>
      <TrialProgress trial={trial} onCancel={cancel} />
      {trial.state === 'done' && <TrialResult comparison={trial.comparison} />}
    </form>
  )
}

/**
 * Shows the effects of another dispatch mode before it is switched on: plays generated bookings, as
 * many as the operator's own, with the operator's settings and prices in a model city.
 */
export const DispatchTrial = ({ settings }: { settings: Settings }) => {
  const { cars } = useLive(liveVehicleTypes)
  const { days, loading } = useLive(dayRows, DAYS)
  const [vehicleType] = cars
  if (loading || !vehicleType) return null
  const created = days.map((day) => day.created ?? 0).filter((count) => count > 0)
  const mean = created.reduce((sum, count) => sum + count, 0) / Math.max(1, created.length)
  const perHour = Math.max(
    MIN_BOOKINGS_PER_HOUR,
    Math.min(MAX_BOOKINGS_PER_HOUR, Math.round(mean / BUSY_HOURS)),
  )
  return (
    <TrialForm
      settings={settings}
      vehicleType={vehicleType}
      perHour={created.length > 0 ? perHour : USUAL_BOOKINGS_PER_HOUR}
    />
  )
}
