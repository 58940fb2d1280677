import { expect, it } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getDistanceKm } from '~/domain/geo/geo'
import { generateDemand } from '~/domain/replay/generatedDemand'
import { findPolicy, type DispatchPolicy } from '~/domain/replay/policies'
import { runReplay } from '~/domain/replay/replayRun'
import type { TravelTimes } from '~/domain/replay/scenario'
import { aSettings, aVehicleType, NOON } from '~/domain/testing/builders'
import { offerToNextDrivers } from '~/functions/src/services/dispatch/driverDispatch'
import type { MapsPort } from '~/functions/src/ports/mapsPort'
import { createTestDatabase } from '~/functions/src/testing/testDatabase'
import { straightLineMaps } from '~/functions/src/testing/testPorts'
import type { EventInputFor } from '~/domain/booking/eventInput'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const CENTER = { lat: -34.9, lng: -56.18 }
const travel: TravelTimes = (from, to) => {
  const km = getDistanceKm(from, to)
  return { km, seconds: Math.round(km * 120) }
}
const maps: MapsPort = {
  ...straightLineMaps,
  getDistanceMatrix: async (origins, destinations) =>
    origins.map((from) =>
      destinations.map((to) => {
        const { km, seconds } = travel(from, to)
        return { found: true, distance_in_km: km, time_in_secs: seconds, approximate: false }
      }),
    ),
}

/** Keeps the data of every seventh search, to repeat that search in the functions. */
const SAMPLED = 7

interface SampledSearch {
  id: string
  now: number
  data: Record<string, DatabaseValue>
  offered: EventInputFor<'dispatch'> | undefined
}

const sampleSearches = (policy: DispatchPolicy): SampledSearch[] => {
  const samples: SampledSearch[] = []
  let count = 0
  const sampled: DispatchPolicy = {
    ...policy,
    start: (context) => {
      let current: SampledSearch | undefined
      const run = policy.start({
        ...context,
        dispatch: (id, input) => {
          // An offer leads to searches for other bookings.
          if (current?.id === id) current.offered = input
          current = undefined
          return context.dispatch(id, input)
        },
      })
      return {
        ...run,
        search: (id) => {
          if (count++ % SAMPLED === 0) {
            const data = structuredClone(context.platform.tree)
            current = { id, now: context.getTime(), data, offered: undefined }
            samples.push(current)
          }
          const isOffered = run.search(id)
          current = undefined
          return isOffered
        },
      }
    },
  }
  const scenario = generateDemand({
    seed: 11,
    drivers: 12,
    load: 1.4,
    hours: 2,
    start: NOON,
    places: Array.from({ length: 50 }, (_, i) => ({
      lat: CENTER.lat + ((i % 7) - 3) / 50,
      lng: CENTER.lng + ((i % 11) - 5) / 50,
    })),
    center: CENTER,
    travel,
    settings: aSettings({ appcat: 'taxi', maxPickupMinutes: 12 }),
    vehicleType: aVehicleType(),
  })
  runReplay({ scenario, policy: sampled, travel, seed: 1 })
  return samples
}

/** Returns the offer that the functions make on the same data, if any. */
const searchInFunctions = async ({ id, now, data }: SampledSearch) => {
  const settings = data.settings as unknown as Settings
  const booking = (data.bookings as unknown as Record<string, Booking>)[id]
  if (!booking) throw new Error(`The sample has no booking ${id}.`)
  const offers: EventInputFor<'dispatch'>[] = []
  await offerToNextDrivers(
    {
      db: createTestDatabase(data),
      maps: async () => maps,
      change: async (other, input) => {
        if (other === id && input.event === 'dispatch') offers.push(input)
      },
    },
    booking,
    { settings, now },
  )
  return offers[0]
}

it.each(['nearest', 'broadcast', 'matched', 'matched:600', 'nearest+5', 'matched+5'])(
  'asks the same drivers with %s in a replay and in the functions',
  async (name) => {
    const samples = sampleSearches(findPolicy(name))
    const toDecision = (offer: EventInputFor<'dispatch'> | undefined) =>
      offer && {
        drivers: offer.drivers,
        etas: offer.drivers.map((uid) => offer.etas?.[uid]),
        cost: offer.decision?.cost,
        rank: offer.decision?.rank,
      }
    const replayed = samples.map(({ offered }) => toDecision(offered))
    const functions = await Promise.all(samples.map(searchInFunctions))
    expect(functions.map(toDecision)).toEqual(replayed)
    expect(replayed.filter(Boolean).length).toBeGreaterThan(5)
    expect(replayed.some((decision) => decision === undefined)).toBe(true)
  },
)
