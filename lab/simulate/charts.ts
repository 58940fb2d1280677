import { escapeHtml } from '../htmlEscaping'
import type { Seconds } from '~/domain/language/units'

export interface LineSeries {
  name: string
  color: string
  /** `x` in seconds. */
  points: { x: number; y: number }[]
}
export interface BarRow {
  label: string
  values: number[]
}

const WIDTH = 900
const HEIGHT = 200
const LEFT = 56
const BOTTOM = 24
const TOP = 18

/** Returns a round number that is at least the maximum, for a readable axis. */
const roundUp = (most: number): number => {
  if (!(most > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10) * power
}
const formatNumber = (value: number): string =>
  value >= 100 ? value.toFixed(0) : Number(value.toFixed(1)).toString()
const formatMinutes = (seconds: Seconds): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`

/** Renders lines over time as an SVG element. */
export const renderLineChart = (series: readonly LineSeries[], unit: string): string => {
  const points = series.flatMap((one) => one.points)
  const right = Math.max(1, ...points.map(({ x }) => x))
  const top = roundUp(Math.max(...points.map(({ y }) => y)))
  const px = (x: number) => LEFT + (x / right) * (WIDTH - LEFT - 8)
  const py = (y: number) => TOP + (1 - y / top) * (HEIGHT - TOP - BOTTOM)
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${py(top * share)}" y2="${py(top * share)}" stroke="var(--line)"/><text x="${LEFT - 6}" y="${py(top * share) + 4}" text-anchor="end">${formatNumber(top * share)}${escapeHtml(unit)}</text>`,
  )
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${px(right * share)}" y="${HEIGHT - 6}" text-anchor="${share === 1 ? 'end' : 'middle'}">${formatMinutes(right * share)}</text>`,
  )
  const drawn = series.map(
    ({ color, points: own }) =>
      `<polyline fill="none" stroke="${color}" stroke-width="1.8" points="${own
        .map(({ x, y }) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`)
        .join(' ')}"/>`,
  )
  const names = series.map(
    ({ name, color }, i) =>
      `<text x="${WIDTH - 12 - i * 70}" y="12" text-anchor="end" style="fill:${color}">${escapeHtml(name)}</text>`,
  )
  const label = series.map(({ name }) => name).join(', ')
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(label)} over time">${[...grid, ...ticks, ...drawn, ...names].join('')}</svg>`
}

const ROW = 22
const LABEL = 300
const COLORS = ['var(--a)', 'var(--b)', 'var(--c)']

/**
 * Renders bars with names and numbers; several values of one name overlap, the largest at the back.
 */
export const renderBarChart = (rows: readonly BarRow[], unit = ''): string => {
  if (rows.length === 0) return ''
  const most = Math.max(...rows.flatMap(({ values }) => values), 1)
  const px = (value: number) => Math.max(1, (value / most) * (WIDTH - LABEL - 150))
  const height = rows.length * ROW + 4
  const drawn = rows.map(({ label, values }, i) => {
    const y = i * ROW + 4
    const own = values
      .map((value, n) => ({ value, color: COLORS[n] ?? 'var(--a)' }))
      .reverse()
      .map(
        ({ value, color }) =>
          `<rect x="${LABEL}" y="${y}" width="${px(value).toFixed(1)}" height="14" rx="2" style="fill:${color}"/>`,
      )
    const end = LABEL + px(Math.max(...values)) + 8
    return `<text x="${LABEL - 8}" y="${y + 11}" text-anchor="end">${escapeHtml(label)}</text>${own.join('')}<text x="${end.toFixed(1)}" y="${y + 11}">${values.map(formatNumber).join(' · ')}${escapeHtml(unit)}</text>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Bars">${drawn.join('')}</svg>`
}
