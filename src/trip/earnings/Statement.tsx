import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Settings, User } from '~/domain/entities'
import { signed } from '~/domain/wallet'
import { screens } from '~/src/store/screens'
import { Button, Segments, SelectInput } from '~/src/ui/controls'
import { DateTime, Money } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { CSV, toCsv } from '~/src/ui/office/csv'
import { saveFile } from '~/src/ui/saveFile'
import { useServerNow } from '../clock'
import { useDayNames } from './days'
import {
  entryKind,
  periodFrom,
  type Span,
  startsOf,
  type StatementLine,
  statementOf,
  statementRows,
} from './figures'
import css from './WalletPage.module.css'

const Line = ({ line }: { line: StatementLine }) => {
  const { t } = useTranslation()
  const amount = signed(line)
  return (
    <li className={css.line}>
      <span>
        <b>{t(entryKind(line))}</b>
        <small>
          <DateTime at={line.date} />
        </small>
        {line.booking && (
          <small>
            <Link to={screens.booking(line.booking)}>{t('booking')}</Link>
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

const SPANS = ['day', 'week', 'month'] as const

/** A day, week or month of the wallet from its opening to its closing balance, each line tied to its booking. */
export const Statement = ({ user, settings }: { user: User; settings: Settings }) => {
  const { t } = useTranslation()
  const named = useDayNames()
  const now = useServerNow(60_000)
  const [span, setSpan] = useState<Span>('month')
  const [chosen, setChosen] = useState<string | null>(null)
  const starts = startsOf(user.walletHistory, settings, now, span)
  const from = chosen !== null && starts.includes(chosen) ? chosen : (starts[0] ?? '')
  const period = periodFrom(from, span)
  const statement = statementOf(user.walletHistory, period, settings)
  const nameOf = (start: string): string =>
    span === 'month'
      ? named({ month: 'long', year: 'numeric' }).day(start)
      : named({ dateStyle: 'medium' }).range(start, periodFrom(start, span).to)
  return (
    <section className={css.card} aria-labelledby="statement-title">
      <h2 id="statement-title">{t('statement_title')}</h2>
      <Segments
        legend={t('chart_span')}
        value={span}
        onChange={setSpan}
        options={SPANS.map((value) => ({ value, label: t(`span_${value}s`) }))}
      />
      <div className={css.chooser}>
        <SelectInput
          label={t('statement_period')}
          value={from}
          onChange={({ target }) => setChosen(target.value)}
        >
          {starts.map((start) => (
            <option key={start} value={start}>
              {nameOf(start)}
            </option>
          ))}
        </SelectInput>
        <Button
          onClick={() =>
            saveFile(
              `statement-${period.from}-${period.to}.csv`,
              CSV,
              toCsv(statementRows(statement, t, (line) => t(entryKind(line)))),
            )
          }
        >
          <Icon name="download" />
          {t('statement_export')}
        </Button>
      </div>
      <dl className={css.totals}>
        {(['opening', 'in', 'out', 'closing'] as const).map((total) => (
          <div key={total}>
            <dt>{t(`statement_${total}`)}</dt>
            <dd>
              <Money amount={statement[total]} />
            </dd>
          </div>
        ))}
      </dl>
      {statement.lines.length === 0 ? (
        <p className={css.none}>{t('statement_empty')}</p>
      ) : (
        <ol role="list" className={css.lines} aria-label={t('statement_lines')}>
          {[...statement.lines].reverse().map((line) => (
            <Line key={line.key} line={line} />
          ))}
        </ol>
      )}
    </section>
  )
}
