// A stand-in for the Google APIs that `firebase deploy` calls. It responds like an empty project
// and records what it receives. firebase-tools reads the APIs' addresses from environment
// variables.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

interface StoredRequest {
  method: string
  path: string
  body: Buffer
}
interface FakeProject {
  id: string
  region: string
  /** Secrets that have a value. */
  secrets: ReadonlySet<string>
  /** The address of the project's database; without one the database is empty. */
  databaseURL?: string
  /** Parts that the project lacks. */
  without?: readonly ('bucket' | 'site')[]
}
type Answer = object | null | undefined

/** The environment variables from which firebase-tools reads the addresses of its APIs. */
const ORIGIN_VARIABLES = [
  'CLOUD_BILLING_URL',
  'CLOUD_RUN_API_URL',
  'CLOUD_RUN_URL',
  'CLOUD_SECRET_MANAGER_URL',
  'COMPUTE_URL',
  'EVENTARC_URL',
  'FIREBASE_API_URL',
  'FIREBASE_AUTHPROXY_URL',
  'FIREBASE_CLOUDBILLING_URL',
  'FIREBASE_CLOUDBUILD_URL',
  'FIREBASE_CLOUDLOGGING_URL',
  'FIREBASE_CLOUDSCHEDULER_URL',
  // Spelled like this in firebase-tools.
  'FIREBASE_CLOUD_TAKS_URL',
  'FIREBASE_EXT_URL',
  'FIREBASE_FIREBASESTORAGE_URL',
  'FIREBASE_FUNCTIONS_URL',
  'FIREBASE_FUNCTIONS_V2_URL',
  'FIREBASE_HOSTING_API_URL',
  'FIREBASE_IAM_URL',
  'FIREBASE_IDENTITY_URL',
  'FIREBASE_PUBSUB_URL',
  'FIREBASE_REALTIME_URL',
  'FIREBASE_RESOURCEMANAGER_URL',
  'FIREBASE_RTDB_MANAGEMENT_URL',
  'FIREBASE_RTDB_METADATA_URL',
  'FIREBASE_RULES_URL',
  'FIREBASE_RUNTIMECONFIG_URL',
  'FIREBASE_SERVICE_USAGE_URL',
  'FIREBASE_STORAGE_URL',
  'FIREBASE_TOKEN_URL',
  'ARTIFACT_REGISTRY_URL',
]

