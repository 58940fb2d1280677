import type { ErrorKey } from '~/domain/api/errorKeys'
import type { DomainError } from '~/domain/api/errors'
import { domainError } from '~/domain/api/errors'
import type { Result } from '~/domain/api/result'

/** The error codes with which a callable refuses. */
export type CallableErrorCode =
  | 'invalid-argument'
  | 'unauthenticated'
  | 'permission-denied'
  | 'not-found'
  | 'failed-precondition'
  | 'resource-exhausted'
  | 'unavailable'

/** Codes of the keys that mean more than “not possible now”. */
const ERROR_CODES: Partial<Record<ErrorKey, CallableErrorCode>> = {
  bad_input: 'invalid-argument',
  select_proper: 'invalid-argument',
  too_many_stops: 'invalid-argument',
  address_too_long: 'invalid-argument',
  text_not_allowed: 'invalid-argument',
  link_not_allowed: 'invalid-argument',
  plate_not_allowed: 'invalid-argument',
  proper_email: 'invalid-argument',
  email_domain_refused: 'invalid-argument',
  rating_invalid: 'invalid-argument',
  help_waits: 'failed-precondition',
  reason_required: 'invalid-argument',
  no_details_error: 'invalid-argument',
  deliveryDetailMissing: 'invalid-argument',
  must_login: 'unauthenticated',
  session_ended: 'unauthenticated',
  session_expired: 'unauthenticated',
  not_allowed: 'permission-denied',
  not_requested: 'permission-denied',
  require_approval: 'permission-denied',
  not_valid_user_type: 'permission-denied',
  user_issue_contact_admin: 'permission-denied',
  sign_in_not_offered: 'permission-denied',
  fresh_sign_in_needed: 'permission-denied',
  demo_mode: 'permission-denied',
  not_found: 'not-found',
  too_many_requests: 'resource-exhausted',
  too_many_today: 'resource-exhausted',
  too_many_changes: 'resource-exhausted',
  too_many_files: 'resource-exhausted',
  maintenance: 'unavailable',
  schema_newer: 'unavailable',
  schema_older: 'unavailable',
}

/** Returns the callable error code for a refusal key. */
export const getErrorCode = (key: ErrorKey): CallableErrorCode =>
  ERROR_CODES[key] ?? 'failed-precondition'

const HTTP_STATUSES: Record<CallableErrorCode, number> = {
  'invalid-argument': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'failed-precondition': 409,
  'resource-exhausted': 429,
  unavailable: 503,
}
/** Returns the HTTP status for a refusal key. */
export const getHttpStatus = (key: ErrorKey): number => HTTP_STATUSES[getErrorCode(key)]

/** Thrown by a handler to refuse; the edge turns it into the caller's error. */
export class DomainException extends Error {
  readonly error: DomainError

  constructor(refused: DomainError) {
    super(refused.key)
    this.name = 'Refused'
    this.error = refused
  }
}

/** Ends a handler with a refusal by throwing. */
export const fail = (key: ErrorKey, field?: string, params?: DomainError['params']): never => {
  throw new DomainException(domainError(key, field, params))
}

/** Returns the value of a result, or throws its refusal. */
export const unwrap = <T>(result: Result<T, DomainError>): T => {
  if (!result.ok) throw new DomainException(result.error)
  return result.value
}

/** Throws when the domain refused. */
export const throwIfError = (refused: DomainError | undefined): void => {
  if (refused) throw new DomainException(refused)
}
