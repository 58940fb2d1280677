import { getDeployedPath } from '~/domain/api/functionGroups'
import type { Config } from './config'

/** Returns the address of an endpoint: its own function in the emulator, a shared one elsewhere. */
export const getEndpointUrl = (
  { emulators, functionsUrl }: Pick<Config, 'emulators' | 'functionsUrl'>,
  name: string,
): string => `${functionsUrl}/${emulators ? name : getDeployedPath(name)}`

/** The fixed credentials of local mode. */
const LOCAL_MAPS_BASIC_AUTH = 'kerbside:maps'

/**
 * Returns the Authorization header for a visitor's map requests, or null when none is configured.
 */
export const getVisitorMapAuthorization = ({ local, mapsBasicAuth }: Config): string | null => {
  const pair = mapsBasicAuth ?? (local ? LOCAL_MAPS_BASIC_AUTH : null)
  return pair && `Basic ${btoa(pair)}`
}
