import { createLiveRecord } from '~/src/store/live/liveSlice'
import type { Settings } from '~/domain/catalog/types'

/** The platform's settings; null while loading, and always on a platform that is not set up yet. */
export const liveSettings = createLiveRecord<'settings', Settings>('settingsdata', 'settings', {
  toQuery: () => ({ path: 'settings' }),
  schema: async () => (await import('./settingsSchema')).settingsSchema,
  isPublic: true,
})
