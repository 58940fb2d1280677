import { describe, expect, it } from 'vitest'
import { createSettings } from '../catalog/defaultSettings'
import { aSettings, aVehicleType } from '../testing/builders'
import { compareInModelCity, toPolicyName, type ModelTask } from './modelCity'

const aTask = (over: Partial<ModelTask> = {}): ModelTask => ({
  settings: aSettings({ autoDispatch: true }),
  vehicleType: aVehicleType(),
  drivers: 6,
  bookingsPerHour: 12,
  policies: ['nearest', 'matched:600'],
  seeds: 2,
  ...over,
})

describe('the comparison in a model city', () => {
  it('plays trips under both policies and reports its progress', () => {
    const shares: number[] = []
    const [base, change] = compareInModelCity(aTask(), (share) => shares.push(share))
    expect(shares).toEqual([0, 0.25, 0.5, 0.75])
    expect(base?.measures.servedPercent.value.mean).toBeGreaterThan(50)
    expect(base?.measures.takings.value.mean).toBeGreaterThan(0)
    expect(change?.policy).toBe('matched:600')
    expect(change?.measures.meanWait.difference).toBeDefined()
  })

  it('gives the same result for the same task', () => {
    const play = () => compareInModelCity(aTask({ seeds: 1 }), () => undefined)
    expect(play()).toEqual(play())
  })

  it('serves less when the same drivers have more bookings', () => {
    const getServed = (bookingsPerHour: number) =>
      compareInModelCity(
        aTask({ bookingsPerHour, policies: ['nearest'], seeds: 1 }),
        () => undefined,
      )[0]?.measures.servedPercent.value.mean ?? 0
    expect(getServed(8)).toBeGreaterThan(getServed(40))
  })

  it('plays the settings of a new platform', () => {
    const settings = createSettings({
      country: 'Uruguay',
      restrictCountry: 'UY',
      symbol: '$',
      code: 'UYU',
      appcat: 'delivery',
      CompanyName: 'Test',
      timezone: 'America/Montevideo',
    } as Parameters<typeof createSettings>[0])
    const [only] = compareInModelCity(
      aTask({ settings, policies: ['nearest'], seeds: 1 }),
      () => undefined,
    )
    expect(only?.measures.servedPercent.value.mean).toBeGreaterThan(50)
  })
})

it('names the policy of a dispatch mode', () => {
  expect(toPolicyName({})).toBe('nearest')
  expect(toPolicyName({ dispatchMode: 'broadcast', fairnessWeight: 600 })).toBe('broadcast')
  expect(toPolicyName({ dispatchMode: 'matched' })).toBe('matched')
  expect(toPolicyName({ dispatchMode: 'matched', fairnessWeight: 600.4 })).toBe('matched:600')
})
