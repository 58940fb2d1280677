import { fromMinorUnits, toMinorUnits } from '../money/money'
import { getFareStep, type StepSettings } from '../payments/fareStep'

/**
 * The amount in a currency that buys about as much transport as one euro does in a country of the
 * euro, by currency. Only the order of magnitude matters: the office checks every price.
 */
const MAGNITUDES: Readonly<Record<number, string>> = {
  0.2: 'BHD JOD KWD OMR',
  0.5: 'AZN BYN GEL PAB TND',
  1: 'BAM BGN BND EUR FJD FKP GBP GIP KYD LYD MYR PEN SGD SHP USD',
  2: 'AED ANG AUD AWG BBD BMD BOB BRL BSD BZD CAD CHF CNY ILS NZD PGK PLN QAR RON SAR TJS TMT TOP WST XCD XCG',
  5: 'GHS GTQ HKD MAD MOP SBD TTD',
  10: 'BWP DKK EGP ERN LSL MDL MVR MXN NAD SCR SZL THB ZAR ZMW',
  20: 'AFN BDT BTN CZK ETB HNL INR KGS MKD MRU MUR NIO NOK PHP RUB SEK SLE SRD STN TRY TWD UAH UYU ZWG',
  50: 'CVE DOP DZD GMD KES MZN NPR PKR',
  100: 'ALL AMD CUP HTG JMD KZT LKR LRD RSD VES VUV XPF',
  200: 'DJF GYD ISK JPY KMF NGN YER',
  500: 'AOA CLP CRC HUF KPW RWF SDG SOS XAF XOF',
  1000: 'ARS COP IQD KRW MMK MNT MWK SSP TZS',
  2000: 'BIF CDF KHR MGA PYG UGX UZS',
  5000: 'GNF IDR',
  10_000: 'LAK SYP VND',
  50_000: 'LBP',
  100_000: 'IRR',
}

const BY_CURRENCY = new Map(
  Object.entries(MAGNITUDES).flatMap(([magnitude, codes]) =>
    codes.split(' ').map((code) => [code, Number(magnitude)] as const),
  ),
)

/** Returns the magnitude of a currency; undefined for one that no country uses. */
export const findMagnitude = (currency: string): number | undefined => BY_CURRENCY.get(currency)

/** A price has at least this many steps, which keeps about two significant digits. */
const MIN_STEPS = 20

/** Returns the largest of 1, 2, 5, 10, 20 … that is at most `limit`, and at least 1. */
const getRoundStep = (limit: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, limit)))
  return power * ([5, 2].find((factor) => factor * power <= limit) ?? 1)
}

/**
 * Returns a price given in euros in the magnitude of the settings' currency, as a round number of
 * its smallest step. A price above zero stays above zero.
 */
export const scalePrice = (euros: number, settings: StepSettings): number => {
  if (euros === 0) return 0
  const { code, decimal } = settings
  const fareStep = toMinorUnits(getFareStep(settings), decimal)
  const steps = toMinorUnits(euros * (findMagnitude(code) ?? 1), decimal) / fareStep
  const roundStep = getRoundStep(steps / MIN_STEPS)
  return fromMinorUnits(Math.max(1, Math.round(steps / roundStep)) * roundStep * fareStep, decimal)
}
