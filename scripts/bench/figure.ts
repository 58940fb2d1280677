import { table } from '../table'

/** One measured thing beside what it has to be. */
export interface Figure {
  name: string
  unit: string
  here: number
  /** The same on the peer; absent where it can't do it, or was not measured. */
  peer?: number
  /** How many times better than the peer. */
  ratio?: number
  /** What was asked for, in words; absent for what is only told. */
  bound?: string
  met?: boolean
}

const middle = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** The value below which a share (0–1) of the numbers lies. */
export const percentile = (numbers: readonly number[], share: number): number =>
  middle(
    numbers.toSorted((a, b) => a - b),
    share,
  )

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5)

/** At most as much as asked for. */
export const atMost = (name: string, unit: string, here: number, most: number): Figure => ({
  name,
  unit,
  here,
  bound: `≤ ${told(most)} ${unit}`,
  met: here <= most,
})

/** At least as much as asked for. */
export const atLeast = (name: string, unit: string, here: number, least: number): Figure => ({
  name,
  unit,
  here,
  bound: `≥ ${told(least)} ${unit}`,
  met: here >= least,
})

/** So many times the peer's, where more is better (`rate`) or less is (`cost`). */
export const against = (
  kind: 'rate' | 'cost',
  name: string,
  unit: string,
  { here, peer }: { here: number; peer: number | undefined },
  times?: number,
): Figure => {
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

const told = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 })

const verdict = ({ bound, met }: Figure): string => {
  if (bound === undefined) return ''
  if (met === undefined) return 'not measured'
  return met ? 'PASS' : 'MISS'
}

/** A table with one line a figure. */
export const tableOf = (figures: readonly Figure[]): string =>
  table(
    [
      ['', 'here', 'peer', 'ratio', 'required', ''],
      ...figures.map((figure) => [
        figure.name,
        `${told(figure.here)} ${figure.unit}`,
        figure.peer === undefined ? '' : `${told(figure.peer)} ${figure.unit}`,
        figure.ratio === undefined ? '' : `${told(figure.ratio)}×`,
        figure.bound ?? '',
        verdict(figure),
      ]),
    ],
    (column) => column === 0 || column > 3,
  )
