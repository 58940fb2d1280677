import * as v from 'valibot'
import type { FieldMessage } from './fieldSchemas'

const placeMissing: FieldMessage = 'place_choose'
const place = v.object({ lat: v.number(), lng: v.number(), add: v.string() })

/** The address of a rider's home or workplace. */
export const namedPlaceForm = v.object({ place: v.nonNullable(v.nullable(place), placeMissing) })
