import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { OfferCard } from './OfferCard'
import { usePushAnswer } from './pushAnswer'
import type { DriverOffers } from './useOffers'
import css from './OfferList.module.css'

/** Lists the offers to the driver, one of them with its map. */
export const OfferList = ({
  offers: { ids, ...offers },
  onClose,
}: {
  offers: DriverOffers
  /** When given, a button beside the heading calls it. */
  onClose?: () => void
}) => {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const pushResponse = usePushAnswer()
  // A notification opens the console on its request.
  const [open, setOpen] = useState(query.get('booking'))
  const shownId = open && ids.includes(open) ? open : ids[0]
  if (ids.length === 0) return null
  return (
    <section className={css.offers} aria-labelledby="requests-title">
      <header className={css.head}>
        <h2 id="requests-title">{t('tasks_waiting', { count: ids.length })}</h2>
        {onClose && (
          <IconButton label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        )}
      </header>
      {ids.map((id) => (
        <OfferCard
          key={id}
          id={id}
          offers={offers}
          isMapOpen={id === shownId}
          onOpen={() => setOpen(id)}
          earlierDecision={pushResponse?.booking_id === id ? pushResponse.event : null}
        />
      ))}
    </section>
  )
}
