import { useTranslation } from 'react-i18next'
import type { ExplainedDriver } from '~/domain/dispatch/matching/explainOffer'
import { useOfferExplanation } from '~/src/features/offers/explanation'
import { IncomeShare } from '~/src/features/offers/IncomeShare'
import { useFormat } from '~/src/ui/format/format'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { PersonName } from '../people/PersonName'
import css from './bookings.module.css'

const getOutcome = ({ offeredTo, wasAsked }: ExplainedDriver, booking: string): string | null => {
  if (offeredTo === booking) return 'offer_for_this'
  if (offeredTo !== null) return 'offer_for_other'
  return wasAsked ? 'offer_before' : null
}

/** Shows the drivers among whom matching chose, the cheapest first, and the reason for it. */
export const OfferReasons = ({ booking, offer }: { booking: string; offer: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { value, failure } = useOfferExplanation(booking, offer)
  if (failure) return <p role="alert">{t('offer_why_failed')}</p>
  if (!value) return <SkeletonLines lines={2} />
  const { explanation } = value
  if (!explanation) return <p className={css.muted}>{t('offer_why_none')}</p>
  const { bookings, weight, drivers } = explanation
  return (
    <div className={css.why}>
      <p>
        {bookings === 1
          ? t('offer_why_alone')
          : t('offer_why_round', { number: format.number(bookings) })}
      </p>
      {weight > 0 && <p>{t('offer_why_weight', { seconds: format.number(weight) })}</p>}
      <ol>
        {drivers.map((one) => {
          const outcome = getOutcome(one, booking)
          return (
            <li key={one.driver} data-chosen={one.offeredTo === booking || undefined}>
              <PersonName id={one.driver} />
              <span>
                {t('offer_way', { time: format.duration(one.eta_s) })} ·{' '}
                {one.aboveMean !== null && (
                  <>
                    <IncomeShare aboveMean={one.aboveMean} /> ·{' '}
                  </>
                )}
                {t('offer_cost', { seconds: format.number(one.cost) })}
                {outcome !== null && ` · ${t(outcome)}`}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
