import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DomainError } from '~/domain/api/errors'
import {
  type FairnessRow,
  getIncomePerHour,
  summarizeFairness,
} from '~/domain/dispatch/matching/driverMonth'
import { formatMonth } from '~/domain/language/zonedTime'
import { roundAmount } from '~/domain/money/money'
import { fetchFairness } from '~/src/features/offers/fairnessReport'
import { translateError } from '~/src/i18n/errorTexts'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useAppDispatch } from '~/src/store/hooks'
import { BarChart } from '~/src/ui/charts/BarChart'
import { SelectInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { useQueryParam } from '~/src/ui/table/tableState'
import { getPersonPath } from '../people/personPaths'
import { useOfficeSession } from '../useOfficeSession'
import css from './offers.module.css'
import type { Column } from '~/src/ui/table/tableProps'
import type { Settings } from '~/domain/catalog/types'

/** Months to choose from; the counts are kept for three years. */
const MONTHS = 36

/** Returns this month and those before it, newest first. */
const listMonths = (now: number, timezone: string): string[] => {
  const [year = 0, month = 1] = formatMonth(now, timezone).split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, i) =>
    new Date(Date.UTC(year, month - 1 - i, 1)).toISOString().slice(0, 7),
  )
}

interface LoadedMonth {
  rows: FairnessRow[] | null
  count: number
  error: DomainError | null
  retry: () => void
}

/** Loads the rows of a month. Needs a component with a key that changes with the month. */
const useMonth = (month: string): LoadedMonth => {
  const dispatch = useAppDispatch()
  const [rows, setRows] = useState<FairnessRow[] | null>(null)
  const [count, setCount] = useState(0)
  const [error, setError] = useState<DomainError | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isWanted = true
    const onProgress = (loadedCount: number) => isWanted && setCount(loadedCount)
    dispatch(fetchFairness.quiet({ month, onProgress: (n) => void onProgress(n) }))
      .unwrap()
      .then(
        (loadedRows) => isWanted && setRows(loadedRows),
        (failure: unknown) => isWanted && setError(failure as DomainError),
      )
    return () => {
      isWanted = false
    }
  }, [month, dispatch, attempt])
  const retry = () => {
    setError(null)
    setAttempt(attempt + 1)
  }
  return { rows, count, error, retry }
}

/** Says how drivers are chosen, which of their data decides, and who reviews a decision. */
const Disclosure = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { dispatchMode = 'nearest', fairnessWeight = 0, contact_email } = settings
  const isWeighed = dispatchMode === 'matched' && fairnessWeight > 0
  const mode = {
    nearest: 'dispatch_one_by_one',
    matched: 'dispatch_matched',
    broadcast: 'dispatch_all',
  }
  return (
    <details className={css.disclosure}>
      <summary>{t('disclosure')}</summary>
      <ul>
        <li>
          {t('dispatch_mode')}:{' '}
          {settings.autoDispatch ? t(mode[dispatchMode]) : t('disclosure_office')}
        </li>
        <li>{t('disclosure_data')}</li>
        <li>
          {isWeighed
            ? t('disclosure_income', { seconds: format.number(fairnessWeight) })
            : t('disclosure_no_income')}
        </li>
        <li>{t('disclosure_unused')}</li>
        <li>{t('disclosure_stored')}</li>
        <li>
          {t('disclosure_review')}{' '}
          {contact_email && (
            <a href={`mailto:${contact_email}`}>
              <bdi dir="ltr">{contact_email}</bdi>
            </a>
          )}
        </li>
      </ul>
    </details>
  )
}

type TableRow = FairnessRow & { id: string }

/** Returns the columns of the list of drivers. */
const useColumns = (): Column<TableRow>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useOfficeSession()
  const currency = settings?.code
  const decimal = settings?.decimal ?? 2
  return useMemo(() => {
    const createCount = (
      id: 'offers' | 'accepted' | 'declined' | 'expired' | 'trips',
      title: string,
    ): Column<TableRow> => ({
      id,
      title,
      align: 'end',
      sortValue: (row) => row[id],
      cell: (row) => format.number(row[id]),
      total: (all) => format.number(all.reduce((sum, row) => sum + row[id], 0)),
    })
    return [
      {
        id: 'name',
        title: t('driver_name'),
        sortValue: (row) => row.name || row.driver,
        cell: (row) => (
          <Link to={getPersonPath({ id: row.driver, usertype: 'driver' })}>
            <bdi>{row.name || row.driver}</bdi>
          </Link>
        ),
        isOnCard: true,
        total: () => t('total'),
      },
      { ...createCount('offers', t('fair_offers')), isOnCard: true },
      createCount('accepted', t('offer_accepted')),
      createCount('declined', t('offer_declined')),
      createCount('expired', t('offer_expired')),
      createCount('trips', t('total_rides')),
      {
        id: 'hours',
        title: t('fair_hours'),
        align: 'end',
        sortValue: (row) => row.active_s,
        exportValue: (row) => Math.round(row.active_s / 36) / 100,
        cell: (row) => format.number(row.active_s / 3600),
      },
      createMoneyColumn({
        id: 'income',
        title: t('driver_share'),
        currency,
        amount: (row) => row.income,
      }),
      createMoneyColumn({
        id: 'perHour',
        title: t('fair_per_hour'),
        currency,
        amount: (row) => {
          const rate = getIncomePerHour(row)
          return rate === null ? undefined : roundAmount(rate, decimal)
        },
        none: '—',
        isOnCard: true,
      }),
    ]
  }, [t, format, currency, decimal])
}

