import { fromMinorUnits, MAX_DECIMALS, toMinorUnits, toUnits } from '../money/money'
import { getDecimals } from './currencyUnits'
import type { Settings } from '../catalog/types'

/** The settings that decide the smallest step between two fares. */
export type StepSettings = Pick<Settings, 'code' | 'decimal' | 'fareStep' | 'providerStep'>

/**
 * Steps of cash that are larger than the minor unit of ISO 4217, by currency (CLDR 45,
 * `cashRounding`, `cashDigits` and `digits`). A rider cannot hand over 13.03 CHF or 10.50 HUF.
 */
const CASH_STEPS: ReadonlyMap<string, number> = new Map([
  ...['CAD', 'CHF'].map((code) => [code, 0.05] as const),
  ['DKK', 0.5],
  ...(
    'AFN ALL AMD COP CRC CZK GYD HUF IDR IQD IRR KPW LAK LBP MGA MMK MNT MUR NOK PKR RSD SEK ' +
    'SLL SOS SYP TWD TZS UZS YER'
  )
    .split(' ')
    .map((code) => [code, 1] as const),
])

/** Returns the step of cash in a currency: the default step of fares. */
const getCashStep = (code: string): number =>
  CASH_STEPS.get(code) ?? fromMinorUnits(1, getDecimals(code))

const findGreatestDivisor = (a: number, b: number): number =>
  b === 0 ? a : findGreatestDivisor(b, a % b)

/** Returns the smallest step that is a multiple of all steps; those of zero do not count. */
export const combineSteps = (steps: readonly number[]): number =>
  fromMinorUnits(
    steps
      .map((step) => toMinorUnits(step, MAX_DECIMALS))
      .filter((units) => units > 0)
      .reduce((a, b) => (a / findGreatestDivisor(a, b)) * b, 1),
    MAX_DECIMALS,
  )

/** Returns true when the amount is a multiple of the step. */
export const isMultipleOf = (amount: number, increment: number): boolean =>
  toMinorUnits(amount, MAX_DECIMALS) % toMinorUnits(increment, MAX_DECIMALS) === 0

/**
 * Returns the smallest step that fares may have: one that the currency, the decimals of the
 * settings and every provider that is switched on can represent.
 */
export const getSmallestFareStep = ({
  code,
  decimal,
  providerStep = 0,
}: Omit<StepSettings, 'fareStep'>): number =>
  combineSteps([fromMinorUnits(1, decimal), fromMinorUnits(1, getDecimals(code)), providerStep])

/**
 * Returns the step of fares: the one of the settings, or the step of cash in the currency, raised
 * to what the switched-on providers can charge. The app and the server read the same settings, so
 * an estimate has the step of the final fare.
 */
export const getFareStep = (settings: StepSettings): number =>
  combineSteps([getSmallestFareStep(settings), settings.fareStep ?? getCashStep(settings.code)])

/** Rounds an amount to the step of fares, half away from zero. */
export const roundToFareStep = (amount: number, settings: StepSettings): number => {
  const fareStep = toMinorUnits(getFareStep(settings), settings.decimal)
  return fromMinorUnits(toUnits(amount, settings.decimal, fareStep) * fareStep, settings.decimal)
}

/** Rounds an amount down to the step of fares, toward zero. */
export const floorToFareStep = (amount: number, settings: StepSettings): number => {
  const fareStep = toMinorUnits(getFareStep(settings), settings.decimal)
  const units = Math.trunc(toMinorUnits(amount, settings.decimal) / fareStep)
  return fromMinorUnits(units * fareStep, settings.decimal)
}

/**
 * Returns the largest part of the amount due that the balance can pay such that a card or cash can
 * pay the rest: the rest is on the step of fares.
 */
export const getWalletPart = (due: number, balance: number, settings: StepSettings): number => {
  const { decimal } = settings
  const whole = toMinorUnits(due, decimal)
  // A balance finer than the currency must not be rounded up to money that is not there.
  const available = Math.floor(
    toMinorUnits(Math.max(0, balance), MAX_DECIMALS) / 10 ** (MAX_DECIMALS - decimal),
  )
  if (available >= whole) return due
  const fareStep = toMinorUnits(getFareStep(settings), decimal)
  const rest = Math.ceil((whole - available) / fareStep) * fareStep
  return fromMinorUnits(Math.max(0, whole - rest), decimal)
}
