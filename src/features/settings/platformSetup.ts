import type { SetupInput } from '~/domain/api/inputs/office'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Sets up an empty platform; works only once. */
export const setUpPlatform = createServiceThunk<
  Partial<SetupInput> & Pick<SetupInput, 'mobile' | 'country' | 'restrictCountry'>
>('settingsdata/setUp', async (input, { functions }) => {
  await functions.call('setup', input)
})
