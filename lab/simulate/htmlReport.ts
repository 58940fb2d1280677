import { getPercentile } from '../bench/measurement'
import { renderBarChart, renderLineChart, type BarRow, type LineSeries } from './charts'
import { escapeHtml } from '../htmlEscaping'
import type { SimulationReport } from './simulationRun'

/** Maximum number of points in a line; a long run uses longer steps. */
const MAX_POINTS = 240

const groupByTime = (report: SimulationReport) => {
  const { timeline } = report
  const size = Math.max(1, Math.ceil(timeline.length / MAX_POINTS))
  return Array.from({ length: Math.ceil(timeline.length / size) }, (_, i) => {
    const part = timeline.slice(i * size, (i + 1) * size)
    const ms = part.flatMap((second) => second.ms)
    return {
      at: i * size,
      calls: part.reduce((total, { calls }) => total + calls, 0) / part.length,
      p50: ms.length > 0 ? getPercentile(ms, 0.5) : 0,
      p95: ms.length > 0 ? getPercentile(ms, 0.95) : 0,
      underWay: part.at(-1)?.underWay ?? 0,
    }
  })
}

const renderCounts = (counts: Record<string, number>): BarRow[] =>
  Object.entries(counts).map(([label, value]) => ({ label, values: [value] }))

/** Renders a heading and its chart, or a note that there is nothing to show. */
export const renderSection = (title: string, chart: string) =>
  `<section><h2>${escapeHtml(title)}</h2>${chart || '<p>None.</p>'}</section>`

const renderSentences = (title: string, list: readonly string[]) =>
  list.length === 0
    ? ''
    : `<section class="bad"><h2>${escapeHtml(title)}</h2><ul>${list
        .map((one) => `<li>${escapeHtml(one)}</li>`)
        .join('')}</ul></section>`

const renderCallTable = ({ calls }: SimulationReport) =>
  `<table><thead><tr><th>call<th>count<th>p50 ms<th>p95 ms<th>p99 ms<th>most ms<th>refused<th>no answer</tr></thead><tbody>${calls
    .map(
      ({ name, count, p50, p95, p99, most, refused, unanswered }) =>
        `<tr><td>${escapeHtml(name)}${[count, p50, p95, p99, most, refused, unanswered]
          .map((value) => `<td>${Number.isFinite(value) ? Math.round(value) : '–'}`)
          .join('')}</tr>`,
    )
    .join('')}</tbody></table>`

/** The style of a report that is one self-contained page. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #66717f; --line: #d9dee5; --a: #1a66c2; --b: #e07a1f; --c: #2d8f5e; --bad: #b3261e; --page: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #9aa5b1; --line: #36404c; --a: #6fb1ff; --b: #ffb066; --c: #74d3a2; --bad: #ff8a80; --page: #12171d } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 2rem auto; padding: 0 1rem; max-width: 60rem }
h1 { margin: 0 } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem } .soft { color: var(--soft) } .bad { color: var(--bad) }
svg { width: 100%; height: auto; display: block } svg text { fill: var(--soft); font-size: 11px }
.ok { color: var(--c); font-weight: 600 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums } th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid var(--line) }
th:first-child, td:first-child { text-align: left } .scroll { overflow-x: auto }`

/** Renders the report as one self-contained page. */
export const renderHtmlReport = (report: SimulationReport): string => {
  const steps = groupByTime(report)
  const line = (name: string, color: string, of: (moment: (typeof steps)[number]) => number) =>
    ({
      name,
      color,
      points: steps.map((moment) => ({ x: moment.at, y: of(moment) })),
    }) satisfies LineSeries
  const { plan } = report
  const sound = report.violations.length + report.surprises.length === 0
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Kerbside simulated, ${new Date(report.startedAt).toISOString()}</title><style>${REPORT_STYLE}</style>
<h1>Kerbside, simulated</h1>
<p class="soft">${new Date(report.startedAt).toISOString()} · ${plan.riders} riders, ${plan.drivers} drivers · ${Math.round(report.seconds)} s · ${plan.pace}× life · seed ${plan.seed}${plan.faults ? ' · with faults' : ''}</p>
${sound ? '<p class="ok">The data is sound, and every acknowledged write exists.</p>' : ''}
${renderSentences('Unexpected events', report.surprises)}
${renderSentences('The data is not sound', report.violations)}
${renderSection('Bookings under way', renderLineChart([line('under way', 'var(--c)', ({ underWay }) => underWay)], ''))}
${renderSection('Calls a second', renderLineChart([line('calls', 'var(--a)', ({ calls }) => calls)], '/s'))}
${renderSection('How long an answer takes', renderLineChart([line('p95', 'var(--b)', ({ p95 }) => p95), line('p50', 'var(--a)', ({ p50 }) => p50)], ' ms'))}
${renderSection(
  'By call: p50, p95, p99',
  renderBarChart(
    report.calls
      .filter(({ p50 }) => Number.isFinite(p50))
      .map(({ name, p50, p95, p99 }) => ({ label: name, values: [p50, p95, p99] })),
    ' ms',
  ),
)}
<div class="scroll">${renderCallTable(report)}</div>
${renderSection('How bookings ended', renderBarChart(renderCounts(report.bookings)))}
${renderSection('What was refused, and why', renderBarChart(renderCounts(report.refusals)))}
${renderSection('What happened to people', renderBarChart(renderCounts(report.mishaps)))}
</html>
`
}
