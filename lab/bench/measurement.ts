import { formatTable } from '~/scripts/local/textTable'

/** A measured value and its bound. */
export interface Measurement {
  name: string
  unit: string
  here: number
  /** The value on the peer; absent where the peer cannot do it or was not measured. */
  peer?: number
  /** Our result as a multiple of the peer's; above 1 is better. */
  ratio?: number
  /** The required bound as text; absent for values that are only reported. */
  bound?: string
  met?: boolean
}

const pickQuantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Returns the value below which a share (0–1) of the numbers lies. */
export const getPercentile = (numbers: readonly number[], share: number): number =>
  pickQuantile(
    numbers.toSorted((a, b) => a - b),
    share,
  )

export const getMedian = (numbers: readonly number[]): number => getPercentile(numbers, 0.5)

/** Returns the slope of the line that fits the points [x, y] best. */
export const getSlope = (points: readonly (readonly [number, number])[]): number => {
  const sum = (pick: (x: number, y: number) => number) =>
    points.reduce((total, [x, y]) => total + pick(x, y), 0)
  const meanX = sum((x) => x) / points.length
  const meanY = sum((_, y) => y) / points.length
  return sum((x, y) => (x - meanX) * (y - meanY)) / sum((x) => (x - meanX) ** 2)
}

/** Returns a measurement that may be at most `most`. */
export const boundAbove = (
  name: string,
  unit: string,
  here: number,
  most: number,
): Measurement => ({
  name,
  unit,
  here,
  bound: `≤ ${formatNumber(most)} ${unit}`,
  met: here <= most,
})

/** Returns a measurement that must be at least `least`. */
export const boundBelow = (
  name: string,
  unit: string,
  here: number,
  least: number,
): Measurement => ({
  name,
  unit,
  here,
  bound: `≥ ${formatNumber(least)} ${unit}`,
  met: here >= least,
})

/**
 * Returns a measurement with its ratio to the peer's, where more (`rate`) or less (`cost`) is
 * better.
 */
export const compareWithPeer = (
  kind: 'rate' | 'cost',
  name: string,
  unit: string,
  { here, peer }: { here: number; peer: number | undefined },
  times?: number,
): Measurement => {
  if (peer === undefined) {
    return { name, unit, here, ...(times !== undefined && { bound: `≥ ${times}× the peer` }) }
  }
  const ratio = kind === 'rate' ? here / peer : peer / here
  return {
    name,
    unit,
    here,
    peer,
    ratio,
    ...(times !== undefined && { bound: `≥ ${times}× the peer`, met: ratio >= times }),
  }
}

const formatNumber = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 })

const getVerdict = ({ bound, met }: Measurement): string => {
  if (bound === undefined) return ''
  if (met === undefined) return 'not measured'
  return met ? 'PASS' : 'MISS'
}

/** Returns a table with one line per measurement. */
export const formatMeasurements = (figures: readonly Measurement[]): string =>
  formatTable(
    [
      ['', 'here', 'peer', 'ratio', 'required', ''],
      ...figures.map((figure) => [
        figure.name,
        `${formatNumber(figure.here)} ${figure.unit}`,
        figure.peer === undefined ? '' : `${formatNumber(figure.peer)} ${figure.unit}`,
        figure.ratio === undefined ? '' : `${formatNumber(figure.ratio)}×`,
        figure.bound ?? '',
        getVerdict(figure),
      ]),
    ],
    (column) => column === 0 || column > 3,
  )
