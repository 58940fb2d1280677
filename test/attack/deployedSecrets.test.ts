import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '~/scripts/local/build'

const listFilesBelow = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(ROOT, folder, name))

const TEXT_FILES = /\.(js|mjs|html|css|json|map|txt|webmanifest|xml|svg)$/
/** Patterns of the keys of the services we use. */
const KEY_PATTERNS = [
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

/**
 * Returns the names of the environment variables that hold a secret, as the functions read them.
 */
const listSecretNames = (): string[] => {
  const sources = listFilesBelow('functions/src', /(?<!\.test)\.ts$/).map((file) =>
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

describe('the deployed files', () => {
  const bundles = [
    ...listFilesBelow('dist', TEXT_FILES),
    ...listFilesBelow('functions/lib', /\.js$/),
  ]

  it('contain nothing that looks like a key', () => {
    expect(bundles.length).toBeGreaterThan(20)
    const found = bundles.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return KEY_PATTERNS.filter((key) => key.test(text)).map((key) => `${file}: ${key.source}`)
    })
    expect(found).toEqual([])
  })

  it('name no secret in the browser bundle', () => {
    const names = listSecretNames()
    expect(names).toEqual(expect.arrayContaining(['STRIPE_SECRET_KEY', 'KERBSIDE_SETUP_SECRET']))
    // The pages themselves send the fixed header of the maps proxies.
    const secrets = names.filter((name) => !name.includes('BASIC_AUTH'))
    const found = listFilesBelow('dist', TEXT_FILES).flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return secrets.filter((name) => text.includes(name)).map((name) => `${file}: ${name}`)
    })
    expect(found).toEqual([])
  })

  it('copy nothing from the build environment into the browser bundle', () => {
    const configuration = readFileSync(join(ROOT, 'vite.config.ts'), 'utf8')
    expect(configuration).not.toMatch(
      /envPrefix|loadEnv|process\.env\.(?!KERBSIDE_(?:SITE_URL|TOUR|PLATFORM)\b)/,
    )
    // Only whether the variable is `yes` reaches the bundle.
    expect(configuration.match(/process\.env\.KERBSIDE_TOUR[^\n]*/g)).toEqual([
      "process.env.KERBSIDE_TOUR === 'yes'",
    ])
    for (const file of listFilesBelow('src', /\.tsx?$/))
      expect(readFileSync(file, 'utf8'), file).not.toMatch(
        /import\.meta\.env\.(?!DEV|PROD|SSR|MODE|KERBSIDE_TOUR\b)/,
      )
  })
})
