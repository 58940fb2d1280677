/** Why a request was not done, in the words both protocols answer with. */
export class Refusal extends Error {
  constructor(
    /** The wire protocol's status. */
    readonly status: string,
    message: string,
    /** The HTTP status of the same. */
    readonly http: number,
  ) {
    super(message)
  }
}

export const permissionDenied = (): Refusal =>
  new Refusal('permission_denied', 'Permission denied', 401)

export const stale = (): Refusal =>
  new Refusal('datastale', 'The value changed since the transaction read it', 412)

export const notAllowed = (): Refusal => new Refusal('no_such_method', 'Method not allowed', 405)

export const invalid = (message: string): Refusal => new Refusal('invalid_data', message, 400)
