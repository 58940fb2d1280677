import { findPolicy } from '~/domain/replay/policies'
import { runReplay } from '~/domain/replay/replayRun'
import type { ReplayScenario, TravelTimes } from '~/domain/replay/scenario'
import { formatTable } from '~/scripts/local/textTable'
import type { PlayedRequest } from './scriptedCity'

/** The measures of one policy in one world. */
export interface HourMeasures {
  /** Minutes, at the people's own pace, from the request until the driver is at the pickup. */
  meanWait: number
  served: number
  offersPerTrip: number
}

export interface PolicyAgreement {
  policy: string
  simulated: HourMeasures
  replayed: HourMeasures
}

/** Mean waits may differ by this share. */
const TOLERANCE = 0.1

/**
 * Returns the scenario with its requests moved closer together, because people are `pace` times
 * faster than the platform. Drivers stay on duty until the end.
 */
export const compressScenario = (scenario: ReplayScenario, pace: number): ReplayScenario => {
  const start = scenario.requests[0]?.at ?? 0
  const compress = (at: number) => Math.round(start + (at - start) / pace)
  return {
    ...scenario,
    requests: scenario.requests.map((request) => ({ ...request, at: compress(request.at) })),
    countFrom: compress(scenario.countFrom),
    countTo: compress(scenario.countTo),
  }
}

const measureHour = (
  requests: readonly (Pick<PlayedRequest, 'waitMs' | 'offers'> & { outcome: string })[],
  pace: number,
): HourMeasures => {
  const served = requests.filter(({ outcome }) => outcome === 'served')
  const sum = (pick: (one: (typeof served)[number]) => number) =>
    served.reduce((total, one) => total + pick(one), 0)
  return {
    meanWait: (sum(({ waitMs = 0 }) => waitMs) * pace) / 60_000 / served.length,
    served: served.length,
    offersPerTrip: sum(({ offers }) => offers) / served.length,
  }
}

export const measurePlayed = (played: readonly PlayedRequest[], pace: number): HourMeasures =>
  measureHour(played, pace)

/** Replays the same hour under a policy and measures it in the same way. */
export const measureReplayed = (
  scenario: ReplayScenario,
  {
    policy,
    travel,
    seed,
    pace,
  }: { policy: string; travel: TravelTimes; seed: number; pace: number },
): HourMeasures => {
  const { requests } = runReplay({ scenario, policy: findPolicy(policy), travel, seed, pace })
  return measureHour(
    requests.map(({ outcome, at, arrivedAt, offers }) => ({
      outcome,
      offers,
      ...(arrivedAt !== undefined && { waitMs: arrivedAt - at }),
    })),
    pace,
  )
}

/** Returns the policies from the shortest to the longest mean wait. */
const rank = (
  compared: readonly PolicyAgreement[],
  pick: (one: PolicyAgreement) => HourMeasures,
): string[] =>
  compared.toSorted((a, b) => pick(a).meanWait - pick(b).meanWait).map(({ policy }) => policy)

const getDifference = ({ simulated, replayed }: PolicyAgreement): number =>
  replayed.meanWait / simulated.meanWait - 1

/** Waits closer than this share are a tie, which has no order. */
const TIE = 0.02

/** Returns 0 for a tie, else the sign of the difference of the mean waits. */
const compareWaits = (a: HourMeasures, b: HourMeasures): number =>
  Math.abs(a.meanWait / b.meanWait - 1) < TIE ? 0 : Math.sign(a.meanWait - b.meanWait)

/** True when all mean waits agree and no two policies are ranked in opposite orders. */
export const isInAgreement = (compared: readonly PolicyAgreement[]): boolean =>
  compared.every((one) => Math.abs(getDifference(one)) <= TOLERANCE) &&
  compared.every((a) =>
    compared.every(
      (b) => compareWaits(a.simulated, b.simulated) * compareWaits(a.replayed, b.replayed) !== -1,
    ),
  )

/** Returns both worlds side by side. */
export const formatAgreement = (compared: readonly PolicyAgreement[]): string =>
  [
    formatTable([
      [
        '',
        'wait, simulated',
        'wait, replayed',
        'difference',
        'served, simulated',
        'served, replayed',
        'offers per trip',
        'replayed',
      ],
      ...compared.map((one) => [
        one.policy,
        `${one.simulated.meanWait.toFixed(2)} min`,
        `${one.replayed.meanWait.toFixed(2)} min`,
        `${(100 * getDifference(one)).toFixed(1)} %`,
        `${one.simulated.served}`,
        `${one.replayed.served}`,
        one.simulated.offersPerTrip.toFixed(2),
        one.replayed.offersPerTrip.toFixed(2),
      ]),
    ]),
    `Shortest wait first, simulated: ${rank(compared, ({ simulated }) => simulated).join(', ')}`,
    `Shortest wait first, replayed:  ${rank(compared, ({ replayed }) => replayed).join(', ')}`,
  ].join('\n')
