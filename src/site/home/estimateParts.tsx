import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import type { FareQuote } from '~/domain/money/fare'
import { translateError } from '~/src/i18n/errorTexts'
import { screenPaths } from '~/src/store/screenPaths'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { Refusal } from '~/src/ui/forms/Refusal'
import { Icon } from '~/src/ui/Icon'
import { Link } from '~/src/ui/navigation/router'
import { FareLines } from '~/src/widgets/trip/FareLines'
import type { ChosenPlaces } from '~/src/widgets/trip/tripDraft'
import css from './EstimateDialog.module.css'
import type { Route } from '~/domain/booking/trip/route'

/** Shows the places of the trip and its time. */
export const TripFacts = ({
  places: { pickup, waypoints, drop },
  tripdate,
}: {
  places: ChosenPlaces
  /** Milliseconds; null for a booking for now. */
  tripdate: number | null
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <dl className={css.facts}>
      <dt>{t('pickup')}</dt>
      <dd>{pickup.add}</dd>
      {waypoints.map(({ add }, index) => (
        <Fragment key={`${add} ${index}`}>
          <dt>{`${t('stop')} ${format.number(index + 1)}`}</dt>
          <dd>{add}</dd>
        </Fragment>
      ))}
      <dt>{t('drop')}</dt>
      <dd>{drop.add}</dd>
      <dt>{t('when')}</dt>
      <dd>{tripdate === null ? t('book_now') : <DateTime at={tripdate} />}</dd>
    </dl>
  )
}

/** Shows the length and the price of the trip. */
export const Estimate = ({ quote, route }: { quote: FareQuote; route: Route }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <p className={css.route}>
        <Icon name="route" />
        {t('estimate_route', {
          distance: format.distance(quote.distance),
          duration: format.duration(route.time_in_secs),
        })}
      </p>
      {route.approximate && <p className={css.note}>{t('approximate_route')}</p>}
      <FareLines lines={quote.lines} total={quote.estimateFare} />
    </>
  )
}

/** Shows what no field shows: a new price, a debt that can be paid, or another refusal. */
export const EstimateProblem = ({
  problem,
  price,
}: {
  problem: DomainError | null
  price: string
}) => {
  const { t } = useTranslation()
  if (problem?.key === 'estimate_changed')
    return <Refusal error={null}>{t('estimate_new_price', { price })}</Refusal>
  if (problem?.key !== 'debt_limit') return <Refusal error={problem} />
  return (
    <Refusal>
      {translateError(problem, t)}{' '}
      <Link to={`${screenPaths.wallet}?tab=topup`}>{t('tip_add_money')}</Link>
    </Refusal>
  )
}
