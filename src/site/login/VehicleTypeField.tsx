import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { SelectField } from '~/src/ui/forms/fields'
import type { FieldBinding, FieldName } from '~/src/ui/forms/useSchemaForm'

/** The text fields that describe a driver's vehicle. */
export const VEHICLE_FIELDS = ['vehicleMake', 'vehicleModel', 'vehicleNumber'] as const

/** Lets a driver choose the type of their vehicle; its value is the type's id, or empty. */
export const VehicleTypeField = <
  Values extends FieldValues,
  Name extends FieldName<Values, string | undefined>,
>(
  bound: FieldBinding<Values, Name>,
) => {
  const { t } = useTranslation()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  return (
    <SelectField
      label={t('car_type')}
      options={[
        { value: '', label: '' },
        ...cars.map((car) => ({ value: car.id, label: getTypeName(car) })),
      ]}
      {...bound}
    />
  )
}
