import { createLiveSlice } from '~/src/store/live/liveSlice'
import type { VehicleType } from '~/domain/catalog/types'

export const liveVehicleTypes = createLiveSlice<'cars', VehicleType>('cartypes', 'cars', {
  toQuery: () => ({ path: 'cartypes' }),
  schema: async () => (await import('./vehicleTypeSchema')).vehicleTypeSchema,
  isPublic: true,
  order: (a, b) => a.min_fare - b.min_fare,
})