/** Shows how equal the incomes of a month are. */
const MonthSummary = ({ rows }: { rows: FairnessRow[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const summary = useMemo(() => summarizeFairness(rows), [rows])
  const percent = (share: number | null) =>
    share === null ? '—' : `${format.number(share * 100)} %`
  const facts: [string, string][] = [
    [t('fair_acceptance'), percent(summary.acceptance)],
    [t('fair_mean'), summary.mean === null ? '—' : format.money(summary.mean)],
    [t('fair_gini'), summary.gini === null ? '—' : summary.gini.toFixed(3)],
    [t('fair_lowest'), percent(summary.lowestOfMedian)],
  ]
  return (
    <section className={css.summary} aria-label={t('fair_summary')}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {summary.tenths.length > 1 && (
        <BarChart
          title={t('fair_chart')}
          format={format.money}
          bars={summary.tenths.map((value, i) => ({
            id: `${i}`,
            label: format.number(i + 1),
            value,
          }))}
        />
      )}
    </section>
  )
}

interface MonthProps {
  month: string
  timezone: string
  onMonth: (month: string) => void
}

const MonthSelect = ({ month, timezone, onMonth }: MonthProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [months] = useState(() => listMonths(Date.now(), timezone))
  return (
    <SelectInput label={t('month')} value={month} onChange={({ target }) => onMonth(target.value)}>
      {months.map((one) => (
        <option key={one} value={one}>
          {format.month(Date.parse(`${one}-15T12:00:00Z`))}
        </option>
      ))}
    </SelectInput>
  )
}

const MonthReport = ({ toolbar, ...choice }: MonthProps & { toolbar: ReactNode }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, can } = useOfficeSession()
  const { rows, count, error, retry } = useMonth(choice.month)
  const tableRows = useMemo(
    () => rows?.map((row): TableRow => ({ ...row, id: row.driver })),
    [rows],
  )
  return (
    <ListPage
      id="fairness"
      title={t('fairness')}
      query={{
        loading: rows === null && error === null,
        error: { flag: error !== null, msg: error && translateError(error, t) },
        retry,
      }}
      empty={t('fair_none')}
      lead={
        <>
          <p>{t('fair_lead')}</p>
          {settings && <Disclosure settings={settings} />}
          {rows === null && count > 0 && (
            <p role="status" className={css.muted}>
              {t('fair_loading', { number: format.number(count) })}
            </p>
          )}
          {rows !== null && rows.length > 0 && <MonthSummary rows={rows} />}
        </>
      }
      rows={tableRows ?? []}
      columns={useColumns()}
      defaults={{ size: 25 }}
      toSearchText={(row) => row.name}
      toolbar={
        <>
          {toolbar}
          <MonthSelect {...choice} />
        </>
      }
      {...(can('table_export') && { exportAs: { name: `fairness-${choice.month}` } })}
    />
  )
}

/**
 * Shows offers, answers, time on duty and income of the drivers in a month, and how equal their
 * incomes are. An admin sees all drivers, a fleet admin only their own.
 */
export const FairnessReport = ({ toolbar }: { toolbar: ReactNode }) => {
  const { settings } = useOfficeSession()
  const timezone = settings?.timezone ?? 'UTC'
  const [requestedMonth, setMonth] = useQueryParam('month')
  const [thisMonth] = useState(() => formatMonth(Date.now(), timezone))
  const month =
    requestedMonth && /^\d{4}-(0[1-9]|1[0-2])$/.test(requestedMonth) ? requestedMonth : thisMonth
  return (
    <MonthReport
      key={month}
      month={month}
      timezone={timezone}
      onMonth={setMonth}
      toolbar={toolbar}
    />
  )
}
