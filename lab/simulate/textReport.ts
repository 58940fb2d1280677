import { getPercentile } from '../bench/measurement'
import { formatTable } from '~/scripts/local/textTable'
import type { RunRecorder } from './runRecorder'
import type { SimulationReport } from './simulationRun'
import type { Seconds } from '~/domain/language/units'

const RECENT_SECONDS = 10

const formatClock = (seconds: Seconds): string => {
  const whole = Math.floor(seconds)
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`
}
const sumCounts = (counts: Record<string, number>) =>
  Object.values(counts).reduce((a, b) => a + b, 0)

/** Returns the progress in one line. */
export const formatProgress = (observed: RunRecorder): string => {
  const bookings = observed.counted('bookings')
  const recent = observed.seconds().slice(-RECENT_SECONDS - 1, -1)
  const calls = recent.reduce((total, { calls }) => total + calls, 0) / Math.max(1, recent.length)
  const p95 = getPercentile(
    recent.flatMap(({ ms }) => ms),
    0.95,
  )
  return [
    formatClock(observed.elapsed()),
    `${bookings.begun ?? 0} booked, ${observed.underWay()} under way, ${bookings.complete ?? 0} complete`,
    `${calls.toFixed(0)} calls/s, p95 ${Number.isNaN(p95) ? '–' : p95.toFixed(0)} ms`,
    `${sumCounts(observed.counted('refusals'))} refused`,
    `${sumCounts(observed.counted('mishaps'))} mishaps`,
    ...(observed.surprises().length > 0 ? [`${observed.surprises().length} SURPRISES`] : []),
  ].join(' │ ')
}

const formatCounts = (title: string, counts: Record<string, number>): string =>
  `${title}\n${formatTable(Object.entries(counts).map(([what, n]) => [`  ${what}`, String(n)])) || '  none'}`

const MAX_SENTENCES = 50
const formatSentences = (title: string, list: readonly string[]): string[] =>
  list.length === 0
    ? []
    : [
        `${title}\n${list
          .slice(0, MAX_SENTENCES)
          .map((one) => `  ${one}`)
          .join('\n')}`,
        ...(list.length > MAX_SENTENCES ? [`  … and ${list.length - MAX_SENTENCES} more`] : []),
      ]

/** Returns the report as text for a terminal. */
export const formatReport = (report: SimulationReport): string => {
  const ms = (value: number) => (Number.isFinite(value) ? value.toFixed(0) : '–')
  const calls = [
    ['call', 'count', 'p50', 'p95', 'p99', 'most', 'refused', 'no answer'],
    ...report.calls.map((call) => [
      call.name,
      String(call.count),
      ...[call.p50, call.p95, call.p99, call.most].map(ms),
      String(call.refused),
      String(call.unanswered),
    ]),
  ]
  return [
    `${formatClock(report.seconds)} with seed ${report.plan.seed}`,
    formatTable(calls),
    formatCounts('Bookings', report.bookings),
    formatCounts('Refusals', report.refusals),
    formatCounts('Mishaps', report.mishaps),
    ...formatSentences('Unexpected events:', report.surprises),
    ...formatSentences('The data is not sound:', report.violations),
    ...(report.violations.length + report.surprises.length === 0
      ? ['The data is sound, and every acknowledged write exists.']
      : []),
  ].join('\n\n')
}
