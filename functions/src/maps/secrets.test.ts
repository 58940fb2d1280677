import { expect, test } from 'vitest'
import { callable } from '../callable'
import type { Definition, Ports } from '../definition'
import { callables, fetched, maps, posted } from '../definitions'
import { endpoint } from '../endpoint'
import { MAPS_SECRETS } from './secrets'

/** As firebase-tools sees a function before it deploys it. */
interface Deployed {
  __endpoint: { secretEnvironmentVariables?: { key: string }[] }
}
const portsOf = (local: boolean) => ({ config: { local, origins: [] } }) as unknown as Ports
const secretsOf = (deployed: unknown) =>
  ((deployed as Deployed).__endpoint.secretEnvironmentVariables ?? []).map(({ key }) => key)

const given = (local: boolean): string[] => {
  const ports = portsOf(local)
  const all = [
    ...Object.values(callables).map((one) => [one.name, callable(one as Definition, ports)]),
    ...[...Object.values(posted), ...Object.values(maps), ...Object.values(fetched)].map((one) => [
      one.name,
      endpoint(one as Definition, ports),
    ]),
  ] as [string, unknown][]
  return all
    .filter(([, deployed]) => secretsOf(deployed).some((key) => MAPS_SECRETS.includes(key)))
    .map(([name]) => name)
}

test('Google’s key is given to the functions that ask for places and routes, and to no other', () => {
  expect(given(false).sort()).toEqual([
    'advance_booking',
    'create_booking',
    'googleapis-autocomplete',
    'googleapis-getaddress',
    'googleapis-getcoords',
    'googleapis-getdirections',
    'googleapis-getdistancematrix',
  ])
})

test('local mode asks for no secret', () => {
  expect(given(true)).toEqual([])
})
