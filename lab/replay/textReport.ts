import type { ComparedMeasure, PolicyComparison } from '~/domain/replay/comparison'
import type { ParcelMeasureName } from '../parcels/parcelReplay'
import type { MeasureName } from '~/domain/replay/replayMeasures'
import { formatTable } from '~/scripts/local/textTable'

export interface ShownMeasure<Name extends string = MeasureName> {
  name: Name
  title: string
  unit: string
  digits: number
}

/** The measures of a report, in order. */
export const SHOWN_MEASURES: readonly ShownMeasure[] = [
  { name: 'servedPercent', title: 'served', unit: '%', digits: 1 },
  { name: 'lost', title: 'lost', unit: '', digits: 1 },
  { name: 'meanWait', title: 'mean wait', unit: 'min', digits: 2 },
  { name: 'wait90', title: '90 % wait', unit: 'min', digits: 1 },
  { name: 'emptyKm', title: 'empty per trip', unit: 'km', digits: 2 },
  { name: 'incomePerHour', title: 'income per hour', unit: '', digits: 1 },
  { name: 'gini', title: 'Gini', unit: '', digits: 3 },
  { name: 'worstToMedian', title: 'lowest ÷ median', unit: '', digits: 2 },
  { name: 'takings', title: 'takings', unit: '', digits: 0 },
  { name: 'offersPerTrip', title: 'offers per trip', unit: '', digits: 2 },
]

/** The measures of a report about parcels, in order. */
export const SHOWN_PARCEL_MEASURES: readonly ShownMeasure<ParcelMeasureName>[] = [
  { name: 'parcels', title: 'parcels', unit: '', digits: 1 },
  { name: 'onTimePercent', title: 'on time', unit: '%', digits: 1 },
  { name: 'kmPerParcel', title: 'per parcel', unit: 'km', digits: 2 },
  { name: 'meanMinutes', title: 'mean delivery', unit: 'min', digits: 1 },
  { name: 'minutes90', title: '90 % delivery', unit: 'min', digits: 1 },
  { name: 'expectedError', title: 'error of the first expected time', unit: 'min', digits: 1 },
  { name: 'mostOnBoard', title: 'most on board', unit: '', digits: 1 },
]

type Digits = Pick<ShownMeasure, 'digits'>

const formatNumber = (value: number, digits: number): string =>
  Number.isFinite(value) ? value.toFixed(digits) : '–'

const formatError = (error: number, digits: number): string =>
  Number.isFinite(error) ? ` ± ${formatNumber(error, digits)}` : ''

/** Returns a mean with its standard error. */
export const formatValue = ({ value }: ComparedMeasure, { digits }: Digits): string =>
  `${formatNumber(value.mean, digits)}${formatError(value.error, digits)}`

/** Returns a paired difference with its sign and standard error; an empty text for the base. */
export const formatDifference = ({ difference }: ComparedMeasure, { digits }: Digits): string => {
  if (!difference) return ''
  const sign = difference.mean > 0 ? '+' : ''
  return `${sign}${formatNumber(difference.mean, digits)}${formatError(difference.error, digits)}`
}

/** Returns the policies as a table: a line for each measure, with the paired differences. */
export const formatMeasures = <Name extends string>(
  compared: readonly PolicyComparison<Name>[],
  measures: readonly ShownMeasure<Name>[],
): string =>
  formatTable([
    ['', ...compared.flatMap(({ policy }, i) => (i === 0 ? [policy] : [policy, 'difference']))],
    ...measures.map((shownMeasure) => [
      `${shownMeasure.title}${shownMeasure.unit && `, ${shownMeasure.unit}`}`,
      ...compared.flatMap((one, i) => {
        const measure = one.measures[shownMeasure.name]
        const value = formatValue(measure, shownMeasure)
        return i === 0 ? [value] : [value, formatDifference(measure, shownMeasure)]
      }),
    ]),
  ])

export const formatComparison = (compared: readonly PolicyComparison[]): string =>
  formatMeasures(compared, SHOWN_MEASURES)
