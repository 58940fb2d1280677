import type { GenericSchema } from 'valibot'
import { describe, expect, it } from 'vitest'
import { MapsError } from '../maps/port'
import type { MapsPort } from '../maps/port'
import { parse } from '../guard'
import { memoryDatabase } from '../ports/memoryDatabase'
import { refusedKey, somePorts, straightMaps, TEST_NOW } from '../testing'
import * as googleapis from './googleapis'

const context = (maps: Partial<MapsPort> = {}) => ({
  ...somePorts({
    db: memoryDatabase({ settings: { restrictCountry: 'UY' } }),
    maps: () => Promise.resolve({ ...straightMaps, ...maps }),
  }),
  now: TEST_NOW,
  caller: null,
})
const fails = (error: Error) => () => Promise.reject(error)

describe('the maps proxies', () => {
  it('an address', async () => {
    expect(await googleapis.getaddress.handle({ latlng: '-34.9,-56.2' }, context())).toEqual({
      address: 'Near -34.9,-56.2',
    })
  })
  it('a way by waypoints', async () => {
    const straight = { start: '-34.9,-56.2', dest: '-34.8,-56.2' }
    const one = await googleapis.getdirections.handle(straight, context())
    const round = { ...straight, waypoints: '-34.9,-56.1|-34.8,-56.1' }
    const two = await googleapis.getdirections.handle(round, context())
    expect(one).toMatchObject({ approximate: true, polylinePoints: '', steps: [] })
    if ('error' in one || 'error' in two) throw new Error('No way was found.')
    expect(two.distance_in_km).toBeGreaterThan(one.distance_in_km)
    expect(two.coords).toHaveLength(4)
  })
  it('places of the settings’ country', async () => {
    let asked: unknown
    const autocomplete: MapsPort['autocomplete'] = (text, options) => {
      asked = options
      return straightMaps.autocomplete(text)
    }
    const input = parse(googleapis.autocomplete.input, {
      searchKeyword: ' Rambla ',
      near: '-34.9,-56.2',
    })
    const { searchResults } = (await googleapis.autocomplete.handle(
      input,
      context({ autocomplete }),
    )) as { searchResults: { description: string }[] }
    expect(searchResults[0]?.description).toBe('Rambla')
    expect(asked).toEqual({ country: 'UY', near: { lat: -34.9, lng: -56.2 } })
  })
  it('names in the language of who asks', async () => {
    const asked: unknown[] = []
    const maps: Partial<MapsPort> = {
      address: (at, options) => {
        asked.push(options)
        return straightMaps.address(at)
      },
      directions: (start, dest, waypoints, options) => {
        asked.push(options)
        return straightMaps.directions(start, dest, waypoints)
      },
    }
    const place = parse(googleapis.getaddress.input, { latlng: '1,2', language: 'pt_BR' })
    await googleapis.getaddress.handle(place, context(maps))
    const ends = { start: '1,2', dest: '3,4' }
    const way = parse(googleapis.getdirections.input, { ...ends, language: 'ar' })
    await googleapis.getdirections.handle(way, context(maps))
    await googleapis.getdirections.handle(ends, context(maps))
    expect(asked).toEqual([{ language: 'pt-BR' }, { language: 'ar' }, {}])
  })
  it.each(['Klingon!', '../es', 'e', 'en-'])(
    'a language such as "%s" is bad input',
    async (language) => {
      const parsing = async (endpoint: { input: GenericSchema }, rest: object) =>
        parse(endpoint.input, { ...rest, language })
      expect(await refusedKey(parsing(googleapis.getaddress, { latlng: '1,2' }))).toBe('bad_input')
      const ends = { start: '1,2', dest: '3,4' }
      expect(await refusedKey(parsing(googleapis.getdirections, ends))).toBe('bad_input')
    },
  )
  it('one session from the first letter to the place', async () => {
    const asked: unknown[] = []
    const maps: Partial<MapsPort> = {
      autocomplete: (text, options) => {
        asked.push(options?.sessionToken)
        return straightMaps.autocomplete(text)
      },
      coords: (placeId, options) => {
        asked.push(options?.sessionToken)
        return straightMaps.coords(placeId)
      },
    }
    const sessionToken = 'b3c9-1'
    const search = parse(googleapis.autocomplete.input, { searchKeyword: 'Ram', sessionToken })
    await googleapis.autocomplete.handle(search, context(maps))
    await googleapis.getcoords.handle({ place_id: 'here', sessionToken }, context(maps))
    expect(asked).toEqual([sessionToken, sessionToken])
  })
  it('where a place is, or the catalogue’s error', async () => {
    const coords = await googleapis.getcoords.handle({ place_id: 'here' }, context())
    expect(coords).toEqual({ coords: { lat: -34.9, lng: -56.2 } })
    expect(await googleapis.getcoords.handle({ place_id: 'nowhere' }, context())).toEqual({
      error: 'fetchCoordsfromPlace Call Error',
    })
  })
  it('a matrix, row by origin', async () => {
    const input = { start: '-34.9,-56.2|-34.8,-56.2', dest: '-34.9,-56.1' }
    const { data } = (await googleapis.getdistancematrix.handle(input, context())) as {
      data: unknown[][]
    }
    expect(data.map((row) => row.length)).toEqual([1, 1])
  })
})

describe('what goes wrong', () => {
  it('the service’s own words come through, else the catalogue’s', async () => {
    const own = context({ address: fails(new MapsError('quota', 'OVER_QUERY_LIMIT')) })
    expect(await googleapis.getaddress.handle({ latlng: '1,2' }, own)).toEqual({
      error: 'OVER_QUERY_LIMIT',
    })
    const silent = context({ directions: fails(new Error('socket hang up')) })
    const way = { start: '1,2', dest: '3,4' }
    expect(await googleapis.getdirections.handle(way, silent)).toEqual({
      error: 'getDirectionsApi Call Error',
    })
  })
  it('no way at all is No Route Found', async () => {
    const nowhere = context({ directions: () => Promise.resolve(null) })
    expect(await googleapis.getdirections.handle({ start: '1,2', dest: '3,4' }, nowhere)).toEqual({
      error: 'No Route Found',
    })
  })
  it.each([
    ['a point off the earth', () => googleapis.getaddress.handle({ latlng: '91,0' }, context())],
    [
      'a waypoint in words',
      () =>
        googleapis.getdirections.handle(
          { start: '1,2', dest: '3,4', waypoints: 'here' },
          context(),
        ),
    ],
    [
      'too many pairs',
      () => {
        const many = Array(26).fill('1,2').join('|')
        return googleapis.getdistancematrix.handle({ start: many, dest: many }, context())
      },
    ],
  ])('%s is bad input', async (_, call) => {
    expect(await refusedKey(call())).toBe('bad_input')
  })
})
