import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Settings, User } from '~/domain/entities'
import { signed } from '~/domain/wallet'
import { screens } from '~/src/store/screens'
import { Button, SelectInput } from '~/src/ui/controls'
import { DateTime, Money } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { download, toCsv } from '~/src/ui/office/csv'
import { useServerNow } from '../clock'
import { entryKind, monthsOf, type StatementLine, statementRows, statementOf } from './figures'
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

/** A month of the wallet from its opening to its closing balance, each line tied to its booking. */
export const Statement = ({ user, settings }: { user: User; settings: Settings }) => {
  const { t, i18n } = useTranslation()
  const now = useServerNow(60_000)
  const months = monthsOf(user.walletHistory, settings, now)
  const [chosen, setChosen] = useState<string | null>(null)
  const month = chosen ?? months[0] ?? ''
  const statement = statementOf(user.walletHistory, month, settings)
  const name = new Intl.DateTimeFormat(i18n.language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <section className={css.card} aria-labelledby="statement-title">
      <h2 id="statement-title">{t('statement_title')}</h2>
      <div className={css.chooser}>
        <SelectInput
          label={t('statement_month')}
          value={month}
          onChange={({ target }) => setChosen(target.value)}
        >
          {months.map((value) => (
            <option key={value} value={value}>
              {name.format(Date.parse(`${value}-15T12:00:00Z`))}
            </option>
          ))}
        </SelectInput>
        <Button
          onClick={() =>
            download(
              `statement-${month}.csv`,
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
