import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '~/scripts/build'

const filesBelow = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(ROOT, folder, name))

const TEXTS = /\.(js|mjs|html|css|json|map|txt|webmanifest|xml|svg)$/
/** What the keys of the services we use look like. */
const KEYS = [
  /AIza[\w-]{35}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b[srp]k_(live|test)_[A-Za-z0-9]{10,}/,
  /\bwhsec_[A-Za-z0-9]{16,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bya29\.[\w-]{20,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
  /"private_key_id"/,
]

/** The environment's names that hold a secret, as the functions ask for them. */
const secretNames = (): string[] => {
  const sources = filesBelow('functions/src', /(?<!\.test)\.ts$/).map((file) =>
    readFileSync(file, 'utf8'),
  )
  const names = sources.flatMap((source) =>
    [...source.matchAll(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name),
  )
  return [...new Set(names)].filter((name) =>
    /(SECRET|PRIVATE|PASSWORD|PASSPHRASE|API_KEY|MERCHANT_KEY|ACCESS_TOKEN|_SALT|BASIC_AUTH)/.test(
      name,
    ),
  )
}

describe('what is deployed', () => {
  const bundles = [...filesBelow('dist', TEXTS), ...filesBelow('functions/lib', /\.js$/)]

  it('holds nothing that looks like a key', () => {
    expect(bundles.length).toBeGreaterThan(20)
    const found = bundles.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return KEYS.filter((key) => key.test(text)).map((key) => `${file}: ${key.source}`)
    })
    expect(found).toEqual([])
  })

  it('knows no secret by name in the browser', () => {
    const names = secretNames()
    expect(names).toEqual(expect.arrayContaining(['STRIPE_SECRET_KEY', 'KERBSIDE_SETUP_SECRET']))
    // The fixed header of the maps proxies is the pages' own.
    const secrets = names.filter((name) => !name.includes('BASIC_AUTH'))
    const found = filesBelow('dist', TEXTS).flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return secrets.filter((name) => text.includes(name)).map((name) => `${file}: ${name}`)
    })
    expect(found).toEqual([])
  })

  it('takes nothing of the builder’s environment into the browser', () => {
    const configuration = readFileSync(join(ROOT, 'vite.config.ts'), 'utf8')
    expect(configuration).not.toMatch(/envPrefix|loadEnv|process\.env\.(?!KERBSIDE_SITE_URL\b)/)
    for (const file of filesBelow('src', /\.tsx?$/))
      expect(readFileSync(file, 'utf8'), file).not.toMatch(
        /import\.meta\.env\.(?!DEV|PROD|SSR|MODE)/,
      )
  })
})
