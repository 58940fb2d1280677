import * as v from 'valibot'
import { complaintFields, money, pushKey } from '../../../api/inputFields'
import { defineEvent, repeatsRequest } from '../defineEvent'

/** The back office settles a complaint. */
export const compensate = defineEvent({
  from: ['PAID', 'COMPLETE', 'CANCELLED'],
  to: ['PAID', 'COMPLETE', 'CANCELLED'],
  by: ['admin'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: {
    /** A push key from the client: the same key again moves nothing more. */
    request_id: pushKey,
    ...complaintFields,
    /** Credits the rider. At least one of the three amounts is required. */
    rider: v.optional(money),
    /** Credits the driver. */
    driver: v.optional(money),
    /** Takes back from the driver. */
    take_back: v.optional(money),
  },
  needs: ['customer', 'driver', 'cardPayments'],
  errors: ['already_processed', 'no_details_error', 'compensation_too_much', 'payment_mismatch'],
  findRepeat: repeatsRequest,
})
