import { onceMade } from './onceMade'

/** What the deployed page is told at run time by GET /config.json. */
export interface Config {
  firebase: {
    apiKey: string
    projectId: string
    databaseURL: string
    storageBucket: string
    authDomain: string
    appId: string
  }
  emulators: null | {
    auth: string
    database: Address
    functions: Address
    storage: Address
  }
  /** The demo engine on this machine: the sign-in code may be shown on the page. */
  local: boolean
  functionsUrl: string
  /** `user:password` of the maps proxies' fixed header, for those who are not signed in. */
  mapsBasicAuth?: string
  /** Which picture of the world to draw (docs/maps.md); the bundled one without. */
  maps?: unknown
}
interface Address {
  host: string
  port: number
}

export const config = onceMade(async (): Promise<Config> => {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`config.json answered ${response.status}`)
  return response.json() as Promise<Config>
})

/** The demo engine's own fixed header. */
const LOCAL_MAPS_BASIC_AUTH = 'kerbside:maps'

/** The Authorization header of a visitor's map question, or null where none is configured. */
export const visitorsMapKey = ({ local, mapsBasicAuth }: Config): string | null => {
  const pair = mapsBasicAuth ?? (local ? LOCAL_MAPS_BASIC_AUTH : null)
  return pair && `Basic ${btoa(pair)}`
}
