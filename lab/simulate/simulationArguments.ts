import { parseArgs } from 'node:util'
import type { SimulationPlan } from '~/scripts/city/simulationPlan'

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
const parseWholeNumber = (...args: Parameters<typeof parseNumber>): number =>
  Math.round(parseNumber(...args))

interface SimulationArguments {
  plan: SimulationPlan
  /** Starts a separate city first, with its functions in a few processes. */
  shouldStart: boolean
  /** Folder for the observations; an interrupted run resumes from there. */
  record?: string
}

/** Reads the command line; throws a readable error for invalid options. */
export const parseArguments = (argv: string[]): SimulationArguments => {
  const { values } = parseArgs({
    args: argv,
    options: {
      riders: { type: 'string' },
      drivers: { type: 'string' },
      minutes: { type: 'string' },
      bookings: { type: 'string' },
      seed: { type: 'string' },
      pace: { type: 'string' },
      faults: { type: 'boolean', default: false },
      dispatch: { type: 'string', default: 'office' },
      record: { type: 'string' },
      forever: { type: 'boolean', default: false },
      start: { type: 'boolean', default: false },
    },
  })
  const { dispatch } = values
  if (dispatch !== 'office' && dispatch !== 'both')
    throw new Error(`--dispatch must be office or both, not "${dispatch}".`)
  const endless = values.forever || (values.minutes === undefined && values.bookings !== undefined)
  return {
    shouldStart: values.start,
    ...(values.record !== undefined && { record: values.record }),
    plan: {
      riders: parseWholeNumber('riders', values.riders, { least: 1, most: 900, usual: 20 }),
      drivers: parseWholeNumber('drivers', values.drivers, { least: 1, most: 900, usual: 12 }),
      minutes: endless
        ? Infinity
        : parseNumber('minutes', values.minutes, { least: 0.1, most: 10_000, usual: 2 }),
      bookings: parseWholeNumber('bookings', values.bookings, { least: 1, most: 1e7, usual: 1e7 }),
      seed: parseWholeNumber('seed', values.seed, { least: 0, most: 4_294_967_295, usual: 1 }),
      // A demo should be slow enough to watch; a load test should be heavy.
      pace: parseNumber('pace', values.pace, {
        least: 1,
        most: 100_000,
        usual: values.forever ? 8 : 60,
      }),
      faults: values.faults,
      faultyDatabase: values.faults,
      declines: true,
      dispatch,
    },
  }
}
