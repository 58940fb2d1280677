import { parseArgs } from 'node:util'
import { findParcelPolicy, type ParcelPolicy } from '../parcels/parcelPolicies'
import { findPolicy, type DispatchPolicy } from '~/domain/replay/policies'
import type { Hours, Minutes } from '~/domain/language/units'

/** The demand of a replay: of a database, a project or a backup, or generated. */
export type ReplayDemand =
  | { kind: 'history'; from: string; days: number; backup?: string; project?: string }
  | { kind: 'generated'; drivers: number; load: number; hours: Hours }

/** Generated parcels. */
export interface ParcelDemand {
  kind: 'parcels'
  parcelsPerHour: number
  couriers: number
  shops: number
  promiseMinutes: Minutes
  hours: Hours
}

export type ReplayArguments = { seeds: number[] } & (
  | { demand: ReplayDemand; policies: DispatchPolicy[] }
  | { demand: ParcelDemand; policies: ParcelPolicy[] }
)

const parseNumber = (
  name: string,
  text: string | undefined,
  { least, most, usual }: { least: number; most: number; usual: number },
): number => {
  if (text === undefined) return usual
  const value = Number(text)
  if (!(value >= least && value <= most))
    throw new Error(`--${name} must be a number from ${least} to ${most}, not "${text}".`)
  return value
}

const parseDay = (text: string): string => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay) throw new Error(`--from must be a day such as 2026-10-01, not "${text}".`)
  return text
}

const parsePolicies = <Policy>(text: string, find: (name: string) => Policy): Policy[] => {
  const names = text.split(',').map((name) => name.trim())
  if (new Set(names).size < names.length)
    throw new Error(`--policy has a policy twice: "${text}". Name each one once.`)
  return names.map(find)
}

type ParcelOption = 'parcels' | 'couriers' | 'shops' | 'promise' | 'hours'

/** Reads the demand of parcels; undefined without the option that asks for them. */
const parseParcels = (values: Partial<Record<ParcelOption, string>>): ParcelDemand | undefined => {
  if (values.parcels === undefined) {
    if ((values.couriers ?? values.shops ?? values.promise) !== undefined)
      throw new Error('--couriers, --shops and --promise need --parcels, such as --parcels 40.')
    return undefined
  }
  const parseWhole = (name: ParcelOption, least: number, most: number, usual: number) =>
    Math.round(parseNumber(name, values[name], { least, most, usual }))
  return {
    kind: 'parcels',
    parcelsPerHour: parseWhole('parcels', 1, 1000, 40),
    couriers: parseWhole('couriers', 1, 300, 16),
    shops: parseWhole('shops', 0, 100, 8),
    promiseMinutes: parseWhole('promise', 15, 1440, 90),
    hours: parseWhole('hours', 2, 24, 6),
  }
}

const OPTIONS = {
  from: { type: 'string' },
  days: { type: 'string' },
  backup: { type: 'string' },
  project: { type: 'string' },
  policy: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  drivers: { type: 'string' },
  load: { type: 'string' },
  hours: { type: 'string' },
  parcels: { type: 'string' },
  couriers: { type: 'string' },
  shops: { type: 'string' },
  promise: { type: 'string' },
} as const

/** Reads the command line; throws a readable error for invalid options. */
export const parseReplayArguments = (argv: string[]): ReplayArguments => {
  const { values } = parseArgs({ args: argv, options: OPTIONS })
  const { from, backup, project } = values
  if (from === undefined && (backup ?? project ?? values.days) !== undefined)
    throw new Error('A replay of recorded bookings needs --from, such as --from 2026-10-01.')
  if (backup !== undefined && project !== undefined)
    throw new Error('--backup and --project name two sources. Leave one of them out.')
  if (from !== undefined && (values.drivers ?? values.load ?? values.hours) !== undefined)
    throw new Error('--drivers, --load and --hours are for generated demand. Leave out --from.')
  const first = Math.round(
    parseNumber('seed', values.seed, { least: 0, most: 4_000_000_000, usual: 1 }),
  )
  const count = Math.round(parseNumber('seeds', values.seeds, { least: 1, most: 100, usual: 5 }))
  const seeds = Array.from({ length: count }, (_, i) => first + i)
  const parcels = parseParcels(values)
  if (parcels) {
    if ((from ?? values.drivers ?? values.load) !== undefined)
      throw new Error('--parcels is for generated parcels. Leave out --from, --drivers and --load.')
    const policies = parsePolicies(values.policy ?? 'nearest,tours', findParcelPolicy)
    return { seeds, demand: parcels, policies }
  }
  return {
    policies: parsePolicies(values.policy ?? 'nearest,matched', findPolicy),
    seeds,
    demand:
      from === undefined
        ? {
            kind: 'generated',
            drivers: Math.round(
              parseNumber('drivers', values.drivers, { least: 1, most: 1000, usual: 100 }),
            ),
            load: parseNumber('load', values.load, { least: 0.05, most: 2, usual: 0.85 }),
            hours: parseNumber('hours', values.hours, { least: 2, most: 24, usual: 7 }),
          }
        : {
            kind: 'history',
            from: parseDay(from),
            days: Math.round(parseNumber('days', values.days, { least: 1, most: 92, usual: 1 })),
            ...(backup !== undefined && { backup }),
            ...(project !== undefined && { project }),
          },
  }
}
