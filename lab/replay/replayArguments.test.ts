import { expect, it } from 'vitest'
import { parseReplayArguments } from './replayArguments'

it('compares nearest and matched on generated demand by default', () => {
  const { policies, seeds, demand } = parseReplayArguments([])
  expect(policies.map(({ name }) => name)).toEqual(['nearest', 'matched'])
  expect(seeds).toEqual([1, 2, 3, 4, 5])
  expect(demand).toEqual({ kind: 'generated', drivers: 100, load: 0.85, hours: 7 })
})

it('reads the days, the policies with their fairness weights, and the seeds', () => {
  const { policies, seeds, demand } = parseReplayArguments(
    '--from 2026-10-01 --days 14 --backup saved --policy broadcast,matched:600 --seed 7 --seeds 2'.split(
      ' ',
    ),
  )
  expect(policies.map((policy) => [policy.name, 'settings' in policy && policy.settings])).toEqual([
    ['broadcast', { dispatchMode: 'broadcast' }],
    ['matched:600', { dispatchMode: 'matched', fairnessWeight: 600 }],
  ])
  expect(seeds).toEqual([7, 8])
  expect(demand).toEqual({ kind: 'history', from: '2026-10-01', days: 14, backup: 'saved' })
})

it('reads parcels with their couriers, shops and promise', () => {
  const { policies, demand } = parseReplayArguments(
    '--parcels 60 --couriers 20 --shops 0 --promise 60 --policy nearest,tours:3'.split(' '),
  )
  expect(policies.map(({ name }) => name)).toEqual(['nearest', 'tours:3'])
  expect(demand).toEqual({
    kind: 'parcels',
    parcelsPerHour: 60,
    couriers: 20,
    shops: 0,
    promiseMinutes: 60,
    hours: 6,
  })
})

it.each([
  ['--policy fastest', 'There is no policy "fastest".'],
  ['--policy matched,matched', '--policy has a policy twice'],
  ['--from yesterday', '--from must be a day such as 2026-10-01, not "yesterday".'],
  ['--from 2026-13-01', '--from must be a day such as 2026-10-01'],
  ['--from 2026-10-01 --days 0', '--days must be a number from 1 to 92, not "0".'],
  ['--backup saved', 'A replay of recorded bookings needs --from'],
  ['--project acme', 'A replay of recorded bookings needs --from'],
  ['--from 2026-10-01 --backup saved --project acme', '--backup and --project name two sources.'],
  ['--from 2026-10-01 --drivers 5', '--drivers, --load and --hours are for generated demand.'],
  ['--parcels 40 --policy matched', 'There is no policy "matched" for parcels.'],
  ['--parcels 40 --from 2026-10-01', '--parcels is for generated parcels.'],
  ['--couriers 5', '--couriers, --shops and --promise need --parcels'],
  ['--drivers many', '--drivers must be a number from 1 to 1000, not "many".'],
])('refuses %s', (text, error) => {
  expect(() => parseReplayArguments(text.split(' '))).toThrow(error)
})
