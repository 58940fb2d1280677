import * as v from 'valibot'
import * as fields from '../../forms/fieldSchemas'
import { required, text } from '../inputFields'

/** A position as 'lat,lng'; waypoints are joined with '|'. */
const latLngText = v.pipe(v.string(), v.regex(/^\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*$/))
/** Positions joined with '|', which the handler reads. */
const positions = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[-\d.,|\s]*$/))
/** A BCP 47 tag, or a platform's variant of one: es, pt-BR, zh_TW. */
const language = v.optional(v.pipe(text(20), v.regex(/^([A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)?$/)))
/** A token that a search and the chosen place share, because some services bill them together. */
const sessionToken = v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)))
export const getAddressSchema = v.strictObject({ latlng: latLngText, language })
export const getDirectionsSchema = v.strictObject({
  start: latLngText,
  dest: latLngText,
  waypoints: v.optional(positions(2000)),
  language,
})
export const autocompleteSchema = v.strictObject({
  searchKeyword: fields.searchedText(200),
  near: v.optional(latLngText),
  language,
  sessionToken,
})
export const getCoordsSchema = v.strictObject({ place_id: required(1000, 'line'), sessionToken })
export const getDistanceMatrixSchema = v.strictObject({
  start: positions(5000),
  dest: positions(5000),
})
