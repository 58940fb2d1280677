import { writeFileSync, readFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { ROOT } from './build'
import { BUCKET, NAMESPACE, PROJECT } from './localDatabase'
import { wantsOfficial } from './officialEmulators'
import { HOST, type Ports } from './ports'

export interface Urls {
  web: string
  auth: string
  database: string
  functions: string
  storage: string
  hub: string
}
/** What the web app reads at /config.json. */
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
}
export const urlsOf = (ports: Ports): Urls => ({
  web: `http://${HOST}:${ports.hosting}`,
  auth: `http://${HOST}:${ports.auth}`,
  database: `http://${HOST}:${ports.database}`,
  functions: `http://${HOST}:${ports.functions}/${PROJECT}/us-central1`,
  storage: `http://${HOST}:${ports.storage}`,
  hub: `http://${HOST}:${ports.hub}`,
})

export const webConfigOf = (ports: Ports, urls: Urls): WebConfig => ({
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
  hosting: { headers: { headers: { key: string; value: string }[] }[] } & Record<string, unknown>
  emulators: Record<string, unknown>
  [part: string]: unknown
}

/** The committed firebase.json with this suite's ports, and a content policy that lets the page reach them. */
export function configure(home: string, ports: Ports, hosting: boolean): string {
  const config = JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseJson
  const here = [ports.auth, ports.database, ports.functions, ports.storage, ports.hosting]
  const origins = here
    .flatMap((port) => [`http://${HOST}:${port}`, `ws://${HOST}:${port}`])
    .join(' ')
  const pages = here.map((port) => `http://${HOST}:${port}`).join(' ')
  for (const { headers } of config.hosting.headers) {
    for (const header of headers) {
      if (header.key !== 'Content-Security-Policy') continue
      header.value = header.value
        .replace('connect-src ', `connect-src ${origins} `)
        .replace('img-src ', `img-src ${pages} `)
        .replace('form-action ', `form-action ${pages} `)
        .replace('frame-src ', `frame-src ${pages} `)
    }
  }
  const { hosting: site, functions, ...rest } = config
  const written = {
    ...rest,
    ...(hosting && { hosting: { ...site, public: 'site' } }),
    functions: { ...(functions as object), source: relative(home, join(ROOT, 'functions')) },
    database: { rules: join(ROOT, 'database.rules.json') },
    storage: { rules: join(ROOT, 'storage.rules') },
    emulators: {
      ...config.emulators,
      ...Object.fromEntries(
        Object.entries(ports).map(([name, port]) => [name, { host: HOST, port }]),
      ),
    },
  }
  const file = join(home, 'firebase.json')
  writeFileSync(file, JSON.stringify(written, null, 2))
  return file
}

/** Without any of these firebase-tools would look for a login, news, updates or a cloud machine's metadata. */
export function environment(home: string, scratch: string): NodeJS.ProcessEnv {
  const placeholder = (name: string) => {
    const file = join(home, `${name}.jar`)
    writeFileSync(file, '')
    return file
  }
  return {
    ...process.env,
    GOOGLE_APPLICATION_CREDENTIALS: undefined,
    FIREBASE_TOKEN: undefined,
    // Elsewhere a request that cannot be parsed is answered with a stack and the places of our files.
    NODE_ENV: 'production',
    CI: 'true',
    NO_UPDATE_NOTIFIER: '1',
    METADATA_SERVER_DETECTION: 'none',
    XDG_CONFIG_HOME: join(home, 'config'),
    CLOUDSDK_CONFIG: join(home, 'config'),
    FIREBASE_API_URL: 'http://127.0.0.1:9',
    FIREBASE_HOSTING_API_URL: 'http://127.0.0.1:9',
    FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH: 'true',
    FUNCTIONS_DISCOVERY_TIMEOUT: '120',
    // Each call at the same time is a process of its own: fifty starting at once take longer than fifty in turns.
    FUNCTIONS_EMULATOR_PARALLEL: process.env.FUNCTIONS_EMULATOR_PARALLEL ?? '12',
    // The suite keeps sockets and its “who runs” file here: one folder a suite, so that two never meet.
    TMPDIR: scratch,
    PATH: [join(ROOT, 'scripts', 'shim'), process.env.PATH].join(delimiter),
    KERBSIDE_PIDS: join(home, 'pids'),
    ...(!wantsOfficial() && {
      KERBSIDE_JAVA: join(ROOT, 'emulator', 'bin', 'java'),
      DATABASE_EMULATOR_BINARY_PATH: placeholder('database'),
      STORAGE_EMULATOR_BINARY_PATH: placeholder('storage'),
      KERBSIDE_DATA_DIR: join(home, 'data'),
    }),
  }
}
