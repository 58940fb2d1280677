import type { TFunction } from 'i18next'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import css from './VehicleTypesPage.module.css'
import type { Column } from '~/src/ui/table/tableProps'
import type { VehicleType } from '~/domain/catalog/types'

/** Returns the columns of the table of vehicle types. */
export const makeColumns = (
  t: TFunction,
  currency: string | undefined,
  isMiles: boolean,
): Column<VehicleType>[] => {
  const money = (id: string, title: string, amount: (car: VehicleType) => number) =>
    createMoneyColumn({ id, title, currency, amount })
  return [
    {
      id: 'name',
      title: t('name'),
      sortValue: (car) => car.name,
      cell: (car) => car.name,
    },
    {
      id: 'image',
      title: t('picture'),
      cell: (car) =>
        car.image ? (
          <img src={car.image} alt="" width="64" height="40" className={css.thumb} />
        ) : null,
    },
    money('base_fare', t('base_fare'), (car) => car.base_fare),
    money(
      'rate_per_unit_distance',
      t(isMiles ? 'rate_per_mile' : 'rate_per_km'),
      (car) => car.rate_per_unit_distance,
    ),
    money('rate_per_hour', t('rate_per_hour'), (car) => car.rate_per_hour),
    money('min_fare', t('min_fare'), (car) => car.min_fare),
    createMoneyColumn({
      id: 'convenience_fees',
      title: t('convenience_fee'),
      currency,
      amount: (car) => car.convenience_fees,
      isPercentage: (car) => car.convenience_fee_type === 'percentage',
    }),
    {
      id: 'extra_info',
      title: t('extra_info'),
      sortValue: (car) => car.extra_info ?? '',
      cell: (car) => car.extra_info ?? null,
    },
  ]
}
