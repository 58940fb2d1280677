import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { WholeScreenDialog } from '~/src/ui/dialogs/WholeScreenDialog'
import { OfferList } from './OfferList'
import { offersClosed } from './offerState'
import { useOffers } from './useOffers'
import css from './OfferList.module.css'

/**
 * Shows new offers over every page of the driver. Closed, they stay in the console's list.
 *
 * @public DriverShell loads it on demand.
 */
export const OfferScreen = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const offers = useOffers()
  if (!offers?.areOverScreen) return null
  const close = () => void dispatch(offersClosed(offers.ids))
  return (
    <WholeScreenDialog label={t('tasks_waiting', { count: offers.ids.length })} onClose={close}>
      <div className={css.screen}>
        <OfferList offers={offers} onClose={close} />
      </div>
    </WholeScreenDialog>
  )
}
