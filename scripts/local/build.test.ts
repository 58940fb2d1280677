import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BUILD_PARTS, computeSignature } from './build'

test('builds the web app again for another address, and only once for the same one', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const web = BUILD_PARTS.find(({ name }) => name === 'the web app') ?? { sources: [] }
  const signatures = ['', 'https://one.example', 'https://two.example', ''].map((address) => {
    vi.stubEnv('KERBSIDE_SITE_URL', address)
    return computeSignature(web)
  })
  expect(new Set(signatures).size).toBe(3)
  expect(signatures[3]).toBe(signatures[0])
})

test('builds the web app again when the demo tour joins or leaves it', () => {
  const web = BUILD_PARTS.find(({ name }) => name === 'the web app') ?? { sources: [] }
  const [without, withTour, unset] = [{ KERBSIDE_TOUR: '' }, { KERBSIDE_TOUR: 'yes' }, {}].map(
    (environment) => computeSignature(web, environment),
  )
  expect(withTour).not.toBe(without)
  expect(unset).toBe(without)
})

test('builds the web app again when a file that its configuration imports changes', () => {
  const { sources = [] } = BUILD_PARTS.find(({ name }) => name === 'the web app') ?? {}
  const configuration = readFileSync('vite.config.ts', 'utf8')
  const imported = [...configuration.matchAll(/from '\.\/(.+)'/g)].map(([, path]) => `${path}.ts`)
  expect(imported).not.toEqual([])
  expect(sources).toEqual(expect.arrayContaining(imported))
})
