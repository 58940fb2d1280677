import type { PolicyComparison } from '~/domain/replay/comparison'
import type { ParcelComparison } from '../parcels/parcelComparison'
import type { ParcelMeasureName } from '../parcels/parcelReplay'
import type { MeasureName } from '~/domain/replay/replayMeasures'
import { escapeHtml } from '../htmlEscaping'
import { renderBarChart } from '../simulate/charts'
import { renderSection, REPORT_STYLE } from '../simulate/htmlReport'
import {
  formatDifference,
  formatValue,
  SHOWN_MEASURES,
  SHOWN_PARCEL_MEASURES,
  type ShownMeasure,
} from './textReport'

/** The charts, with the factor that makes their numbers readable with one decimal. */
type Chart<Name> = readonly [name: Name, title: string, unit: string, factor: number]
const CHARTS: readonly Chart<MeasureName>[] = [
  ['meanWait', 'Mean wait', ' min', 1],
  ['wait90', 'Wait that nine of ten riders do not exceed', ' min', 1],
  ['servedPercent', 'Requests served', ' %', 1],
  ['emptyKm', 'Kilometers to the pickup for each trip', ' km', 1],
  ['incomePerHour', 'Drivers’ income per hour on duty', '', 1],
  ['gini', 'Inequality of that income (Gini, 100 is the most)', '', 100],
]

const PARCEL_CHARTS: readonly Chart<ParcelMeasureName>[] = [
  ['kmPerParcel', 'Kilometers for each parcel', ' km', 1],
  ['onTimePercent', 'Parcels delivered by the promised time', ' %', 1],
  ['meanMinutes', 'Mean time from the request to the delivery', ' min', 1],
]

const renderTable = <Name extends string>(
  compared: readonly PolicyComparison<Name>[],
  shownMeasures: readonly ShownMeasure<Name>[],
): string => {
  const head = compared
    .map(({ policy }, i) => `<th>${escapeHtml(policy)}${i === 0 ? '' : '<th>difference'}`)
    .join('')
  const rows = shownMeasures.map((shownMeasure) => {
    const cells = compared
      .map(({ measures }, i) => {
        const measure = measures[shownMeasure.name]
        const difference = i === 0 ? '' : `<td>${formatDifference(measure, shownMeasure)}`
        return `<td>${formatValue(measure, shownMeasure)}${difference}`
      })
      .join('')
    return `<tr><td>${escapeHtml(shownMeasure.title)}${shownMeasure.unit && `, ${shownMeasure.unit}`}${cells}</tr>`
  })
  return `<table><thead><tr><th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/**
 * Renders the comparison as one self-contained page. It has no date of its own, so the same
 * comparison gives the same page.
 */
const renderReport = <Name extends string>(
  description: string,
  compared: readonly PolicyComparison<Name>[],
  shownMeasures: readonly ShownMeasure<Name>[],
  shownCharts: readonly Chart<Name>[],
): string => {
  const charts = shownCharts.map(([name, title, unit, factor]) =>
    renderSection(
      title,
      renderBarChart(
        compared.map(({ policy, measures }) => ({
          label: policy,
          values: [measures[name].value.mean * factor],
        })),
        unit,
      ),
    ),
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Kerbside replay</title><style>${REPORT_STYLE}</style>
<h1>Replay of dispatch policies</h1>
<p class="soft">${escapeHtml(description)}</p>
<p class="soft">± is the standard error over the seeds. Differences are paired with ${escapeHtml(compared[0]?.policy ?? '')}: both policies had the same demand. Trust a difference of more than two standard errors.</p>
<div class="scroll">${renderTable(compared, shownMeasures)}</div>
${charts.join('\n')}
</html>
`
}

/** Renders a comparison of dispatch policies for bookings. */
export const renderReplayReport = (
  description: string,
  compared: readonly PolicyComparison[],
): string => renderReport(description, compared, SHOWN_MEASURES, CHARTS)

/** Renders a comparison of policies for parcels. */
export const renderParcelReport = (
  description: string,
  compared: readonly ParcelComparison[],
): string => renderReport(description, compared, SHOWN_PARCEL_MEASURES, PARCEL_CHARTS)
