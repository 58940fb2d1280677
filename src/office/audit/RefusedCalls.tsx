import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RefusalDay } from '~/domain/access/refusals'
import { fetchRefusals } from '~/src/features/audit/refusals'
import { translateError } from '~/src/i18n/errorTexts'
import { useLoaded } from '~/src/store/useLoaded'
import { useFormat } from '~/src/ui/format/format'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import css from './audit.module.css'

/** Returns the refusals of all days together, the most frequent first. */
const sumDays = (days: readonly RefusalDay[]): [key: string, count: number][] => {
  const sums = new Map<string, number>()
  for (const { counts } of days)
    for (const [key, count] of Object.entries(counts)) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].sort(([, a], [, b]) => b - a)
}

/** Lists the refusals by their key, which is also in the log and in the documents. */
const RefusalCounts = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { value: days, failure, retry } = useLoaded(fetchRefusals, undefined)
  if (failure) return <ErrorState onRetry={retry}>{translateError(failure, t)}</ErrorState>
  if (!days) return <SkeletonLines lines={2} />
  const sums = sumDays(days)
  if (sums.length === 0) return <p className={css.none}>{t('refusals_none')}</p>
  return (
    <DescriptionList
      className={css.refusals}
      facts={sums.map(([key, count]) => [key, format.number(count)])}
    />
  )
}

/** Shows how many calls were refused in the last days, once it is opened. */
export const RefusedCalls = () => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('refusals')}</summary>
      <p className={css.none}>{t('refusals_lead')}</p>
      {isOpen && <RefusalCounts />}
    </details>
  )
}
