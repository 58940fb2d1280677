import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '~/scripts/local/build'
import { createDeployment, PROJECT_ID, SECRETS, type Deployment } from './deployment'
import { BUCKET_REGION } from './googleApis'

interface SentFunction {
  name: string
  buildConfig: { runtime: string }
  serviceConfig: {
    availableCpu: string
    availableMemory: string
    environmentVariables: Record<string, string>
    maxInstanceCount: number
    maxInstanceRequestConcurrency: number
    secretEnvironmentVariables?: { key: string }[]
  }
  eventTrigger?: { retryPolicy: string; triggerRegion: string }
}
interface SentVersion {
  config: { headers: { glob?: string; regex?: string; headers: Record<string, string> }[] }
}

const getShortName = (name: string) => name.split('/').at(-1) ?? ''
const getFunctions = ({ apis }: Deployment) =>
  apis.getBodies(/^POST \/v2\/.*\?functionId=/) as SentFunction[]
/** Returns the headers of a path as Hosting applies them: the last rule wins. */
const getSiteHeaders = ({ apis }: Deployment, path: string): Record<string, string> => {
  const [version] = apis.getBodies(/^PATCH .*\/versions\/1\?/) as SentVersion[]
  return Object.assign(
    {},
    ...(version?.config.headers ?? [])
      .filter(({ glob, regex }) =>
        regex === undefined ? glob === path : new RegExp(regex).test(path),
      )
      .map(({ headers }) => headers),
  ) as Record<string, string>
}

const REGION = 'europe-west1'

