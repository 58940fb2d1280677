import { DEFAULT_APP_NAME } from '~/domain/catalog/appName'
import { useLive } from '~/src/store/live/liveSlice'
import { liveSettings } from './settings'

/**
 * Returns the site's name; until the settings are loaded, the default name that prerendered pages
 * show.
 */
export const useAppName = (): string => useLive(liveSettings).settings?.appName ?? DEFAULT_APP_NAME
