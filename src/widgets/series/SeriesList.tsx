import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import type { SeriesView } from '~/domain/recurring/view'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { listRecurring } from '~/src/features/recurring/recurring'
import type { SeriesFormOptions } from './EditSeriesDialog'
import css from '~/src/features/recurring/recurring.module.css'
import { SeriesCard } from './SeriesCard'
import { useSingleRun } from '~/src/ui/useSingleRun'

const isSame = (a: SeriesView, b: SeriesView): boolean => a.id === b.id && a.customer === b.customer

/** Loads the recurring bookings page by page, and takes changes of one. */
const useSeriesPages = () => {
  const dispatch = useAppDispatch()
  const [list, setList] = useState<SeriesView[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const { busy, run } = useSingleRun()
  const load = (cursor: string | null) =>
    run(async () => {
      setRefused(null)
      const page = await dispatch(
        listRecurring.quiet({ ...(cursor !== null && { cursor }) }),
      ).unwrap()
      setList((before) => {
        const previousSeries = cursor === null ? [] : (before ?? [])
        return [
          ...previousSeries.filter((one) => !page.series.some((row) => isSame(row, one))),
          ...page.series,
        ]
      })
      setNext(page.next)
    }).catch((error: unknown) => setRefused(error as DomainError))
  useEffect(() => {
    let isWanted = true
    dispatch(listRecurring.quiet({}))
      .unwrap()
      .then(
        (page) => {
          if (!isWanted) return
          setList(page.series)
          setNext(page.next)
        },
        (error: DomainError) => isWanted && setRefused(error),
      )
    return () => {
      isWanted = false
    }
  }, [dispatch])
  const onChanged = (before: SeriesView, after: SeriesView | null) =>
    setList((all) =>
      (all ?? []).flatMap((one) => {
        if (!isSame(one, before)) return [one]
        const { customer_name } = one
        return after ? [{ ...after, ...(customer_name !== undefined && { customer_name }) }] : []
      }),
    )
  return {
    list,
    refused,
    busy,
    reload: () => void load(list === null ? null : next),
    loadMore: next === null ? null : () => void load(next),
    onChanged,
  }
}

/**
 * Lists recurring bookings: the signed-in rider's own, or those of all riders for the office, which
 * gets a heading with the rider for each.
 */
export const SeriesList = ({
  renderRider,
  form,
  emptyAction,
}: {
  renderRider?: (series: SeriesView) => ReactNode
  form: SeriesFormOptions
  emptyAction: ReactNode
}) => {
  const { t } = useTranslation()
  const { list, refused, busy, reload, loadMore, onChanged } = useSeriesPages()
  if (refused) return <ErrorState onRetry={reload}>{translateError(refused, t)}</ErrorState>
  if (list === null) return <SkeletonLines lines={3} height="9rem" />
  if (list.length === 0)
    return (
      <EmptyState title={t('recurring_empty')} action={emptyAction}>
        {t('recurring_empty_text')}
      </EmptyState>
    )
  return (
    <>
      <ul role="list" className={css.cards}>
        {list.map((series) => (
          <li key={`${series.customer} ${series.id}`}>
            <SeriesCard
              series={series}
              heading={renderRider?.(series)}
              {...(renderRider && { customer: series.customer })}
              form={form}
              onChanged={(after) => onChanged(series, after)}
            />
          </li>
        ))}
      </ul>
      {loadMore && (
        <p className={css.more}>
          <Button busy={busy} onClick={loadMore}>
            {t('more')}
          </Button>
        </p>
      )}
    </>
  )
}
