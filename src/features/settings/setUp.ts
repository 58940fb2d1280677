import type { Setup } from '~/domain/api'
import { operation } from '~/src/store/operation'

/** Sets an empty platform up; possible exactly once. */
export const setUp = operation<
  Partial<Setup> & Pick<Setup, 'mobile' | 'country' | 'restrictCountry'> & { quiet?: boolean }
>('settingsdata/setUp', async ({ quiet: _, ...input }, { functions }) => {
  await functions.call('setup', input)
})
