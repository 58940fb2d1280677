import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PROVIDER_IDS } from '~/domain/payments/providers'

vi.setConfig({ testTimeout: 60_000 })

/** The properties of a function that `firebase deploy` reads. */
interface Deployed {
  __endpoint?: { secretEnvironmentVariables?: { key: string }[] }
}
/** Loads the functions as a project with this environment would get them. */
const deployed = async (env: Record<string, string>) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  vi.resetModules()
  return Object.entries((await import('../../..')).functions) as [string, Deployed | undefined][]
}
const getNames = (all: [string, unknown][]) =>
  all.filter(([, value]) => value !== undefined).map(([name]) => name)

beforeEach(() => vi.stubEnv('FIREBASE_CONFIG', '{"databaseURL":"https://x.firebaseio.com"}'))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

describe('the payment functions', () => {
  it('have a checkout for every provider in local mode, including the test provider', async () => {
    const names = getNames(await deployed({ FUNCTIONS_EMULATOR: 'true', GCLOUD_PROJECT: 'demo-x' }))
    for (const provider of PROVIDER_IDS) expect(names).toContain(`pay_${provider}`)
  })
  it('have no checkout for the test provider in production', async () => {
    const names = getNames(await deployed({ FUNCTIONS_EMULATOR: '', GCLOUD_PROJECT: 'live' }))
    const checkouts = names.filter((name) => name.startsWith('pay_'))
    expect(checkouts.sort()).toEqual(
      PROVIDER_IDS.filter((provider) => provider !== 'test')
        .map((provider) => `pay_${provider}`)
        .sort(),
    )
  })
  it('are the only functions that receive the keys', async () => {
    const all = await deployed({ FUNCTIONS_EMULATOR: '', GCLOUD_PROJECT: 'live' })
    const given = all.filter(([, value]) =>
      value?.__endpoint?.secretEnvironmentVariables?.some(({ key }) => key === 'PAYMENT_KEYS'),
    )
    expect(
      getNames(given)
        .filter((name) => !name.startsWith('pay_'))
        .sort(),
    ).toEqual([
      'get_providers',
      'payment_return',
      'payment_webhook',
      'refund_payment',
      'resolve_payment',
      'run_sweep',
      'start_payment',
      'sweep',
    ])
    expect(getNames(given).filter((name) => name.startsWith('pay_'))).toHaveLength(
      PROVIDER_IDS.length - 1,
    )
  })
})
