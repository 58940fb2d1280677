import * as v from 'valibot'
import { DEFAULT_APP_NAME } from '../../catalog/appName'
import { EXPORTED_LISTS } from '../../office/exportedLists'
import { isTimezone } from '../../language/zonedTime'
import { SHIPPED_LANGUAGES } from '../../catalog/languages'
import { isCurrencyCode } from '../../payments/currencyUnits'
import { BUSINESSES } from '../../setup/business'
import { idSchema, latitude, longitude, pushKey, required, text } from '../inputFields'
import { mobile } from './people'

/** ISO 4217. */
export const currencyCode = v.pipe(v.string(), v.check(isCurrencyCode))
/** The first admin, the company, and what it carries. */
export const setupSchema = v.strictObject({
  mobile,
  country: required(100, 'line'),
  restrictCountry: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
  firstName: v.optional(required(100, 'name'), 'Admin'),
  lastName: v.optional(required(100, 'name'), 'Kerbside'),
  symbol: v.optional(required(10, 'line'), '$'),
  code: v.optional(currencyCode, 'USD'),
  companyName: v.optional(required(100, 'line'), DEFAULT_APP_NAME),
  business: v.optional(v.picklist(BUSINESSES), 'both'),
  timezone: v.optional(v.pipe(required(60, 'line'), v.check(isTimezone, 'field_timezone')), 'UTC'),
  language: v.optional(v.picklist(SHIPPED_LANGUAGES.map(({ locale }) => locale)), 'en'),
  secret: v.optional(required(200, 'line')),
})
export type SetupInput = v.InferOutput<typeof setupSchema>

/** The list to export whole. */
export const beginExportSchema = v.strictObject({ list: v.picklist(EXPORTED_LISTS) })

/** With `files`, also checks stored files when that is due. */
export const runSweepSchema = v.strictObject({ files: v.optional(v.boolean()) })

/** The message of a telephone system about a call. */
export const callerSchema = v.strictObject({
  number: mobile,
  /** The extension that rings. */
  extension: v.optional(v.pipe(v.string(), v.regex(/^[\w*#.+-]{1,20}$/))),
})
export const answerCallSchema = v.strictObject({ call_id: idSchema })

/** `panic_id` is a push key from the client: the same key again is the same press. */
export const raisePanicSchema = v.strictObject({
  panic_id: pushKey,
  booking_id: idSchema,
  /** The device's position, if it is known. */
  position: v.optional(v.strictObject({ lat: latitude, lng: longitude })),
})
export type RaisePanicInput = v.InferInput<typeof raisePanicSchema>
export const answerPanicSchema = v.strictObject({
  /** The booking and the person of the alert. */
  booking_id: idSchema,
  uid: idSchema,
  /** `take` ends the sound; `close` also removes the alert from every screen. */
  how: v.picklist(['take', 'close']),
  /** The revision of the alert that the caller saw. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type AnswerPanicInput = v.InferInput<typeof answerPanicSchema>

export const fairnessReportSchema = v.strictObject({
  month: v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  /** The last response's `next`. */
  cursor: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,140}$/))),
})
export type FairnessReportInput = v.InferInput<typeof fairnessReportSchema>
export const driverPartsSchema = v.strictObject({
  driver: idSchema,
  /** Explains each offer of this booking, newest first; the driver's decisions by default. */
  booking_id: v.optional(idSchema),
  /** ms; decisions at or before this time. */
  before: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})
export type DriverPartsInput = v.InferInput<typeof driverPartsSchema>
/** The number or the id of the person who calls. */
export const findCallerSchema = v.union([
  v.strictObject({ mobile }),
  v.strictObject({ uid: idSchema }),
])
export type FindCallerInput = v.InferInput<typeof findCallerSchema>

export const saveNoteSchema = v.strictObject({
  uid: idSchema,
  /** An empty text removes the note. */
  text: text(1000),
  /** The revision of the note that the caller saw; 0 without one. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type SaveNoteInput = v.InferInput<typeof saveNoteSchema>

export const listRefusalsSchema = v.strictObject({})
