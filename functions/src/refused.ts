import type { ErrorKey, Refusal } from '~/domain/errors'
import { refusal } from '~/domain/errors'
import type { Result } from '~/domain/result'

/** How a callable names a refusal. */
export type Code =
  | 'invalid-argument'
  | 'unauthenticated'
  | 'permission-denied'
  | 'not-found'
  | 'failed-precondition'
  | 'resource-exhausted'

/** Keys that are not simply “not possible now”. */
const CODE_OF: Partial<Record<ErrorKey, Code>> = {
  bad_input: 'invalid-argument',
  select_proper: 'invalid-argument',
  proper_email: 'invalid-argument',
  rating_invalid: 'invalid-argument',
  reason_required: 'invalid-argument',
  no_details_error: 'invalid-argument',
  deliveryDetailMissing: 'invalid-argument',
  must_login: 'unauthenticated',
  not_allowed: 'permission-denied',
  not_requested: 'permission-denied',
  require_approval: 'permission-denied',
  not_valid_user_type: 'permission-denied',
  user_issue_contact_admin: 'permission-denied',
  demo_mode: 'permission-denied',
  not_found: 'not-found',
  too_many_requests: 'resource-exhausted',
}

/** The callable error code a refusal's key travels under. */
export const codeOf = (key: ErrorKey): Code => CODE_OF[key] ?? 'failed-precondition'

const STATUS_OF: Record<Code, number> = {
  'invalid-argument': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'failed-precondition': 409,
  'resource-exhausted': 429,
}
/** The HTTP status a refusal's key travels under. */
export const statusOf = (key: ErrorKey): number => STATUS_OF[codeOf(key)]

/** What a handler throws when the answer is no; the edge turns it into the caller's error. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refused: Refusal) {
    super(refused.key)
    this.name = 'Refused'
    this.refusal = refused
  }
}

/** Ends a handler with a refusal. */
export const refuse = (key: ErrorKey, field?: string, params?: Refusal['params']): never => {
  throw new Refused(refusal(key, field, params))
}

/** The value of a result, or its refusal thrown. */
export const orThrow = <T>(result: Result<T, Refusal>): T => {
  if (!result.ok) throw new Refused(result.error)
  return result.value
}

/** Ends a handler when the domain gave a reason to. */
export const refuseIf = (refused: Refusal | undefined): void => {
  if (refused) throw new Refused(refused)
}
