import type { User } from '~/domain/entities'

/** What a driver still lacks, as translation keys. Without `musts` he can't go online; `shoulds` the office will ask for. */
export const readinessOf = (
  driver: Pick<User, 'approved' | 'carType' | 'licenseImage' | 'vehicleNumber'>,
): { musts: string[]; shoulds: string[] } => ({
  musts: [
    ...(driver.approved ? [] : ['lacks_approval']),
    ...(driver.carType ? [] : ['lacks_car_type']),
  ],
  shoulds: [
    ...(driver.licenseImage ? [] : ['lacks_licence']),
    ...(driver.vehicleNumber ? [] : ['lacks_vehicle_number']),
  ],
})
