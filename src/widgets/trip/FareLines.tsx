import { useTranslation } from 'react-i18next'
import { Money } from '~/src/ui/format/format'
import css from './FareLines.module.css'
import type { FareLine } from '~/domain/booking/types'

/** Lists the parts of a fare and their total. */
export const FareLines = ({ lines, total }: { lines: FareLine[]; total: number }) => {
  const { t } = useTranslation()
  return (
    <dl className={css.lines}>
      {lines.map(({ label, amount }) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd>
            <Money amount={amount} />
          </dd>
        </div>
      ))}
      <div className={css.total}>
        <dt>{t('total')}</dt>
        <dd>
          <Money amount={total} />
        </dd>
      </div>
    </dl>
  )
}
