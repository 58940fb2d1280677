import { parseArgs } from 'node:util'

/** What a run of the simulator is asked to do. */
export interface Plan {
  riders: number
  drivers: number
  /** New bookings are made for so long; Infinity: until they are enough, or somebody stops it. */
  minutes: number
  /** So many bookings are begun at most. */
  bookings: number
  /** The same seed makes the same people decide the same things; who comes first is up to the machine. */
  seed: number
  /** How many times faster than life: cars, thinking, waiting. */
  pace: number
  /** Kill function processes, cut people off for longer, set their clocks wrong. */
  faults: boolean
  /** … and kill the database, and leave it without room. */
  faultyDatabase: boolean
  /** Who asks drivers: the office by hand, or by turns the office and the platform itself. */
  dispatch: 'office' | 'both'
}

/** Long enough that what is rare, and what takes a minute of ours, does not make most of it. */
export const isLong = ({ bookings }: Plan): boolean => bookings >= 300

/** As few as still meet each other. */
export const SMALL: Plan = {
  riders: 4,
  drivers: 3,
  minutes: Infinity,
  bookings: 8,
  seed: 1,
  pace: 3000,
  faults: false,
  faultyDatabase: false,
  dispatch: 'office',
}

const number = (
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
const whole = (...asked: Parameters<typeof number>): number => Math.round(number(...asked))

interface Asked {
  plan: Plan
  /** Start a city of its own first, with its functions in few processes. */
  start: boolean
  /** The folder that keeps what is seen; a run that was cut short goes on there. */
  record?: string
}

/** Reads the command line; throws a sentence for a person when it can't. */
export const planFrom = (argv: string[]): Asked => {
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
    start: values.start,
    ...(values.record !== undefined && { record: values.record }),
    plan: {
      riders: whole('riders', values.riders, { least: 1, most: 900, usual: 20 }),
      drivers: whole('drivers', values.drivers, { least: 1, most: 900, usual: 12 }),
      minutes: endless
        ? Infinity
        : number('minutes', values.minutes, { least: 0.1, most: 10_000, usual: 2 }),
      bookings: whole('bookings', values.bookings, { least: 1, most: 1e7, usual: 1e7 }),
      seed: whole('seed', values.seed, { least: 0, most: 4_294_967_295, usual: 1 }),
      // A demo should be watchable, a load should be heavy.
      pace: number('pace', values.pace, {
        least: 1,
        most: 100_000,
        usual: values.forever ? 8 : 60,
      }),
      faults: values.faults,
      faultyDatabase: values.faults,
      dispatch,
    },
  }
}
