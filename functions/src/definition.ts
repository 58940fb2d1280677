import type { GenericSchema, InferOutput } from 'valibot'
import type { Actor } from '~/domain/booking/change'
import type { UserType } from '~/domain/entities'
import type { ErrorKey } from '~/domain/errors'
import type { Config } from './config'
import type { AccountsPort, Caller } from './ports/accounts'
import type { Bookings } from './ports/bookings'
import type { DatabasePort } from './ports/database'
import type { FilesPort } from './ports/files'
import type { LazyMaps } from './ports/maps'
import type { PaymentPort } from './ports/payments'
import type { PushPort } from './ports/push'
import type { RandomPort } from './ports/random'
import type { TextsPort } from './ports/texts'

/** The parts of the outside world a handler may use. */
export interface Ports {
  config: Config
  db: DatabasePort
  bookings: Bookings
  maps: LazyMaps
  accounts: AccountsPort
  files: FilesPort
  payments: PaymentPort
  push: PushPort
  random: RandomPort
  texts: TextsPort
}

export interface Context extends Ports {
  /** ms since 1970, the same for the whole call. */
  now: number
  /** Null when nobody is signed in. */
  caller: Caller | null
}
/** What a handler sees whose definition lets only known users in. */
export interface ActorContext extends Context {
  caller: Caller
  actor: Actor & { role: UserType }
}

interface Description<Schema extends GenericSchema> {
  /** Its name on the wire. */
  name: string
  /** One sentence for docs/endpoints.md. */
  summary: string
  input: Schema
  /** Calls one caller may make in a minute. */
  limit: number
  /** The answer's shape, for docs/endpoints.md. */
  answers: string
  /** Every key it may refuse with, beside those every endpoint shares. */
  refuses: readonly ErrorKey[]
  /** Secrets it is given in production. */
  secrets?: readonly string[]
  /** Keys the specification wants for a bad or missing field; the others are `bad_input`. */
  fieldKeys?: Readonly<Record<string, ErrorKey>>
}

/** An endpoint for known users: one schema, who may, one handler. */
export interface UserDefinition<
  Schema extends GenericSchema = GenericSchema,
  Output = unknown,
> extends Description<Schema> {
  /** Signed in, approved, and of one of these types as the database has him now. */
  allow: readonly UserType[]
  /** Said to a caller without a profile or of another type; `not_allowed` unless given. */
  otherwise?: ErrorKey
  handle(input: InferOutput<Schema>, context: ActorContext): Promise<Output>
}

/** An endpoint that also answers people the database does not know (yet). */
export interface OpenDefinition<
  Schema extends GenericSchema = GenericSchema,
  Output = unknown,
> extends Description<Schema> {
  /** `signed-in` asks only for a valid ID token, `maps-key` for the fixed basic-auth header. */
  allow: readonly ('signed-in' | 'maps-key' | 'anyone')[]
  handle(input: InferOutput<Schema>, context: Context): Promise<Output>
}

export type Definition<Schema extends GenericSchema = GenericSchema, Output = unknown> =
  UserDefinition<Schema, Output> | OpenDefinition<Schema, Output>

/** Types a definition's handler from its schema. */
export const forUsers = <Schema extends GenericSchema, Output>(
  definition: UserDefinition<Schema, Output>,
) => definition
/** Types an open definition's handler from its schema. */
export const forAnyone = <Schema extends GenericSchema, Output>(
  definition: OpenDefinition<Schema, Output>,
) => definition

/** Everybody with an approved profile. */
export const ANY_USER = ['rider', 'driver', 'fleetadmin', 'admin'] as const satisfies UserType[]
