import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DomainError } from '~/domain/api/errors'
import type { DriverPart } from '~/domain/dispatch/matching/missedOffers'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { fetchDriverParts } from '~/src/features/offers/driverParts'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { PersonName } from '../people/PersonName'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './offers.module.css'

/** Maximum number of pages without a row of the driver that are read at once. */
const MAX_EMPTY_PAGES = 4

const BookingLink = ({ id }: { id: string }) => (
  <Link to={screenPaths.booking(id)}>
    <BookingReference id={id} />
  </Link>
)

const PartRow = ({
  part: { booking, at, outcome, answer, eta_s, chosen, other },
  hasBooking,
}: {
  part: DriverPart
  hasBooking: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const isOffered = outcome === 'offered'
  return (
    <li>
      <span className={css.when}>
        <DateTime at={at} />
        {hasBooking && (
          <>
            {' · '}
            <BookingLink id={booking} />
          </>
        )}
      </span>
      <strong>
        {t(`part_${outcome}`)}
        {isOffered && answer && ` · ${t(`offer_${answer}`)}`}
        {other !== undefined && (
          <>
            {' · '}
            <BookingLink id={other} />
          </>
        )}
      </strong>
      {eta_s !== null && eta_s > 0 && (
        <span>{t('offer_way', { time: format.duration(eta_s) })}</span>
      )}
      {chosen && !isOffered && (
        <span>
          {t('part_chosen')} <PersonName id={chosen.driver} />
          {chosen.eta_s > 0 && ` · ${t('offer_way', { time: format.duration(chosen.eta_s) })}`}
        </span>
      )}
    </li>
  )
}

interface Props {
  driver: string
  booking?: string
}

/** Loads the decisions that considered a driver, page by page. */
const useDriverParts = ({ driver, booking }: Props) => {
  const dispatch = useAppDispatch()
  const [rows, setRows] = useState<DriverPart[] | null>(null)
  const [next, setNext] = useState<number | null>(null)
  const [failure, setFailure] = useState<DomainError | null>(null)
  const { busy, run } = useSingleRun()
  const load = useCallback(
    async (from?: number) => {
      const parts: DriverPart[] = []
      let before = from
      for (let page = 0; page < MAX_EMPTY_PAGES && parts.length === 0; page++) {
        const result = await dispatch(
          fetchDriverParts.quiet({
            driver,
            ...(booking !== undefined && { booking_id: booking }),
            ...(before !== undefined && { before }),
          }),
        ).unwrap()
        parts.push(...result.rows)
        before = result.next ?? undefined
        if (before === undefined) break
      }
      return { found: parts, next: before ?? null }
    },
    [driver, booking, dispatch],
  )
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isWanted = true
    load().then(
      (first) => {
        if (!isWanted) return
        setRows(first.found)
        setNext(first.next)
      },
      (error: unknown) => isWanted && setFailure(error as DomainError),
    )
    return () => {
      isWanted = false
    }
  }, [load, attempt])
  const loadMore = () =>
    run(async () => {
      const more = await load(next ?? undefined)
      setRows((previousRows) => [...(previousRows ?? []), ...more.found])
      setNext(more.next)
    }).catch((error: unknown) => setFailure(error as DomainError))
  const retry = () => {
    setFailure(null)
    setRows(null)
    setAttempt(attempt + 1)
  }
  return { rows, failure, busy, retry, loadMore: next === null ? null : () => void loadMore() }
}

/**
 * Shows why a driver did or did not get offers: those of one booking, or the latest decisions that
 * considered them. Only admins may ask. Needs a key that changes with the driver.
 */
export const DriverParts = (props: Props) => {
  const { t } = useTranslation()
  const { booking } = props
  const { rows, failure, busy, retry, loadMore } = useDriverParts(props)
  if (failure) return <ErrorState onRetry={retry}>{translateError(failure, t)}</ErrorState>
  if (rows === null) return <SkeletonLines lines={3} />
  return (
    <>
      {rows.length === 0 ? (
        <p className={css.muted}>{t(booking === undefined ? 'reasons_none' : 'offers_none')}</p>
      ) : (
        <ol className={css.parts}>
          {rows.map((part) => (
            <PartRow
              key={`${part.booking} ${part.at} ${part.offer ?? ''}`}
              part={part}
              hasBooking={booking === undefined}
            />
          ))}
        </ol>
      )}
      {loadMore && (
        <Button size="small" busy={busy} onClick={loadMore}>
          {t('reasons_more')}
        </Button>
      )}
    </>
  )
}
