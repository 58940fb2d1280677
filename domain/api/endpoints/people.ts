import * as v from 'valibot'
import type { UnconfirmedRegistration } from '../../accounts/pendingRegistration'
import type { User } from '../../accounts/types'
import { importBookingsSchema, importPeopleSchema } from '../inputs/imports'
import {
  checkUserExistsSchema,
  deleteUserSchema,
  endSessionsSchema,
  registerPushTokenSchema,
  saveUserSchema,
  userSignupSchema,
  validateReferrerSchema,
} from '../inputs/people'
import { record, id, count, noInput, success, importResult } from '../outputFields'

export const PEOPLE_ENDPOINTS = {
  ensure_profile: {
    input: noInput,
    output: v.intersect([
      record<User>('User'),
      v.object({
        pendingRegistration: v.optional(record<UnconfirmedRegistration>('PendingRegistration')),
      }),
    ]),
  },
  discard_registration: { input: noInput, output: success },
  user_signup: {
    input: userSignupSchema,
    output: v.object({
      success: v.literal(true),
      /** Null until the phone number is verified, because no account exists yet. */
      uid: v.nullable(id),
      approved: v.boolean(),
      pending: v.optional(v.literal(true)),
    }),
  },
  save_user: { input: saveUserSchema, output: v.object({ id, approved: v.boolean() }) },
  import_people: {
    input: importPeopleSchema,
    output: v.object({ results: v.array(importResult) }),
  },
  import_bookings: {
    input: importBookingsSchema,
    output: v.object({ results: v.array(importResult) }),
  },
  delete_user: {
    input: deleteUserSchema,
    /** `bookings` is the number of anonymized bookings. */
    output: v.object({ id, bookings: count }),
  },
  check_user_exists: {
    input: checkUserExistsSchema,
    /** One empty object for each user. */
    output: v.object({ users: v.array(v.object({})), error: v.null() }),
  },
  validate_referrer: {
    input: validateReferrerSchema,
    output: v.object({ valid: v.boolean() }),
  },
  register_push_token: {
    input: registerPushTokenSchema,
    output: v.object({ registered: v.boolean() }),
  },
  end_sessions: {
    input: endSessionsSchema,
    output: v.object({
      uid: id,
      /** Sign-ins before this time have ended, ms. */
      sessionsEnd: v.number(),
    }),
  },
} as const
