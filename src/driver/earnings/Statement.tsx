import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { toSignedAmount } from '~/domain/money/wallet'
import { translateReason } from '~/src/i18n/reasonTexts'
import { getEntryLabelKey, useWalletTexts } from '~/src/features/wallet/walletEntries'
import { fetchReferences } from '~/src/features/bookings/references'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, SegmentedControl, SelectInput } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { CSV_TYPE, toCsv } from '~/src/ui/table/csv'
import { downloadFile } from '~/src/ui/downloadFile'
import { useServerNow } from '../serverTime'
import { useDayFormatter } from '~/src/ui/format/dayFormat'
import {
  getCarriedBalance,
  getPeriod,
  type Span,
  getPeriodStarts,
  type StatementLine,
  buildStatement,
  toStatementRows,
} from './walletReports'
import { useWalletHistory } from './walletHistory'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './WalletPage.module.css'
import type { Settings } from '~/domain/catalog/types'

const StatementRow = ({ line }: { line: StatementLine }) => {
  const { t } = useTranslation()
  const amount = toSignedAmount(line)
  return (
    <li className={css.line}>
      <span>
        <b>{t(getEntryLabelKey(line.key, line))}</b>
        <small>
          <DateTime at={line.date} />
        </small>
        {line.reason && line.reason !== 'tip' && <small>{translateReason(line.reason, t)}</small>}
        {line.note && <small dir="auto">{line.note}</small>}
        {line.bookingId && (
          <small>
            <Link to={screenPaths.booking(line.bookingId)}>{t('booking')}</Link>
          </small>
        )}
      </span>
      <span className={css.amounts}>
        <b data-in={amount > 0 || undefined}>
          <bdi>
            {amount > 0 && '+'}
            <Money amount={amount} />
          </bdi>
        </b>
        <small>
          <Money amount={line.balance} />
        </small>
      </span>
    </li>
  )
}

const TOTALS = ['opening', 'in', 'out', 'compensation', 'tips', 'closing'] as const
/** Totals that most statements do not have. */
const OPTIONAL_TOTALS: readonly (typeof TOTALS)[number][] = ['compensation', 'tips']
const SPANS = ['day', 'week', 'month'] as const

interface StatementProps {
  statement: ReturnType<typeof buildStatement>
}

/** Saves the statement as a CSV file, with the references of its bookings. */
const ExportButton = ({
  statement,
  period,
  settings,
}: StatementProps & { period: ReturnType<typeof getPeriod>; settings: Settings }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { busy: isExporting, run } = useSingleRun()
  const exportCsv = async () => {
    const ids = statement.lines.flatMap(({ bookingId }) => bookingId ?? [])
    const references = await dispatch(fetchReferences.quiet({ ids }))
      .unwrap()
      .catch(() => ({}))
    const rows = toStatementRows(statement, {
      title: t,
      kind: (line) => t(getEntryLabelKey(line.key, line)),
      reason: (reason) => translateReason(reason, t),
      references,
      timezone: settings.timezone,
    })
    downloadFile(`statement-${period.from}-${period.to}.csv`, CSV_TYPE, toCsv(rows))
  }
  return (
    <Button busy={isExporting} onClick={() => void run(exportCsv)}>
      <Icon name="download" />
      {t('statement_export')}
    </Button>
  )
}

/** Lists the sums of the period. */
const Totals = ({ statement }: StatementProps) => {
  const { t } = useTranslation()
  return (
    <dl className={css.totals}>
      {TOTALS.filter((total) => !OPTIONAL_TOTALS.includes(total) || statement[total] !== 0).map(
        (total) => (
          <div key={total}>
            <dt>{t(`statement_${total}`)}</dt>
            <dd>
              <Money amount={statement[total]} />
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

/**
 * Shows a day, week or month of the wallet from the opening to the closing balance; each line links
 * to its booking.
 */
export const Statement = ({ settings }: { settings: Settings }) => {
  useWalletTexts()
  const { t } = useTranslation()
  const named = useDayFormatter()
  const now = useServerNow(60_000)
  const [span, setSpan] = useState<Span>('month')
  const [chosenStart, setChosenStart] = useState<string | null>(null)
  const { history, loading, isWhole } = useWalletHistory(now)
  const balance = useAppSelector(selectProfile)?.walletBalance ?? 0
  if (loading) return <SkeletonLines lines={3} height="4rem" />
  const starts = getPeriodStarts(history, settings, now, span, isWhole)
  const from =
    chosenStart !== null && starts.includes(chosenStart) ? chosenStart : (starts[0] ?? '')
  const period = getPeriod(from, span)
  const carried = getCarriedBalance(history, balance, isWhole)
  const statement = buildStatement(history, period, settings, carried)
  const getPeriodName = (start: string): string =>
    span === 'month'
      ? named({ month: 'long', year: 'numeric' }).day(start)
      : named({ dateStyle: 'medium' }).range(start, getPeriod(start, span).to)
  return (
    <section className={css.card} aria-labelledby="statement-title">
      <h2 id="statement-title">{t('statement_title')}</h2>
      <SegmentedControl
        legend={t('chart_span')}
        value={span}
        onChange={setSpan}
        options={SPANS.map((value) => ({ value, label: t(`span_${value}s`) }))}
      />
      <div className={css.chooser}>
        <SelectInput
          label={t('statement_period')}
          value={from}
          onChange={({ target }) => setChosenStart(target.value)}
        >
          {starts.map((start) => (
            <option key={start} value={start}>
              {getPeriodName(start)}
            </option>
          ))}
        </SelectInput>
        <ExportButton statement={statement} period={period} settings={settings} />
      </div>
      <Totals statement={statement} />
      {statement.lines.length === 0 ? (
        <p className={css.none}>{t('statement_empty')}</p>
      ) : (
        <ol role="list" className={css.lines} aria-label={t('statement_lines')}>
          {[...statement.lines].reverse().map((line) => (
            <StatementRow key={line.key} line={line} />
          ))}
        </ol>
      )}
    </section>
  )
}
