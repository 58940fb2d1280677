import { lazySingleton } from './lazySingleton'

/** The runtime configuration from GET /config.json. */
export interface Config {
  firebase: {
    apiKey: string
    projectId: string
    databaseURL: string
    storageBucket: string
    authDomain: string
    appId: string
    messagingSenderId?: string
  }
  emulators: null | {
    auth: string
    database: Address
    functions: Address
    storage: Address
  }
  /** True in local mode, where the page may show the sign-in code. */
  local: boolean
  functionsUrl: string
  /** The site key of reCAPTCHA Enterprise. With it, the page proves itself to App Check. */
  appCheckSiteKey?: string
  /** `user:password` of the maps proxies' fixed header, for visitors. */
  mapsBasicAuth?: string
  /** The public key of web pushes (docs/deploying.md); without it, browsers get no pushes. */
  vapidKey?: string
  /** The base map to draw (docs/maps.md); without it, the bundled map. */
  maps?: unknown
  /** The id of the demo tour; only in local mode. */
  tour?: string
}
interface Address {
  host: string
  port: number
}

export const loadConfig = lazySingleton(async (): Promise<Config> => {
  const response = await fetch('/config.json')
  if (!response.ok)
    throw new Error(`config.json returned status ${response.status}. Reload the page.`)
  return response.json() as Promise<Config>
})
