import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import css from './Places.module.css'

/** Pickup, stops and drop-off, one under the other; stops already passed are ticked. */
export const Places = ({
  booking: { pickupAddress, dropAddress, waypoints = [] },
  passed = [],
  onPass,
}: {
  booking: Booking
  passed?: number[]
  /** Makes the stops boxes to tick. */
  onPass?: (index: number, isPassed: boolean) => void
}) => {
  const { t } = useTranslation()
  return (
    <ol role="list" className={css.places}>
      <li className={css.from}>
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
