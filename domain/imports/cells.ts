import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { getDateFormat } from '../language/intlFormats'
import { parseLocaleNumber, toLatinDigits } from '../language/localeNumber'
import { isDay, toInstant } from '../language/zonedTime'
import { DAY_MS, MINUTE_MS } from '../language/timeUnits'
import type { FeeType, VehicleType } from '../catalog/types'
import type { Hours } from '../language/units'

/** A cell of a CSV or XLSX file. A spreadsheet's date is a `Date` whose UTC parts are its text. */
export type Cell = string | number | boolean | Date | null

/** The platform's data by which cells are read. */
export interface CellContext {
  /** ISO 3166-1 alpha-2; the country of phone numbers without a calling code. */
  country: string
  timezone: string
  /** The locale in which people write dates and numbers, BCP 47. */
  locale: string
  /** The names of the types of fees, in the languages that the office may use. */
  feeTypes: Readonly<Record<FeeType, readonly string[]>>
  vehicleTypes: readonly Pick<VehicleType, 'id' | 'name' | 'names' | 'parcelTypes' | 'options'>[]
}

/** Marks that spreadsheets and messengers add to text and that people cannot see. */
const INVISIBLE = /[\uFEFF\u200B-\u200F\u202A-\u202E\u2060-\u2069]/g
/** An apostrophe that makes a spreadsheet take a cell as text; our exports add it. */
const TEXT_MARK = /^'(?=[=@+\-＝＠＋－\d])/

const pad = (number: number, length = 2): string => String(number).padStart(length, '0')

/**
 * Returns the day and the time that a spreadsheet's date shows, such as 2026-12-24 18:30. A
 * spreadsheet stores a time as a fraction of a day, which can be less than the minute it shows.
 */
const writeDate = (date: Date): string => {
  const roundedDate = new Date(Math.round(date.getTime() / MINUTE_MS) * MINUTE_MS)
  return Number.isNaN(roundedDate.getTime())
    ? ''
    : roundedDate.toISOString().slice(0, 16).replace('T', ' ')
}

/** Returns the text of a cell without invisible marks and outer spaces; empty for an empty cell. */
export const readText = (cell: Cell): string => {
  if (cell === null) return ''
  if (cell instanceof Date) return writeDate(cell)
  return String(cell).replace(INVISIBLE, '').replaceAll('\u00A0', ' ').trim().replace(TEXT_MARK, '')
}

const PHONE_CHARACTERS = /^[+\d\s().\-/]+$/

/**
 * Returns a phone number in E.164 format; null when it is not one. A spreadsheet that read it as a
 * number has removed its plus sign and leading zeros.
 */
export const readPhone = (cell: Cell, { country }: Pick<CellContext, 'country'>): string | null => {
  const text = toLatinDigits(readText(cell)).replace(/^00/, '+')
  if (!PHONE_CHARACTERS.test(text)) return null
  const home: CountryCode | undefined = isSupportedCountry(country) ? country : undefined
  const parsed = [
    parsePhoneNumberFromString(text, home),
    parsePhoneNumberFromString(`+${text.replace(/^\+/, '')}`),
  ]
  return parsed.find((phone) => phone?.isPossible())?.number ?? null
}

/** Returns a number; null for an empty cell, and the text when it is not a number. */
export const readNumber = (
  cell: Cell,
  { locale }: Pick<CellContext, 'locale'>,
): number | string | null =>
  typeof cell === 'number' ? cell : parseLocaleNumber(readText(cell), locale)

/** Day 0 of a spreadsheet's calendar, which counts a 29 February 1900 that never was. */
const SERIAL_EPOCH = Date.UTC(1899, 11, 30)
/** Serial numbers of the years 2000 to 2100; other numbers are not dates. */
const SERIAL_RANGE = { min: 36_526, max: 73_051 }

/** Returns true when people of a locale write the month before the day. */
const isMonthFirst = (locale: string): boolean => {
  const parts = getDateFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(0)
    .map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day') && parts[0] !== 'year'
}

const TIME = String.raw`(?:[T\s,]+(\d{1,2})[:.](\d{2})(?:[:.]\d{2}(?:\.\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?)`
const ISO = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}$`, 'i')
const LOCAL = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})${TIME}$`, 'i')
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

const toHours = (hours: string, half: string | undefined): Hours => {
  if (!half) return Number(hours)
  if (Number(hours) < 1 || Number(hours) > 12) return Number.NaN
  return (Number(hours) % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
}

/** Returns the year, month, day and time of a written date, or nothing. */
const splitDate = (text: string, locale: string): string[] | undefined => {
  const iso = ISO.exec(text)?.slice(1)
  if (iso) return iso
  const [a = '', b = '', year = '', ...time] = LOCAL.exec(text)?.slice(1) ?? []
  if (!year) return undefined
  return isMonthFirst(locale) ? [year, a, b, ...time] : [year, b, a, ...time]
}

/**
 * Returns the instant (ms) of a date with a time, written as 2026-12-24 18:30, in the order of the
 * locale, with a time zone, or as a spreadsheet's date. Times without a zone are those of the
 * company. Null when it is not a date with a time.
 */
export const readTime = (
  cell: Cell,
  { timezone, locale }: Pick<CellContext, 'timezone' | 'locale'>,
): number | null => {
  const isSerial = typeof cell === 'number' && cell >= SERIAL_RANGE.min && cell <= SERIAL_RANGE.max
  const text = isSerial
    ? writeDate(new Date(SERIAL_EPOCH + cell * DAY_MS))
    : toLatinDigits(readText(cell))
  if (WITH_ZONE.test(text)) return Number.isNaN(Date.parse(text)) ? null : Date.parse(text)
  const [year = '', month = '', date = '', hours = '', minutes = '', half] =
    splitDate(text, locale) ?? []
  const day = `${year}-${pad(Number(month))}-${pad(Number(date))}`
  const hour = toHours(hours, half)
  if (!isDay(day) || !(hour < 24) || !(Number(minutes) < 60)) return null
  return toInstant(day, `${pad(hour)}:${minutes}`, timezone)
}

/** Returns the text in the form in which names are compared. */
export const toComparable = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLocaleLowerCase()

/** Returns true when a text is one of the names, in any language. */
const isNamed = (text: string, name: string, names: Readonly<Record<string, string>> = {}) =>
  [name, ...Object.values(names)].some((one) => toComparable(one) === toComparable(text))

/** Returns a type of fee by its name, its key or a percent sign. */
export const readFeeType = (
  cell: Cell,
  { feeTypes }: Pick<CellContext, 'feeTypes'>,
): FeeType | undefined => {
  const name = toComparable(readText(cell))
  if (name === '%') return 'percentage'
  return (['flat', 'percentage'] as const).find((type) =>
    [type, ...feeTypes[type]].some((one) => toComparable(one) === name),
  )
}

/** Returns the vehicle type with a name, in any language, or with an id. */
export const findVehicleType = <Type extends Pick<VehicleType, 'id' | 'name' | 'names'>>(
  text: string,
  types: readonly Type[],
): Type | undefined =>
  types.find(({ id, name, names }) => id === text || isNamed(text, name, names))

/** Returns the index of the choice with a text, in any language; undefined when there is none. */
export const findChoice = (
  text: string,
  choices: readonly { description: string; names?: Record<string, string> }[] = [],
): number | undefined => {
  const index = choices.findIndex(({ description, names }) => isNamed(text, description, names))
  return index < 0 ? undefined : index
}