/** The token of the signed-in account, with which an emulated database lets its owner in. */
const ACCESS_TOKEN = 'owner'
const PROJECT_NUMBER = '123456789012'
/** The bucket of a project may be in another region than its database. */
export const BUCKET_REGION = 'us-east1'

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Returns the fixed responses of an empty project. The first pattern that matches counts. */
const createRoutes = (
  {
    id,
    region,
    secrets,
    without = [],
    databaseURL = region === 'us-central1'
      ? `https://${id}-default-rtdb.firebaseio.com`
      : `https://${id}-default-rtdb.${region}.firebasedatabase.app`,
  }: FakeProject,
  origin: string,
) => {
  const app = { appId: '1:2:web:3', displayName: 'Kerbside', projectId: id, platform: 'WEB' }
  const project = {
    projectId: id,
    projectNumber: PROJECT_NUMBER,
    displayName: id,
    state: 'ACTIVE',
    resources: {
      ...(!without.includes('site') && { hostingSite: id }),
      realtimeDatabaseInstance: `${id}-default-rtdb`,
    },
  }
  const done = (name: string, response: object) => ({ name, done: true, response })
  const sdkConfig = {
    apiKey: 'AIzaSyD3p10y',
    projectId: id,
    databaseURL,
    storageBucket: `${id}.firebasestorage.app`,
    authDomain: `${id}.firebaseapp.com`,
    appId: app.appId,
    messagingSenderId: PROJECT_NUMBER,
  }
  const instance = {
    name: `projects/${id}/locations/${region}/instances/${id}-default-rtdb`,
    project: `projects/${PROJECT_NUMBER}`,
    databaseUrl: databaseURL,
    type: 'DEFAULT_DATABASE',
    state: 'ACTIVE',
  }
  const functions = new Map<string, object>()
  const routes: [RegExp, (match: RegExpExecArray, body: Buffer) => Answer][] = [
    [/^POST .*\/token$/, () => ({ access_token: ACCESS_TOKEN, expires_in: 3600, scope: '' })],
    [/:testIamPermissions$/, (_, body) => JSON.parse(body.toString()) as object],
    [/:getIamPolicy$/, () => ({ bindings: [], etag: 'x', version: 1 })],
    [/:setIamPolicy$/, (_, body) => (JSON.parse(body.toString()) as { policy: object }).policy],
    [/^GET \/v1\/projects\/[^/]+\/services\//, () => ({ state: 'ENABLED' })],
    [/:generateServiceIdentity$/, () => ({ name: 'operations/identity', done: true })],
    [/\/adminSdkConfig$/, () => ({ ...sdkConfig, locationId: region })],
    [/^GET .*\/webApps\/[^/]+\/config$/, () => sdkConfig],
    [/^GET .*\/webApps$/, () => ({ apps: [app] })],
    [/:searchApps$/, () => ({ apps: [app] })],
    [/^GET \/v1beta1\/projects\/[^/]+$/, () => project],
    [/^GET \/v1\/projects\/[^/]+$/, () => ({ ...project, lifecycleState: 'ACTIVE' })],
    [
      /^GET \/compute\/v1\/projects\/\d+$/,
      () => ({ defaultServiceAccount: `${PROJECT_NUMBER}-compute@developer.gserviceaccount.com` }),
    ],
    [/\/billingInfo$/, () => ({ billingEnabled: true })],
    [/^GET .*\/locations\/[^/]+\/instances$/, () => ({ instances: [instance] })],
    [/^GET .*\/instances\/[^/]+$/, () => instance],
    [
      /^GET .*\/secrets\/(\w+)\/versions\/(\w+)$/,
      ([, name = '']) =>
        secrets.has(name)
          ? { name: `projects/${PROJECT_NUMBER}/secrets/${name}/versions/1`, state: 'ENABLED' }
          : null,
    ],
    [
      /^GET .*\/secrets\/(\w+)$/,
      ([, name = '']) =>
        secrets.has(name) ? { name: `projects/${id}/secrets/${name}`, labels: {} } : null,
    ],
    [
      /functions:generateUploadUrl$/,
      () => ({
        uploadUrl: `${origin}/upload/source.zip`,
        storageSource: { bucket: 'sources', object: 'source.zip', generation: '1' },
      }),
    ],
    [
      /^POST (\/v2\/projects\/[^?]*\/functions)\?functionId=([\w-]+)$/,
      ([, , name = ''], body) => {
        const created = {
          ...(JSON.parse(body.toString()) as { name: string; serviceConfig: object }),
        }
        const uri = `https://${name}.run.app`
        functions.set(created.name, {
          ...created,
          serviceConfig: { ...created.serviceConfig, uri, service: `${created.name}-service` },
        })
        return done(`operations/${created.name}`, functions.get(created.name) ?? {})
      },
    ],
    [
      /^GET \/v2\/operations\/(.+)$/,
      ([, name = '']) => done(`operations/${name}`, functions.get(name) ?? {}),
    ],
    [/^GET .*\/functions$/, () => ({ functions: [] })],
    [/^GET .*\/services$/, () => ({ services: [], items: [] })],
    [/^(GET|PATCH|POST) .*\/jobs/, ([, method]) => (method === 'GET' ? null : {})],
    [/^(GET|POST) .*\/queues/, ([, method]) => (method === 'GET' ? null : {})],
    [/^POST .*\/versions$/, () => ({ name: `sites/${id}/versions/1`, status: 'CREATED' })],
    [
      /:populateFiles$/,
      (_, body) => ({
        uploadRequiredHashes: Object.values(
          (JSON.parse(body.toString()) as { files: Record<string, string> }).files,
        ),
        uploadUrl: `${origin}/upload/hosting`,
      }),
    ],
    [/^PATCH .*\/versions\/1$/, () => ({ name: `sites/${id}/versions/1`, status: 'FINALIZED' })],
    [/^POST .*\/releases$/, () => ({ name: `sites/${id}/releases/1` })],
    [
      /^GET .*\/sites$/,
      () => ({
        sites: without.includes('site')
          ? []
          : [
              {
                name: `projects/${id}/sites/${id}`,
                defaultUrl: `https://${id}.web.app`,
                type: 'DEFAULT_SITE',
              },
            ],
      }),
    ],
    [/^GET \/storage\/v1\/b\/[^/]+$/, () => ({ location: BUCKET_REGION.toUpperCase() })],
    [
      /^GET \/storage\/v1\/projects\/[^/]+\/serviceAccount$/,
      () => ({
        email_address: `service-${PROJECT_NUMBER}@gs-project-accounts.iam.gserviceaccount.com`,
      }),
    ],
    [/^POST .*\/rulesets$/, () => ({ name: `projects/${id}/rulesets/1` })],
    [/^GET .*\/releases/, () => ({ releases: [] })],
    [
      /^GET .*\/defaultBucket$/,
      () => (without.includes('bucket') ? null : { bucket: { name: sdkConfig.storageBucket } }),
    ],
  ]
  return routes
}

/** Returns the text of a value of the database, as `firebase database:get` requests it. */
const readStoredValue = async (
  { databaseURL }: FakeProject,
  { url = '', headers }: IncomingMessage,
): Promise<string> => {
  if (databaseURL === undefined) return 'null'
  const { authorization = '' } = headers
  return (await fetch(`${databaseURL}${url}`, { headers: { authorization } })).text()
}

/**
 * Requests that change nothing: they read, try rules, or have Google create the account of a
 * service. Every request that is not in this list counts as a change.
 */
const READING_REQUESTS: readonly RegExp[] = [
  /^(GET|HEAD|OPTIONS) /,
  /^POST .*\/token$/,
  /^POST .*:(getIamPolicy|testIamPermissions|searchApps|generateServiceIdentity|test)$/,
  /^PUT .*\/rules\.json\?.*\bdryRun=true\b/,
]

/** A running stand-in, with everything that `firebase deploy` sent to it. */
export interface GoogleApis {
  origin: string
  environment: NodeJS.ProcessEnv
  requests: readonly StoredRequest[]
  /** The requests that change the project, as method and path. */
  getChanges(): string[]
  /** Returns the bodies of the requests that match, as JSON. */
  getBodies(pattern: RegExp): unknown[]
  close(): Promise<void>
}

/** Starts the stand-in of an empty project on a free port. */
export const startGoogleApis = async (project: FakeProject): Promise<GoogleApis> => {
  const requests: StoredRequest[] = []
  let routes: ReturnType<typeof createRoutes> = []
  const server: Server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/' } = request
      const body = await readBody(request)
      requests.push({ method, path: url, body })
      if (/^\/(schema|settings)\.json/.test(url)) {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(await readStoredValue(project, request))
        return
      }
      const answer = ((): Answer => {
        for (const [pattern, reply] of routes) {
          const match =
            pattern.exec(`${method} ${url}`) ?? pattern.exec(`${method} ${url.split('?')[0] ?? ''}`)
          if (match) return reply(match, body)
        }
        return {}
      })()
      const status = answer === null ? 404 : 200
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answer ?? { error: { code: 404, message: 'not found' } }))
    })()
  })
  // firebase-tools sends every request through the proxy, so nothing reaches Google by mistake.
  server.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
    if (url !== new URL(origin).host) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const target = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    for (const end of [target, socket]) end.on('error', () => end.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  routes = createRoutes(project, origin)
  return {
    origin,
    requests,
    environment: {
      ...Object.fromEntries(ORIGIN_VARIABLES.map((name) => [name, origin])),
      HTTPS_PROXY: origin,
    },
    getChanges: () =>
      requests
        .map(({ method, path }) => `${method} ${path}`)
        .filter((line) => !READING_REQUESTS.some((pattern) => pattern.test(line))),
    getBodies: (pattern) =>
      requests
        .filter(({ method, path }) => pattern.test(`${method} ${path}`))
        .map(({ body }) => JSON.parse(body.toString()) as unknown),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
