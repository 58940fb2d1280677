import { InvalidCredentialError } from './auth'
import { QueryError } from './query/query'
import { ValueError } from './tree/nodeBuilder'
import { PathError } from './tree/path'

/** The reason a request failed, with the text that both protocols return. */
export class RequestError extends Error {
  constructor(
    /** The status in the wire protocol. */
    readonly status: string,
    message: string,
    /** The equivalent HTTP status. */
    readonly http: number,
  ) {
    super(message)
  }
}

export const permissionDeniedError = (): RequestError =>
  new RequestError('permission_denied', 'Permission denied', 401)

export const staleDataError = (): RequestError =>
  new RequestError('datastale', 'The value changed since the transaction read it', 412)

export const methodNotAllowedError = (): RequestError =>
  new RequestError('no_such_method', 'Method not allowed', 405)

export const invalidDataError = (message: string): RequestError =>
  new RequestError('invalid_data', message, 400)

/** Converts a known error to a request error. Rethrows any other error. */
export const toRequestError = (error: unknown): RequestError => {
  if (error instanceof RequestError) return error
  if (error instanceof PathError) return new RequestError('invalid_path', error.message, 400)
  if (error instanceof ValueError) return new RequestError('invalid_data', error.message, 400)
  if (error instanceof QueryError) return new RequestError('invalid_query', error.message, 400)
  if (error instanceof InvalidCredentialError)
    return new RequestError('invalid_token', error.message, 401)
  throw error
}