describe('a deployment to an empty project', () => {
  let deployment: Deployment
  let result: Awaited<ReturnType<Deployment['deploy']>>
  beforeAll(async () => {
    deployment = await createDeployment({
      region: REGION,
      settings: {
        KERBSIDE_REGION: null,
        KERBSIDE_AUTH_DOMAIN: 'login.citycabs.com',
        KERBSIDE_APP_CHECK_SITE_KEY: `6L${'c'.repeat(38)}`,
        KERBSIDE_FUNCTIONS_URL: 'https://calls.citycabs.com',
      },
    })
    result = await deployment.deploy()
  })
  afterAll(() => deployment.remove())

  it('ends without an error', () => {
    expect(result.output).toContain(
      `Deployed rules, functions, data, hosting, storage to ${PROJECT_ID}.`,
    )
    expect(result.code).toBe(0)
  })

  it('checks everything first, and makes nothing live before what it needs', () => {
    const lines = deployment.apis.requests.map(({ method, path }) => `${method} ${path}`)
    const find = (step: RegExp) => lines.findIndex((line) => step.test(line))
    const [firstChange = ''] = deployment.apis.getChanges()
    const checks = [
      /^PUT .*rules\.json\?dryRun=true/,
      /^POST \/v1\/projects\/[^/]+:test$/,
      /^GET .*\/secrets\/KERBSIDE_SETUP_SECRET\/versions/,
      /^GET .*\/sites/,
    ].map(find)
    expect(checks).not.toContain(-1)
    expect(lines.indexOf(firstChange)).toBeGreaterThan(Math.max(...checks))

    const steps = [
      /^PUT \/upload\/source\.zip/,
      /^PUT .*rules\.json$/,
      /^POST .*\?functionId=/,
      /^POST .*\/sites\/.*\/releases/,
      /^PATCH .*\/releases\/firebase\.storage/,
    ].map(find)
    expect(steps).not.toContain(-1)
    expect(steps).toEqual([...steps].sort((one, other) => one - other))
  })

  it('tries the database rules and then sends them as they are in the repository', () => {
    const sent = deployment.apis.requests.filter(({ path }) => path.includes('rules.json'))
    expect(sent.map(({ path }) => path.includes('dryRun=true'))).toEqual([true, true, false])
    const rules = readFileSync(join(ROOT, 'database.rules.json'))
    for (const { body } of sent) expect(body.equals(rules)).toBe(true)
  })

  it('sends the storage rules as they are in the repository', () => {
    const sent = deployment.apis.getBodies(/^POST .*\/rulesets$/)
    expect(JSON.stringify(sent)).toContain(
      JSON.stringify(readFileSync(join(ROOT, 'storage.rules'), 'utf8')),
    )
  })

  it('creates few functions, each with its own limits and only the secrets that it needs', () => {
    const sent = getFunctions(deployment).map(({ name, serviceConfig: it }) => [
      getShortName(name),
      [it.availableCpu, it.availableMemory, it.maxInstanceRequestConcurrency, it.maxInstanceCount],
      (it.secretEnvironmentVariables ?? []).map(({ key }) => key).sort(),
    ])
    const http = ['1', '512Mi', 80, 10]
    const event = ['0.1666', '256Mi', 1, 20]
    const dispatch = ['0.3333', '512Mi', 1, 20]
    const job = ['0.3333', '512Mi', 1, 1]
    const maps = ['KERBSIDE_GOOGLE_MAPS_KEY', 'KERBSIDE_SALT']
    const payments = ['KERBSIDE_SALT', 'MESSAGE_KEYS', 'PAYMENT_KEYS']
    const audited = [
      ...['approved', 'cancel_reason', 'cartype_of', 'cartypes', 'fleetadmin', 'languages'],
      ...['notifications', 'promos', 'settings', 'usertype'],
    ]
    expect(sent.sort()).toEqual([
      ['advance_booking', http, maps],
      // The recurring bookings check the addresses on the map.
      ['api', http, ['KERBSIDE_CALLER_KEY', ...maps]],
      ...audited.map((name) => [`audit_trail-${name}`, event, []]),
      ['check_upload', event, []],
      ['create_booking', http, maps],
      ['driver_available', dispatch, ['KERBSIDE_GOOGLE_MAPS_KEY']],
      ['end_of_shift', dispatch, ['KERBSIDE_GOOGLE_MAPS_KEY']],
      ['maps', http, maps],
      ['notify_of_message', event, []],
      // `run_sweep` also books recurring trips and finds drivers by street time.
      ['payments', http, ['KERBSIDE_GOOGLE_MAPS_KEY', ...payments]],
      ['send_message', event, ['KERBSIDE_SALT', 'MESSAGE_KEYS']],
      ['setup', http, ['KERBSIDE_SALT', 'KERBSIDE_SETUP_SECRET']],
      ['sweep', job, ['KERBSIDE_GOOGLE_MAPS_KEY', ...payments]],
      ['sweep_files', job, []],
      ['sweep_pass', job, ['KERBSIDE_GOOGLE_MAPS_KEY']],
    ])
    expect(sent.length).toBeLessThanOrEqual(25)
  })

  it('fits the quota of a new project: 20 processors and 40 GiB in a region', () => {
    const functions = getFunctions(deployment).map(({ serviceConfig }) => ({
      cpu: Number(serviceConfig.availableCpu),
      memory: parseInt(serviceConfig.availableMemory) / 1024,
      most: serviceConfig.maxInstanceCount,
    }))
    const sum = (of: (one: (typeof functions)[number]) => number) =>
      functions.reduce((total, one) => total + of(one), 0)
    // Google starts one instance of each new function, and of each old one during an update.
    expect(2 * sum(({ cpu }) => cpu)).toBeLessThanOrEqual(20)
    expect(2 * sum(({ memory }) => memory)).toBeLessThanOrEqual(40)
    for (const { cpu, memory, most } of functions) {
      expect(cpu * most).toBeLessThanOrEqual(20)
      expect(memory * most).toBeLessThanOrEqual(40)
    }
  })

  it('gives functions the settings as variables, and no secret among them', () => {
    for (const { name, buildConfig, serviceConfig } of getFunctions(deployment)) {
      expect(buildConfig.runtime).toBe('nodejs22')
      expect(serviceConfig.environmentVariables, name).toMatchObject({
        KERBSIDE_ORIGINS: `https://${PROJECT_ID}.web.app`,
        KERBSIDE_MAPS_BASIC_AUTH: 'kerbside:4f1c0a',
        KERBSIDE_REGION: REGION,
      })
      for (const secret of SECRETS)
        expect(serviceConfig.environmentVariables, name).not.toHaveProperty(secret)
    }
  })

  it('opens only the functions over HTTP to everyone', () => {
    const opened = deployment.apis.requests
      .filter(({ path, body }) => path.endsWith(':setIamPolicy') && body.includes('allUsers'))
      .map(({ path }) => /([\w-]+)-service:/.exec(path)?.[1])
    expect(opened.sort()).toEqual([
      ...['advance_booking', 'api', 'create_booking', 'maps', 'payments', 'setup'],
    ])
  })

  it('creates both schedules', () => {
    const jobs = deployment.apis.getBodies(/^POST .*\/jobs$/) as {
      name: string
      schedule: string
    }[]
    expect(jobs.map(({ name, schedule }) => [getShortName(name), schedule]).sort()).toEqual([
      [`firebase-schedule-sweep-${REGION}`, 'every 1 minutes'],
      [`firebase-schedule-sweep_files-${REGION}`, 'every 1 hours'],
    ])
  })

  it('creates the queue of the passes within a minute, which runs one at a time', () => {
    expect(deployment.apis.getBodies(/^POST .*\/queues$/)).toMatchObject([
      {
        name: `projects/${PROJECT_ID}/locations/${REGION}/queues/sweep_pass`,
        rateLimits: { maxConcurrentDispatches: 1 },
        retryConfig: { maxAttempts: 1 },
      },
    ])
  })

  it('uploads the bundle, the map and a lock file that npm accepts, but no source and no settings', () => {
    const [upload] = deployment.apis.requests.filter(({ path }) => path === '/upload/source.zip')
    const files = unzipSync(upload?.body ?? new Uint8Array())
    expect(Object.keys(files).sort()).toEqual([
      ...['gaz.bin', 'graph.bin', 'land.bin', 'meta.json', 'world.bin'].map(
        (name) => `data/maps/${name}`,
      ),
      ...['index.js', 'package.json', 'texts.json'].map((name) => `lib/${name}`),
      'package-lock.json',
      'package.json',
    ])
    const folder = mkdtempSync(join(tmpdir(), 'kerbside-upload-'))
    try {
      for (const name of ['package.json', 'package-lock.json'])
        writeFileSync(join(folder, name), files[name] ?? '')
      // Fails when the lock file lacks a package or has a version that the package does not allow.
      execFileSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], {
        cwd: folder,
        stdio: 'pipe',
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('locks the versions that the repository tests', () => {
    type Lock = { packages: Record<string, { version?: string }> }
    const [upload] = deployment.apis.requests.filter(({ path }) => path === '/upload/source.zip')
    const text = strFromU8(
      unzipSync(upload?.body ?? new Uint8Array())['package-lock.json'] ?? new Uint8Array(),
    )
    const { '': root, ...uploaded } = (JSON.parse(text) as Lock).packages
    const tested = (JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock)
      .packages
    expect(root).toMatchObject({ dependencies: { 'firebase-admin': expect.any(String) } })
    expect(Object.keys(uploaded).length).toBeGreaterThan(100)
    for (const [place, { version }] of Object.entries(uploaded))
      expect(version, place).toBe(tested[place]?.version)
    expect(uploaded).not.toHaveProperty('node_modules/react')
  })

  it('uploads the site with the configuration of this project', () => {
    const [listed] = deployment.apis.getBodies(/:populateFiles$/) as {
      files: Record<string, string>
    }[]
    const config = readFileSync(join(deployment.root, 'dist/config.json'))
    const hash = createHash('sha256')
      .update(gzipSync(config, { level: 9 }))
      .digest('hex')
    expect(listed?.files['/config.json']).toBe(hash)
    expect(JSON.parse(config.toString())).toMatchObject({
      firebase: { projectId: PROJECT_ID, authDomain: 'login.citycabs.com' },
      appCheckSiteKey: `6L${'c'.repeat(38)}`,
      emulators: null,
      local: false,
      functionsUrl: 'https://calls.citycabs.com',
      mapsBasicAuth: 'kerbside:4f1c0a',
    })
    expect(Object.keys(listed?.files ?? {})).not.toContain('/firebase.json')
  })

  it('runs all but the check of uploads in the region of the database, which it adds to the settings', () => {
    expect(result.output).toContain(
      `Added KERBSIDE_REGION=${REGION} to functions/.env.${PROJECT_ID}`,
    )
    for (const { name, eventTrigger } of getFunctions(deployment)) {
      const region = getShortName(name) === 'check_upload' ? BUCKET_REGION : REGION
      expect(name).toContain(`/locations/${region}/functions/`)
      expect(eventTrigger?.triggerRegion ?? region).toBe(region)
    }
  })

  it('lets the page sign in, prove itself and call at the addresses of its own domain', () => {
    const policy = getSiteHeaders(deployment, '/')['Content-Security-Policy'] ?? ''
    expect(policy).toMatch(/frame-src [^;]*https:\/\/login\.citycabs\.com/)
    expect(policy).toMatch(/frame-src [^;]*https:\/\/recaptcha\.google\.com\/recaptcha\//)
    expect(policy).toMatch(/connect-src [^;]*https:\/\/calls\.citycabs\.com/)
    expect(policy).toMatch(/connect-src [^;]*https:\/\/www\.google\.com\/recaptcha\//)
    expect(policy).toMatch(/script-src [^;]*https:\/\/www\.google\.com\/recaptcha\//)
  })

  it.each([
    ['/assets/index-abc123.js', 'public, max-age=31536000, immutable'],
    ['/assets/index-gone00.js', 'no-cache'],
    ['/maps/city/14/5629/9843.pbf', 'public, max-age=86400'],
    ['/maps/city/14/5629/9844.pbf', 'no-cache'],
    ['/config.json', 'no-store'],
    ['/', 'no-cache'],
    ['/bookings/some-id', 'no-cache'],
  ])('lets browsers keep %s for: %s', (path, lifetime) => {
    expect(getSiteHeaders(deployment, path)['Cache-Control']).toBe(lifetime)
  })
})

describe('a deployment that would not work', () => {
  /** Deploys a copy with a fault, which is refused before any change. Returns the output. */
  const refuse = async (
    options: Parameters<typeof createDeployment>[0],
    ...args: string[]
  ): Promise<string> => {
    const deployment = await createDeployment(options)
    try {
      return await deployment.refuse(...args)
    } finally {
      await deployment.remove()
    }
  }

  it('names each wrong setting and each missing file', async () => {
    const deployment = await createDeployment({
      settings: {
        KERBSIDE_ORIGINS: 'https://acme-taxis.web.app',
        KERBSIDE_MAPS_BASIC_AUTH: 'kerbside:…',
        KERBSIDE_SALT: 'in the wrong place',
      },
      without: ['functions/data/maps/graph.bin'],
    })
    try {
      const { code, output } = await deployment.predeploy('functions')
      expect(code).toBe(1)
      for (const sentence of [
        'KERBSIDE_ORIGINS in functions/.env.city-cabs is still a placeholder.',
        'KERBSIDE_MAPS_BASIC_AUTH in functions/.env.city-cabs is still a placeholder.',
        'KERBSIDE_SALT is a secret, and functions/.env.city-cabs is not the place for it.',
        'functions/data/maps has no graph.bin. Run `npm run build`.',
      ])
        expect(output).toContain(sentence)

      // `firebase deploy --only hosting` runs this check too.
      const site = await deployment.predeploy('hosting')
      expect(site.code).toBe(1)
      expect(site.output).toContain('dist/config.json is missing')
    } finally {
      await deployment.remove()
    }
  })

  it('is refused for a site that was built with the demo tour', async () => {
    const deployment = await createDeployment()
    try {
      writeFileSync(join(deployment.root, 'dist/demo-tour.txt'), 'local')
      const { code, output } = await deployment.predeploy('hosting')
      expect(code).toBe(1)
      expect(output).toContain('dist is built for this machine, with the demo tour.')
    } finally {
      await deployment.remove()
    }
  })

  it.each([
    [
      'a region that is not the region of the database',
      { settings: { KERBSIDE_REGION: 'asia-southeast1' } },
      'The database is in us-central1, but KERBSIDE_REGION is asia-southeast1.',
    ],
    [
      'a missing setting',
      { settings: { KERBSIDE_ORIGINS: null } },
      'no value for the following environment variables: KERBSIDE_ORIGINS',
    ],
    [
      'a value of the documentation as a setting',
      { settings: { KERBSIDE_ORIGINS: 'https://acme-taxis.web.app' } },
      'KERBSIDE_ORIGINS in functions/.env.city-cabs is still a placeholder.',
    ],
    [
      'a missing secret',
      { secrets: SECRETS.filter((name) => name !== 'KERBSIDE_SETUP_SECRET') },
      'no value for the secret KERBSIDE_SETUP_SECRET',
    ],
    [
      'a project without a Hosting site',
      { lacks: ['site'] },
      'Nothing was deployed. The project has no Hosting site.',
    ],
  ] as const)('changes nothing when all is deployed with %s', async (_, options, reason) => {
    expect(await refuse(options)).toContain(reason)
  })

  it.each([
    [
      'rules,hosting',
      'a missing setting',
      { settings: { KERBSIDE_ORIGINS: null } },
      'KERBSIDE_ORIGINS is missing. Add it to functions/.env.city-cabs',
    ],
    [
      'rules,hosting',
      'a site that was not built',
      { without: ['dist/sw.js'] },
      'Nothing was deployed.\n- dist has no sw.js. Run `npm run build`.',
    ],
    [
      'rules,storage',
      'a project without a bucket',
      { lacks: ['bucket'] },
      'Firebase Storage has not been set up on project',
    ],
  ] as const)('changes nothing when %s are deployed with %s', async (only, _, options, reason) => {
    expect(await refuse(options, '--only', only)).toContain(reason)
  })
})
