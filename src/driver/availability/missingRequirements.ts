import type { User } from '~/domain/accounts/types'

/**
 * Returns what a driver lacks, as translation keys: `required` items block going on duty;
 * `recommended` items are requested by the back office.
 */
export const getMissingRequirements = (
  driver: Pick<User, 'approved' | 'carType' | 'licenseImage' | 'vehicleNumber'>,
): { required: string[]; recommended: string[] } => ({
  required: [
    ...(driver.approved ? [] : ['lacks_approval']),
    ...(driver.carType ? [] : ['lacks_car_type']),
  ],
  recommended: [
    ...(driver.licenseImage ? [] : ['lacks_licence']),
    ...(driver.vehicleNumber ? [] : ['lacks_vehicle_number']),
  ],
})
