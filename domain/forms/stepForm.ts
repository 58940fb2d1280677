import * as v from 'valibot'
import { requiredText } from './fieldSchemas'

/** The office's form about a step that it records for a driver. */
export const stepForm = v.object({ reason: requiredText(500, 'remark') })
