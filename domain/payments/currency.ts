/** Amounts as payment providers want them: whole minor units of ISO 4217, and decimal text, never floats. */

const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** How many decimals a currency has (ISO 4217): 0, 2 or 3. It is not how many the settings show. */
export const exponentOf = (currency: string): number =>
  WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE.has(currency) ? 3 : 2

/** `minor` units as decimal text with `places` decimals: 1999 with 2 is 19.99. */
export const decimalText = (minor: number, places: number): string => {
  const digits = String(Math.abs(minor)).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return minor < 0 ? `-${text}` : text
}

/** Whole units of `places` decimals; null when the text is no such number or has more decimals than that. */
export const unitsOf = (amount: string | number, places: number): number | null => {
  const [, sign, whole = '', rest = ''] =
    /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount).trim()) ?? []
  if (whole === '') return null
  const fraction = rest.replace(/0+$/, '')
  if (fraction.length > places) return null
  const units = Number(whole + fraction.padEnd(places, '0'))
  if (!Number.isSafeInteger(units)) return null
  return sign && units !== 0 ? -units : units
}

/** The amount in the currency's minor units; null when it has more decimals than the currency. */
export const minorOf = (amount: string | number, currency: string): number | null =>
  unitsOf(amount, exponentOf(currency))

/** The amount that so many minor units of the currency are. */
export const amountOf = (minor: number, currency: string): number =>
  Number(decimalText(minor, exponentOf(currency)))

/** Units of one number of decimals in another; null when that loses something. */
export const rescaled = (units: number, from: number, to: number): number | null =>
  unitsOf(decimalText(units, from), to)
