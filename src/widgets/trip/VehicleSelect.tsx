import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { useLive } from '~/src/store/live/liveSlice'
import { SelectInput } from '~/src/ui/controls'

/** Asks for a vehicle type; `children` are entries before the vehicle types. */
export const VehicleSelect = ({
  value,
  required = false,
  error,
  onChange,
  children,
}: {
  value: string
  required?: boolean
  /** The translated error text. */
  error: string | undefined
  onChange: (id: string) => void
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const { cars } = useLive(liveVehicleTypes)
  const getVehicleName = useVehicleTypeName()
  return (
    <SelectInput
      required={required}
      label={t('car_type')}
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
      {cars.map((vehicle) => (
        <option key={vehicle.id} value={vehicle.id}>
          {getVehicleName(vehicle)}
        </option>
      ))}
    </SelectInput>
  )
}
