import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { livePromos } from '~/src/features/promos/promos'
import { useLive } from '~/src/store/live/liveSlice'
import { PersonName } from '../people/PersonName'
import { describeRecord } from './auditedRecords'

interface Named {
  id: string
}
/** Shows a vehicle type by name, or by id when it no longer exists. */
export const CarTypeName = ({ id }: Named) => {
  const { cars } = useLive(liveVehicleTypes)
  const getName = useVehicleTypeName()
  const type = cars.find((one) => one.id === id)
  return <bdi title={id}>{type ? getName(type) : id}</bdi>
}
const PromoName = ({ id }: Named) => {
  const { promos } = useLive(livePromos)
  return <bdi title={id}>{promos.find((one) => one.id === id)?.promo_name ?? id}</bdi>
}
const NAMES: Record<string, (named: Named) => ReactNode> = {
  bookings: BookingReference,
  cartypes: CarTypeName,
  promos: PromoName,
  users: PersonName,
}

/** Shows a record by the name people know, or by id when it no longer exists or has no name. */
export const RecordName = ({ path }: { path: string }) => {
  const { t } = useTranslation()
  const { text, id } = describeRecord(path)
  const [collection = ''] = path.split('/')
  const Name = NAMES[collection]
  // Settings are one record: their id is the name of a field.
  if (!id || collection === 'settings') return t(text)
  return (
    <>
      {t(text)} {Name ? <Name id={id} /> : <bdi dir="ltr">{id}</bdi>}
    </>
  )
}
