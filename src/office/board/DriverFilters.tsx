import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { useDirectory } from '~/src/features/users/directory'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { Checkbox } from '~/src/ui/controls'
import css from './board.module.css'
import type { DriverFilter } from './boardDrivers'

/** Maximum number of fleets to choose from. */
const MAX_FLEETS = 200

/** Offers all rows or one of them. */
const FilterSelect = <Row extends { id: string }>({
  label,
  all,
  rows,
  getName,
  value,
  onChange,
}: {
  label: string
  /** The text of the choice that filters nothing. */
  all: string
  rows: readonly Row[]
  getName: (row: Row) => string
  /** The id of the chosen row; empty for all. */
  value: string
  onChange: (value: string) => void
}) => (
  <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
    <option value="">{all}</option>
    {rows.map((row) => (
      <option key={row.id} value={row.id}>
        {getName(row)}
      </option>
    ))}
  </select>
)

/** Filters the drivers by text, vehicle type, fleet and the visible part of the map. */
export const DriverFilters = ({
  filter,
  onChange,
  isInZone,
  onZone,
  isAdmin,
}: {
  filter: DriverFilter
  onChange: (changes: Partial<DriverFilter>) => void
  isInZone: boolean
  onZone: (isInZone: boolean) => void
  isAdmin: boolean
}) => {
  const { t } = useTranslation()
  const getTypeName = useVehicleTypeName()
  const { cars } = useLive(liveVehicleTypes)
  const { entries: fleets } = useDirectory({
    usertype: 'fleetadmin',
    size: isAdmin ? MAX_FLEETS : 0,
  })
  return (
    <div className={css.filters}>
      <input
        type="search"
        aria-label={t('board_filter_text')}
        placeholder={t('board_filter_text')}
        value={filter.text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <FilterSelect
        label={t('car_type')}
        all={t('board_all_types')}
        rows={cars}
        getName={getTypeName}
        value={filter.carType}
        onChange={(carType) => onChange({ carType })}
      />
      {isAdmin && fleets.length > 0 && (
        <FilterSelect
          label={t('board_fleet')}
          all={t('board_all_fleets')}
          rows={fleets}
          getName={formatFullName}
          value={filter.fleet}
          onChange={(fleet) => onChange({ fleet })}
        />
      )}
      <Checkbox
        label={t('board_zone')}
        checked={isInZone}
        onChange={({ target }) => onZone(target.checked)}
      />
    </div>
  )
}
