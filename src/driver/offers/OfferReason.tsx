import { useTranslation } from 'react-i18next'
import { useOfferExplanation } from '~/src/features/offers/explanation'
import { IncomeShare } from '~/src/features/offers/IncomeShare'
import { useFormat } from '~/src/ui/format/format'

/** Says why matching chose the driver; shows nothing when the reasons are not known. */
export const OfferReason = ({ booking, className }: { booking: string; className?: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const explanation = useOfferExplanation(booking).value?.explanation
  const [own] = explanation?.drivers ?? []
  if (!explanation || !own) return null
  const { total, offer } = explanation
  return (
    <p className={className}>
      {t('task_why', {
        time: format.duration(own.eta_s),
        rank: format.number(offer.rank),
        total: format.number(total),
      })}{' '}
      {own.aboveMean !== null && <IncomeShare aboveMean={own.aboveMean} />}
    </p>
  )
}
