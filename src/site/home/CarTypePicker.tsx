import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Route } from '~/domain/booking/change'
import type { CarType, Settings } from '~/domain/entities'
import { estimateOf } from '~/src/features/estimates/estimates'
import { Button } from '~/src/ui/controls'
import { Money } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { Skeleton } from '~/src/ui/states'
import css from './CarTypePicker.module.css'

/** The vehicles as cards side by side, with their price once a route is known. */
export const CarTypePicker = ({
  cars,
  loading,
  value,
  onChange,
  route,
  isComing,
  settings,
  error,
  onRetry,
}: {
  cars: CarType[]
  loading: boolean
  value: string | null
  onChange: (id: string) => void
  route: Route | null
  /** The route is on its way. */
  isComing: boolean
  settings: Settings | null
  /** Already translated. */
  error?: string | undefined
  /** Asks for the vehicles anew; null unless they could not be had. */
  onRetry: (() => void) | null
}) => {
  const { t } = useTranslation()
  const name = useId()
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
      <div className={css.cards}>
        {loading && cars.length === 0
          ? [0, 1, 2].map((card) => <Skeleton key={card} height="9.25rem" />)
          : cars.map((car) => {
              const price =
                settings && estimateOf({ carDetails: car, routeDetails: route, settings })
              return (
                <label key={car.id} className={css.card}>
                  <input
                    type="radio"
                    name={name}
                    value={car.id}
                    checked={car.id === value}
                    onChange={() => onChange(car.id)}
                  />
                  {car.image ? (
                    <img src={car.image} alt="" width="88" height="48" loading="lazy" />
                  ) : (
                    <Icon name="car" size={48} />
                  )}
                  <strong>{car.name}</strong>
                  {car.extra_info && <small>{car.extra_info}</small>}
                  <span className={css.price}>
                    {price ? (
                      <Money amount={price.estimateFare} />
                    ) : isComing ? (
                      <Skeleton width="75%" height="1lh" />
                    ) : (
                      '–'
                    )}
                  </span>
                </label>
              )
            })}
      </div>
      {/* Said from the beginning: a line that came with the cars would push down what follows. */}
      {!route && !isComing && (loading || cars.length > 0) && (
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
