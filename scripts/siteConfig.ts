// Why: the deployed page is told at run time whose Firebase project it belongs to. Made from what Firebase says itself:
// `npx firebase apps:sdkconfig WEB --json > app.json`, then `npm run site-config -- app.json` writes dist/config.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { ROOT } from './build'
import { runToEnd } from './runToEnd'
import type { WebConfig } from './suiteConfig'

const filled = v.pipe(v.string(), v.minLength(1))
const answer = v.object({
  result: v.object({
    sdkConfig: v.object({
      apiKey: filled,
      projectId: filled,
      databaseURL: filled,
      storageBucket: filled,
      authDomain: filled,
      appId: filled,
    }),
  }),
})

interface SiteOptions {
  /** `user:password` of the maps proxies' header, as the functions have it. */
  mapsBasicAuth?: string
  /** Of a browser key: the map's picture comes from Google then. */
  googleMapsKey?: string
}

type SiteConfig = WebConfig & {
  mapsBasicAuth?: string
  maps?: { kind: 'google'; apiKey: string }
}

/** config.json of a production site; throws a sentence that names what Firebase's answer lacks. */
export const siteConfig = (
  sdkAnswer: unknown,
  { mapsBasicAuth, googleMapsKey }: SiteOptions = {},
): SiteConfig => {
  const parsed = v.safeParse(answer, sdkAnswer)
  if (!parsed.success) {
    const field = v.getDotPath(parsed.issues[0])?.split('.').at(-1) ?? 'result'
    throw new Error(
      `Firebase's answer has no ${field}. ` +
        (field === 'databaseURL'
          ? 'Create the Realtime Database first, then ask again.'
          : 'Ask with `npx firebase apps:sdkconfig WEB --json`.'),
    )
  }
  const { apiKey, projectId, databaseURL, storageBucket, authDomain, appId } =
    parsed.output.result.sdkConfig
  return {
    firebase: { apiKey, projectId, databaseURL, storageBucket, authDomain, appId },
    emulators: null,
    local: false,
    functionsUrl: `https://us-central1-${projectId}.cloudfunctions.net`,
    ...(mapsBasicAuth && { mapsBasicAuth }),
    ...(googleMapsKey && { maps: { kind: 'google' as const, apiKey: googleMapsKey } }),
  }
}

const main = (): number => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'maps-basic-auth': { type: 'string' }, 'google-maps-key': { type: 'string' } },
  })
  const [file] = positionals
  const dist = join(ROOT, 'dist')
  if (file === undefined) throw new Error('npm run site-config -- app.json')
  if (!existsSync(dist)) throw new Error('Run `npm run build` first: there is no dist/.')
  const { 'maps-basic-auth': mapsBasicAuth, 'google-maps-key': googleMapsKey } = values
  const config = siteConfig(JSON.parse(readFileSync(file, 'utf8')), {
    ...(mapsBasicAuth && { mapsBasicAuth }),
    ...(googleMapsKey && { googleMapsKey }),
  })
  writeFileSync(join(dist, 'config.json'), JSON.stringify(config, null, 2))
  console.log(`dist/config.json is for ${config.firebase.projectId}.`)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runToEnd(main)
