import type { GenericSchema } from 'valibot'
import { describe, expect, it } from 'vitest'
import { MapsError } from '../../ports/mapsPort'
import type { MapsPort } from '../../ports/mapsPort'
import { handleRequest, parseInput } from '../../http/requestHandler'
import type { Caller } from '../../ports/accounts'
import { createTestDatabase } from '../../testing/testDatabase'
import {
  createRequestContext,
  getErrorKey,
  createTestPorts,
  straightLineMaps,
  TEST_NOW,
} from '../../testing/testPorts'
import * as googleapis from './mapsProxies'

const context = (maps: Partial<MapsPort> = {}, caller: Caller | null = null) =>
  createRequestContext(
    caller,
    createTestPorts({
      db: createTestDatabase({ settings: { restrictCountry: 'UY' } }),
      maps: () => Promise.resolve({ ...straightLineMaps, ...maps }),
    }),
  )
const signedIn = () => context({}, { uid: 'rider' })
const fails = (error: Error) => () => Promise.reject(error)

describe('the maps proxies', () => {
  it('return an address', async () => {
    expect(await googleapis.getaddress.handle({ latlng: '-34.9,-56.2' }, context())).toEqual({
      address: 'Near -34.9,-56.2',
    })
  })
  it('return a route through waypoints', async () => {
    const straight = { start: '-34.9,-56.2', dest: '-34.8,-56.2' }
    const one = await googleapis.getdirections.handle(straight, context())
    const round = { ...straight, waypoints: '-34.9,-56.1|-34.8,-56.1' }
    const two = await googleapis.getdirections.handle(round, context())
    expect(one).toMatchObject({ approximate: true, polylinePoints: '', steps: [] })
    if ('error' in one || 'error' in two) throw new Error('No way was found.')
    expect(two.distance_in_km).toBeGreaterThan(one.distance_in_km)
    expect(two.coords).toHaveLength(4)
  })
  it('accept as many stops as a booking may have, and refuse one more instead of dropping it', async () => {
    const asked: number[] = []
    const directions: MapsPort['getDirections'] = (start, dest, waypoints = []) => {
      asked.push(waypoints.length)
      return straightLineMaps.getDirections(start, dest, waypoints)
    }
    const by = (stops: number) =>
      googleapis.getdirections.handle(
        { start: '1,2', dest: '3,4', waypoints: Array(stops).fill('2,3').join('|') },
        context({ getDirections: directions }),
      )
    await by(25)
    expect(await getErrorKey(by(26))).toBe('too_many_stops')
    expect(asked).toEqual([25])
  })
  it('search for places in the country of the settings', async () => {
    let asked: unknown
    const autocomplete: MapsPort['autocomplete'] = (text, options) => {
      asked = options
      return straightLineMaps.autocomplete(text)
    }
    const input = parseInput(googleapis.autocomplete.input, {
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
  it('return names in the language of the caller', async () => {
    const asked: unknown[] = []
    const maps: Partial<MapsPort> = {
      getAddress: (at, options) => {
        asked.push(options)
        return straightLineMaps.getAddress(at)
      },
      getDirections: (start, dest, waypoints, options) => {
        asked.push(options)
        return straightLineMaps.getDirections(start, dest, waypoints)
      },
    }
    const place = parseInput(googleapis.getaddress.input, { latlng: '1,2', language: 'pt_BR' })
    await googleapis.getaddress.handle(place, context(maps))
    const ends = { start: '1,2', dest: '3,4' }
    const route = parseInput(googleapis.getdirections.input, { ...ends, language: 'ar' })
    await googleapis.getdirections.handle(route, context(maps))
    await googleapis.getdirections.handle(ends, context(maps))
    expect(asked).toEqual([{ language: 'pt-BR' }, { language: 'ar' }, {}])
  })
  it.each(['Klingon!', '../es', 'e', 'en-'])(
    'refuse a language such as "%s" with bad_input',
    async (language) => {
      const parsing = async (endpoint: { input: GenericSchema }, rest: object) =>
        parseInput(endpoint.input, { ...rest, language })
      expect(await getErrorKey(parsing(googleapis.getaddress, { latlng: '1,2' }))).toBe('bad_input')
      const ends = { start: '1,2', dest: '3,4' }
      expect(await getErrorKey(parsing(googleapis.getdirections, ends))).toBe('bad_input')
    },
  )
  it('use one session token from the first letter to the chosen place', async () => {
    const asked: unknown[] = []
    const maps: Partial<MapsPort> = {
      autocomplete: (text, options) => {
        asked.push(options?.sessionToken)
        return straightLineMaps.autocomplete(text)
      },
      getCoords: (placeId, options) => {
        asked.push(options?.sessionToken)
        return straightLineMaps.getCoords(placeId)
      },
    }
    const sessionToken = 'b3c9-1'
    const search = parseInput(googleapis.autocomplete.input, { searchKeyword: 'Ram', sessionToken })
    await googleapis.autocomplete.handle(search, context(maps))
    await googleapis.getcoords.handle({ place_id: 'here', sessionToken }, context(maps))
    expect(asked).toEqual([sessionToken, sessionToken])
  })
  it('return the position of a place, or the default error text', async () => {
    const coords = await googleapis.getcoords.handle({ place_id: 'here' }, context())
    expect(coords).toEqual({ coords: { lat: -34.9, lng: -56.2 } })
    expect(await googleapis.getcoords.handle({ place_id: 'nowhere' }, context())).toEqual({
      error: 'fetchCoordsfromPlace Call Error',
    })
  })
  it('return a matrix with one row for each origin', async () => {
    const input = { start: '-34.9,-56.2|-34.8,-56.2', dest: '-34.9,-56.1' }
    const { data } = (await googleapis.getdistancematrix.handle(input, signedIn())) as {
      data: unknown[][]
    }
    expect(data.map((row) => row.length)).toEqual([1, 1])
  })
})

describe('the distance matrix, which map services bill per pair', () => {
  const pairs = (count: number) => ({ start: Array(count).fill('1,2').join('|'), dest: '3,4' })
  const call = (caller: { uid: string } | null, input: object) => ({
    input,
    caller,
    hasMapsBasicAuth: true,
    ip: '203.0.113.7',
    now: TEST_NOW,
  })

  it('refuses a visitor who has only the maps header that every page sends', async () => {
    const ports = createTestPorts()
    const asked = handleRequest(googleapis.getdistancematrix, call(null, pairs(1)), ports)
    expect(await getErrorKey(asked)).toBe('must_login')
    expect(
      await handleRequest(googleapis.getdistancematrix, call({ uid: 'rider' }, pairs(1)), ports),
    ).toMatchObject({ data: [[{ found: true }]] })
  })
  it('counts pairs instead of requests, separately for each caller', async () => {
    const own = signedIn()
    const asks = (count: number, uid = 'rider') =>
      googleapis.getdistancematrix.handle(pairs(count), { ...own, caller: { uid } })
    await asks(625)
    await asks(625)
    await expect(asks(1)).rejects.toMatchObject({
      error: { key: 'too_many_requests', field: 'dest', params: { limit: 1250 } },
    })
    expect(await asks(625, 'another')).toMatchObject({ data: expect.any(Array) as unknown })
  })
  it('refuses more than 50,000 pairs a day', async () => {
    const own = signedIn()
    const ask = (minute: number) =>
      googleapis.getdistancematrix.handle(pairs(625), {
        ...own,
        caller: { uid: 'rider' },
        now: TEST_NOW + minute * 60_000,
      })
    for (let call = 0; call < 80; call++) await ask(call * 2)
    await expect(ask(160)).rejects.toMatchObject({ error: { key: 'too_many_today' } })
  })
})

describe('failed maps requests', () => {
  it('return the service’s own error text, or the default one', async () => {
    const own = context({ getAddress: fails(new MapsError('quota', 'OVER_QUERY_LIMIT')) })
    expect(await googleapis.getaddress.handle({ latlng: '1,2' }, own)).toEqual({
      error: 'OVER_QUERY_LIMIT',
    })
    const silent = context({ getDirections: fails(new Error('socket hang up')) })
    const route = { start: '1,2', dest: '3,4' }
    expect(await googleapis.getdirections.handle(route, silent)).toEqual({
      error: 'getDirectionsApi Call Error',
    })
  })
  it('return No Route Found when no route exists', async () => {
    const nowhere = context({ getDirections: () => Promise.resolve(null) })
    expect(await googleapis.getdirections.handle({ start: '1,2', dest: '3,4' }, nowhere)).toEqual({
      error: 'No Route Found',
    })
  })
  it.each([
    ['a latitude out of range', () => googleapis.getaddress.handle({ latlng: '91,0' }, context())],
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
        return googleapis.getdistancematrix.handle({ start: many, dest: many }, signedIn())
      },
    ],
  ])('refuse %s with bad_input', async (_, call) => {
    expect(await getErrorKey(call())).toBe('bad_input')
  })
})
