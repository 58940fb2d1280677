import { afterEach, expect, test, vi } from 'vitest'
import type { EndpointDefinition } from './http/endpointTypes'
import { callables, httpGet, mapsProxies, httpPost } from './endpoints/registry'
import { MAPS_SECRETS } from './deployment'
import type { Ports } from './ports/ports'

/** A function as firebase-tools sees it before deployment. */
interface Deployed {
  __endpoint: { secretEnvironmentVariables?: { key: string }[] }
}
const makePorts = (local: boolean) =>
  ({ config: { isLocal: local, allowedOrigins: [] } }) as unknown as Ports
const getSecrets = (deployed: unknown) =>
  ((deployed as Deployed).__endpoint.secretEnvironmentVariables ?? []).map(({ key }) => key)

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

const findFunctionsWithKey = async (local: boolean): Promise<string[]> => {
  vi.stubEnv('FUNCTIONS_EMULATOR', String(local))
  vi.resetModules()
  const { createCallable } = await import('./http/callable')
  const { createHttpEndpoint } = await import('./http/httpEndpoint')
  const ports = makePorts(local)
  const all = [
    ...Object.values(callables).map((one) => [
      one.name,
      createCallable(one as EndpointDefinition, ports),
    ]),
    ...[...Object.values(httpPost), ...Object.values(mapsProxies), ...Object.values(httpGet)].map(
      (one) => [one.name, createHttpEndpoint(one as EndpointDefinition, ports)],
    ),
  ] as [string, unknown][]
  return all
    .filter(([, deployed]) => getSecrets(deployed).some((key) => MAPS_SECRETS.includes(key)))
    .map(([name]) => name)
}

test('gives Google’s key only to the functions that look up places and routes', async () => {
  expect((await findFunctionsWithKey(false)).sort()).toEqual([
    'advance_booking',
    'change_recurring',
    'create_booking',
    'googleapis-autocomplete',
    'googleapis-getaddress',
    'googleapis-getcoords',
    'googleapis-getdirections',
    'googleapis-getdistancematrix',
    'import_bookings',
    'run_sweep',
    'save_recurring',
  ])
})

test('needs no secret in local mode', async () => {
  expect(await findFunctionsWithKey(true)).toEqual([])
})
