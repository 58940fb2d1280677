import { percentile } from '../bench/figure'
import { table } from '../table'
import type { Observed } from './observed'
import type { Report } from './run'

const RECENT_SECONDS = 10

const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`
}
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)

/** How it goes, in one line. */
export const lineOf = (observed: Observed): string => {
  const bookings = observed.counted('bookings')
  const recent = observed.seconds().slice(-RECENT_SECONDS - 1, -1)
  const calls = recent.reduce((total, { calls }) => total + calls, 0) / Math.max(1, recent.length)
  const p95 = percentile(
    recent.flatMap(({ ms }) => ms),
    0.95,
  )
  return [
    clock(observed.elapsed()),
    `${bookings.begun ?? 0} booked, ${observed.underWay()} under way, ${bookings.complete ?? 0} complete`,
    `${calls.toFixed(0)} calls/s, p95 ${Number.isNaN(p95) ? '–' : p95.toFixed(0)} ms`,
    `${sum(observed.counted('refusals'))} refused`,
    `${sum(observed.counted('mishaps'))} mishaps`,
    ...(observed.surprises().length > 0 ? [`${observed.surprises().length} SURPRISES`] : []),
  ].join(' │ ')
}

const counted = (title: string, counts: Record<string, number>): string =>
  `${title}\n${table(Object.entries(counts).map(([what, n]) => [`  ${what}`, String(n)])) || '  none'}`

const MOST_SENTENCES = 50
const sentences = (title: string, list: readonly string[]): string[] =>
  list.length === 0
    ? []
    : [
        `${title}\n${list
          .slice(0, MOST_SENTENCES)
          .map((one) => `  ${one}`)
          .join('\n')}`,
        ...(list.length > MOST_SENTENCES ? [`  … and ${list.length - MOST_SENTENCES} more`] : []),
      ]

/** What was seen, for a terminal. */
export const textOf = (report: Report): string => {
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
    `${clock(report.seconds)} with seed ${report.plan.seed}`,
    table(calls),
    counted('Bookings', report.bookings),
    counted('Refusals', report.refusals),
    counted('Mishaps', report.mishaps),
    ...sentences('Must not happen, and did:', report.surprises),
    ...sentences('The data is not sound:', report.violations),
    ...(report.violations.length + report.surprises.length === 0
      ? ['The data is sound, and everything that was acknowledged is there.']
      : []),
  ].join('\n\n')
}
