import type { SavePlaceInput } from '~/domain/api/inputs/people'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Saves the rider's home or workplace, or removes it. */
export const savePlace = createServiceThunk<SavePlaceInput>(
  'places/save',
  async (input, { functions }) => void (await functions.call('save_place', input)),
)
