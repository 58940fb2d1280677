import { formatTable } from '../local/textTable'
import type { Failure, SlowTest } from './vitestReport'
import type { Seconds } from '~/domain/language/units'

/** How a step ended. Times are in seconds. */
export interface StepResult {
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  seconds: Seconds
  budgetSeconds: Seconds
  passed: number
  failures: Failure[]
  slowest: SlowTest[]
  /** The failed steps that it needs, when it was skipped. */
  missing?: readonly string[]
}

const SLOWEST_COUNT = 10
/** Shorter tests are not slow. */
const SLOW_MS = 1000

const indent = (text: string) =>
  text
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n')

const formatFailure = ({ name, message, command, evidence }: Failure, index: number) =>
  [
    `${index + 1}. ${name}`,
    ...(message ? [indent(message)] : []),
    ...(evidence === undefined ? [] : [`   Screenshots, elements, console and trace: ${evidence}`]),
    `   Run it alone: ${command}`,
  ].join('\n')

const describeStep = ({ outcome, missing, seconds, budgetSeconds }: StepResult): string => {
  if (outcome === 'skipped') return `skipped, because it needs: ${(missing ?? []).join(', ')}`
  const warning = seconds > budgetSeconds ? `, over its budget of ${budgetSeconds} s` : ''
  return `${outcome}${warning}`
}

/** Counts the passed tests and checks of all steps, and the failed ones. */
export const countResults = (results: readonly StepResult[]) => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  // A skipped step has run nothing, so the run as a whole has not passed.
  failed: results.reduce(
    (sum, { failures, outcome }) => sum + (outcome === 'skipped' ? 1 : failures.length),
    0,
  ),
})

/**
 * Returns the end of a run's output: the failures with their messages and commands, the slowest
 * tests, the time of each step, and `N passed, N failed` on the last line.
 */
export function formatSummary(results: readonly StepResult[], totalSeconds: Seconds): string {
  const failures = results.flatMap((result) => result.failures)
  const slowest = results
    .flatMap((result) => result.slowest)
    .filter(({ milliseconds }) => milliseconds >= SLOW_MS)
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, SLOWEST_COUNT)
    .map(({ name, milliseconds }) => [`${(milliseconds / 1000).toFixed(1)} s`, name])
  const steps = results.map((result) => [
    `${Math.round(result.seconds)} s`,
    result.name,
    describeStep(result),
  ])
  const { passed, failed } = countResults(results)
  return [
    ...(failures.length > 0 ? [`Failed:\n\n${failures.map(formatFailure).join('\n\n')}`] : []),
    ...(slowest.length > 0
      ? [`Slowest tests:\n${formatTable(slowest, (column) => column > 0)}`]
      : []),
    `Steps:\n${formatTable(steps, (column) => column > 0)}\n${Math.round(totalSeconds)} s in total`,
    `${passed} passed, ${failed} failed`,
  ].join('\n\n')
}
