import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { getVehicleTypeInfo } from '~/domain/catalog/vehicleTypes'
import { calculateEstimate } from '~/src/features/estimates/estimates'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { Button } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { Skeleton } from '~/src/ui/feedback/states'
import css from './VehicleTypePicker.module.css'
import type { Route } from '~/domain/booking/trip/route'
import type { Settings, VehicleType } from '~/domain/catalog/types'

/** Shows what the office says about a vehicle type, in the user's language. */
const VehicleTypeInfo = ({ car }: { car: VehicleType }) => {
  const info = getVehicleTypeInfo(car, useTranslation().i18n.language)
  return info && <small>{info}</small>
}

/**
 * Renders the vehicle types, with prices once a route is known: cards side by side, or one below
 * the other, according to `horizontal_view`. Both layouts have the same height, so that nothing
 * moves when the settings arrive.
 */
export const VehicleTypePicker = ({
  cars,
  loading,
  value,
  onChange,
  route,
  isComing: isRouteLoading,
  settings,
  error,
  onRetry,
}: {
  cars: VehicleType[]
  loading: boolean
  value: string | null
  onChange: (id: string) => void
  route: Route | null
  /** True while the route loads. */
  isComing: boolean
  settings: Settings | null
  /** Error text, already translated. */
  error?: string | undefined
  /** Loads the vehicle types again; null unless loading them failed. */
  onRetry: (() => void) | null
}) => {
  const { t } = useTranslation()
  const name = useId()
  const getTypeName = useVehicleTypeName()
  // Without the settings neither the layout nor a price is known.
  const isWaiting = !onRetry && (!settings || (loading && cars.length === 0))
  const isList = !isWaiting && settings?.horizontal_view === false
  return (
    <fieldset
      className={css.group}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${name}-error` : undefined}
    >
      <legend>{t('select_car')}</legend>
      {onRetry && (
        <p className={css.problem} role="alert">
          <Icon name="warning" size={16} />
          {t('unavailable')}
          <Button size="small" onClick={onRetry}>
            {t('try_again')}
          </Button>
        </p>
      )}
      <div className={isList ? css.list : css.cards} data-layout={isList ? 'list' : 'row'}>
        {isWaiting
          ? [0, 1, 2].map((card) => <Skeleton key={card} height="9.25rem" />)
          : cars.map((car) => {
              const price = settings && calculateEstimate({ carType: car, route, settings })
              return (
                <label key={car.id} className={css.card}>
                  <input
                    type="radio"
                    name={name}
                    value={car.id}
                    checked={car.id === value}
                    onChange={() => onChange(car.id)}
                    // A browser shows only as much of a card as is in view already.
                    onFocus={({ target }) =>
                      target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
                    }
                  />
                  {car.image ? (
                    <img src={car.image} alt="" width="88" height="48" loading="lazy" />
                  ) : (
                    <Icon name="car" size={48} />
                  )}
                  <strong>{getTypeName(car)}</strong>
                  <VehicleTypeInfo car={car} />
                  <span className={css.price}>
                    {price ? (
                      <Money amount={price.estimateFare} />
                    ) : isRouteLoading ? (
                      <Skeleton width="75%" height="1lh" />
                    ) : (
                      '–'
                    )}
                  </span>
                </label>
              )
            })}
      </div>
      {/* Also shown while the types load; appearing later, it would move the content below. */}
      {!route && !isRouteLoading && (loading || cars.length > 0) && (
        <p className={css.hint}>{t('price_unknown')}</p>
      )}
      {error && (
        <p id={`${name}-error`} className={css.problem} role="alert">
          <Icon name="warning" size={16} />
          {error}
        </p>
      )}
    </fieldset>
  )
}
