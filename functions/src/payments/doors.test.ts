import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PROVIDERS } from './adapter'

vi.setConfig({ testTimeout: 60_000 })

/** What `firebase deploy` reads of a function. */
interface Deployed {
  __endpoint?: { secretEnvironmentVariables?: { key: string }[] }
}
/** The functions as a project of this name would get them. */
const deployed = async (env: Record<string, string>) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  vi.resetModules()
  return Object.entries(await import('../index')) as [string, Deployed | undefined][]
}
const namesOf = (all: [string, unknown][]) =>
  all.filter(([, value]) => value !== undefined).map(([name]) => name)

beforeEach(() => vi.stubEnv('FIREBASE_CONFIG', '{"databaseURL":"https://x.firebaseio.com"}'))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

describe('the functions that talk about payments', () => {
  it('in local mode have a door for every provider, the test one among them', async () => {
    const names = namesOf(await deployed({ FUNCTIONS_EMULATOR: 'true', GCLOUD_PROJECT: 'demo-x' }))
    for (const provider of PROVIDERS) expect(names).toContain(`pay_${provider}`)
  })
  it('in production have none for the test provider', async () => {
    const names = namesOf(await deployed({ FUNCTIONS_EMULATOR: '', GCLOUD_PROJECT: 'live' }))
    const doors = names.filter((name) => name.startsWith('pay_'))
    expect(doors.sort()).toEqual(
      PROVIDERS.filter((provider) => provider !== 'test')
        .map((provider) => `pay_${provider}`)
        .sort(),
    )
  })
  it('are the only ones that are given the keys', async () => {
    const all = await deployed({ FUNCTIONS_EMULATOR: '', GCLOUD_PROJECT: 'live' })
    const given = all.filter(([, value]) =>
      value?.__endpoint?.secretEnvironmentVariables?.some(({ key }) => key === 'PAYMENT_KEYS'),
    )
    expect(
      namesOf(given)
        .filter((name) => !name.startsWith('pay_'))
        .sort(),
    ).toEqual([
      'get_providers',
      'payment_return',
      'payment_webhook',
      'refund_payment',
      'run_sweep',
      'start_payment',
      'sweep',
    ])
    expect(namesOf(given).filter((name) => name.startsWith('pay_'))).toHaveLength(
      PROVIDERS.length - 1,
    )
  })
})
