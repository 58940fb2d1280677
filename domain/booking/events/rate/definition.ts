import * as v from 'valibot'
import { text } from '../../../api/inputFields'
import { COMPLIMENTS, MAX_RATING_COMMENT_LENGTH } from '../../feedback'
import { defineEvent } from '../defineEvent'

/** The rider rates the driver. */
export const rate = defineEvent({
  from: ['PAID'],
  to: ['COMPLETE'],
  by: ['rider'],
  input: {
    rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
    /** With four or five stars only. */
    compliments: v.optional(
      v.pipe(v.array(v.picklist(COMPLIMENTS)), v.maxLength(COMPLIMENTS.length)),
    ),
    comment: v.optional(text(MAX_RATING_COMMENT_LENGTH, 'remark')),
  },
  needs: ['customer', 'driver'],
  errors: ['rating_invalid'],
})
