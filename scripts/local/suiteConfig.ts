import { writeFileSync, readFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { ROOT } from './build'
import { addCacheHeaders, allowSources, type HostingConfig } from '../deploy/hostingConfig'
import { BUCKET, NAMESPACE, PROJECT } from './localDatabase'
import { isOfficialRequested } from '../official/officialEmulators'
import { HOST, type Ports } from './ports'

export interface Urls {
  web: string
  auth: string
  database: string
  functions: string
  storage: string
  hub: string
}
/** The content of /config.json, which the web app reads. */
export interface WebConfig {
  firebase: Record<
    'apiKey' | 'projectId' | 'databaseURL' | 'storageBucket' | 'authDomain' | 'appId',
    string
  >
  emulators: {
    auth: string
    database: { host: string; port: number }
    functions: { host: string; port: number }
    storage: { host: string; port: number }
  } | null
  local: boolean
  functionsUrl: string
  /** The id of the demo tour that the site offers. */
  tour?: string
}
export const createUrls = (ports: Ports): Urls => ({
  web: `http://${HOST}:${ports.hosting}`,
  auth: `http://${HOST}:${ports.auth}`,
  database: `http://${HOST}:${ports.database}`,
  functions: `http://${HOST}:${ports.functions}/${PROJECT}/us-central1`,
  storage: `http://${HOST}:${ports.storage}`,
  hub: `http://${HOST}:${ports.hub}`,
})

export const createWebConfig = (ports: Ports, urls: Urls): WebConfig => ({
  firebase: {
    apiKey: 'demo-key',
    projectId: PROJECT,
    databaseURL: `${urls.database}?ns=${NAMESPACE}`,
    storageBucket: BUCKET,
    authDomain: `${PROJECT}.firebaseapp.com`,
    appId: '1:0:web:kerbside',
  },
  emulators: {
    auth: urls.auth,
    database: { host: HOST, port: ports.database },
    functions: { host: HOST, port: ports.functions },
    storage: { host: HOST, port: ports.storage },
  },
  local: true,
  functionsUrl: urls.functions,
})

interface FirebaseJson {
  hosting: HostingConfig
  emulators: Record<string, unknown>
  [part: string]: unknown
}

/**
 * Writes a copy of the committed firebase.json with this suite's ports and a content policy that
 * lets the page reach them. Returns its path.
 */
export function writeFirebaseJson(home: string, ports: Ports, hosting: boolean): string {
  const config = JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseJson
  const here = [ports.auth, ports.database, ports.functions, ports.storage, ports.hosting]
  const origins = here
    .flatMap((port) => [`http://${HOST}:${port}`, `ws://${HOST}:${port}`])
    .join(' ')
  const pages = here.map((port) => `http://${HOST}:${port}`).join(' ')
  const allowed = allowSources(config.hosting, {
    'connect-src': origins,
    'img-src': pages,
    'form-action': pages,
    'frame-src': pages,
  })
  const { triggers, ...others } = ports
  const written = {
    ...config,
    hosting: hosting
      ? { ...addCacheHeaders(allowed, join(home, 'site')), public: 'site' }
      : undefined,
    functions: { ...(config.functions as object), source: relative(home, join(ROOT, 'functions')) },
    database: { rules: join(ROOT, 'database.rules.json') },
    storage: { rules: join(ROOT, 'storage.rules') },
    emulators: {
      ...config.emulators,
      ...Object.fromEntries(
        // functionsServer.mjs has the functions' own port. The emulator of the functions runs only
        // with Google's own database, for the triggers.
        Object.entries({ ...others, functions: triggers }).map(([name, port]) => [
          name,
          { host: HOST, port },
        ]),
      ),
    },
  }
  const file = join(home, 'firebase.json')
  writeFileSync(file, JSON.stringify(written, null, 2))
  return file
}

/**
 * Returns an environment that keeps firebase-tools from searching for a login, news, updates or a
 * cloud machine's metadata.
 */
export function createEnvironment(home: string, scratch: string, ports: Ports): NodeJS.ProcessEnv {
  const placeholder = (name: string) => {
    const file = join(home, `${name}.jar`)
    writeFileSync(file, '')
    return file
  }
  return {
    ...process.env,
    GOOGLE_APPLICATION_CREDENTIALS: undefined,
    FIREBASE_TOKEN: undefined,
    // In other environments, a request that cannot be parsed gets a response with a stack trace and
    // our file paths.
    NODE_ENV: 'production',
    CI: 'true',
    // firebase-tools reads a missing value as true. It would keep every line of the log in memory,
    // for a page of its own that the suite does not have.
    START_LOGGING_EMULATOR: 'false',
    NO_UPDATE_NOTIFIER: '1',
    METADATA_SERVER_DETECTION: 'none',
    XDG_CONFIG_HOME: join(home, 'config'),
    CLOUDSDK_CONFIG: join(home, 'config'),
    FIREBASE_API_URL: 'http://127.0.0.1:9',
    FIREBASE_HOSTING_API_URL: 'http://127.0.0.1:9',
    FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH: 'true',
    FUNCTIONS_DISCOVERY_TIMEOUT: '120',
    // In the functions emulator, each concurrent trigger runs in a separate process: starting fifty
    // at once takes longer than running them in turn.
    FUNCTIONS_EMULATOR_PARALLEL: process.env.FUNCTIONS_EMULATOR_PARALLEL ?? '12',
    // The suite keeps sockets and its list of running suites here, so each suite needs a separate
    // folder.
    TMPDIR: scratch,
    PATH: [join(ROOT, 'scripts', 'shim'), process.env.PATH].join(delimiter),
    KERBSIDE_PIDS: join(home, 'pids'),
    // Payment providers send payers back to the functions with forms on their own pages; hosting
    // serves only public files.
    KERBSIDE_GUARD_OPEN: String(ports.hosting),
    ...(!isOfficialRequested() && {
      KERBSIDE_JAVA: join(ROOT, 'emulator', 'bin', 'java'),
      DATABASE_EMULATOR_BINARY_PATH: placeholder('database'),
      STORAGE_EMULATOR_BINARY_PATH: placeholder('storage'),
      STAND_IN_DATA_DIR: join(home, 'data'),
      KERBSIDE_TRIGGERS_PORT: String(ports.triggers),
    }),
  }
}
