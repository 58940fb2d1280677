import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import css from './BookingPlaces.module.css'

/** Renders pickup, stops and drop-off in a column, with passed stops ticked. */
export const BookingPlaces = ({
  booking: { pickupAddress, dropAddress, waypoints = [] },
  passed = [],
  onPass,
}: {
  booking: Booking
  passed?: number[]
  /** Turns the stops into checkboxes. */
  onPass?: (index: number, isPassed: boolean) => void
}) => {
  const { t } = useTranslation()
  return (
    <ol role="list" className={css.places}>
      <li>
        <span className="visually-hidden">{t('pickup')}: </span>
        {pickupAddress}
      </li>
      {waypoints.map(({ add, lat, lng }, index) => (
        <li key={`${lat},${lng}`} className={css.stop}>
          {onPass ? (
            <label>
              <input
                type="checkbox"
                checked={passed.includes(index)}
                onChange={({ target }) => onPass(index, target.checked)}
              />
              <span>
                <span className="visually-hidden">{t('stop')}: </span>
                {add}
              </span>
            </label>
          ) : (
            <>
              <span className="visually-hidden">{t('stop')}: </span>
              {add}
            </>
          )}
        </li>
      ))}
      <li className={css.to}>
        <span className="visually-hidden">{t('drop')}: </span>
        {dropAddress}
      </li>
    </ol>
  )
}
