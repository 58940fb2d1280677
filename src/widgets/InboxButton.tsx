import { useMemo } from 'react'
import { useCancellationReasons } from '~/src/features/cancellationReasons/useCancellationReasons'
import { InboxBell } from '~/src/features/inbox/InboxBell'
import { useVehicleTypeChoices } from '~/src/features/vehicleTypes/useVehicleTypeName'

/** Shows the inbox, with the texts of the office's catalogs in the user's language. */
export const InboxButton = () => {
  const { reasons } = useCancellationReasons()
  const vehicleTypes = useVehicleTypeChoices()
  const names = useMemo(() => ({ reason: reasons, carType: vehicleTypes }), [reasons, vehicleTypes])
  return <InboxBell names={names} />
}
