import { beforeAll, describe, expect, it } from 'vitest'
import { createBundledMaps } from '~/functions/src/adapters/maps/bundled/bundledMaps'
import { ensureBuiltCity } from '~/functions/src/testing/builtCity'
import { comparePolicies } from '~/domain/replay/comparison'
import { findPolicy } from '~/domain/replay/policies'
import { createCityDemand } from './cityDemand'
import { openCityStreets, type CityStreets } from './streetTimes'

describe('the streets of a replay', () => {
  let directory = ''
  let city: CityStreets
  beforeAll(() => {
    directory = ensureBuiltCity()
    city = openCityStreets(directory)
  })

  it('has the times and distances of the maps between its places', async () => {
    const maps = createBundledMaps(directory)
    const places = [0, 100, 200, 300, 400].flatMap((i) => city.places[i] ?? [])
    const matrix = await maps.getDistanceMatrix(places, places)
    for (const [i, from] of places.entries())
      for (const [j, to] of places.entries()) {
        if (i === j) continue
        const { km, seconds } = city.travel(from, to)
        expect(Math.round(seconds)).toBe(matrix[i]?.[j]?.time_in_secs)
        expect(km).toBeCloseTo(matrix[i]?.[j]?.distance_in_km ?? Number.NaN, 3)
      }
  })

  it('estimates ways within a cell and outside the city', () => {
    const [place] = city.places
    expect(place && city.travel(place, place)).toEqual({ seconds: 0, km: 0 })
    const away = { lat: -33.5, lng: -56.9 }
    expect(city.travel(city.center, away).km).toBeGreaterThan(150)
  })

  it('plays a small bench, with the same figures whatever was played before', () => {
    const play = (streets: CityStreets) =>
      comparePolicies({
        policies: ['nearest', 'matched'].map(findPolicy),
        seeds: [1],
        createScenario: (seed) =>
          createCityDemand(streets, { seed, drivers: 10, load: 0.8, hours: 2 }),
        travel: streets.travel,
      })
    const first = play(openCityStreets(directory))
    expect(play(city)).toEqual(first)
    expect(first[0]?.measures.servedPercent.value.mean).toBeGreaterThan(50)
  })
})
