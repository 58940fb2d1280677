import type { GenericSchema, InferOutput } from 'valibot'
import { API, type EndpointName, type EndpointOutput, type ParsedInput } from '~/domain/api/api'
import type { ErrorKey } from '~/domain/api/errorKeys'
import type { KnownActor } from '../ports/requestContext'
import type { Cost } from '../ports/costs'
import type { UserHandlerContext, HandlerContext } from '../ports/handlerContext'
import type { UserType } from '~/domain/access/types'

/** A check of an input. It is a method, so that endpoints of all inputs share a type. */
type FreshSignInCheck<Input> = { check(input: Input, actor: KnownActor): boolean }['check']

interface EndpointDescription<Schema extends GenericSchema> {
  /** The endpoint's public name. */
  name: string
  /** One sentence for docs/endpoints.md. */
  summary: string
  input: Schema
  /** Maximum number of calls per caller and minute. */
  limit: number
  /** The costs that a call can cause for the platform. The handler has only the ports for them. */
  spends: readonly Cost[]
  /**
   * Maximum number of calls per caller and day; `none` states that a day has no limit. Admins are
   * not limited. Required by `DeclaredDay` where others may call and a call spends.
   */
  dailyLimit?: number | 'none'
  /** The response. */
  output: GenericSchema
  /**
   * Every key that the endpoint may refuse with, in addition to those that every endpoint shares.
   */
  errors: readonly ErrorKey[]
  /** The secrets that the endpoint receives in production. */
  secrets?: readonly string[]
  /** Keys for a missing or invalid field; other fields use `bad_input`. */
  fieldErrors?: Readonly<Record<string, ErrorKey>>
}

/** An endpoint for known users: one schema, the allowed user types, one handler. */
export interface UserEndpointDefinition<
  Schema extends GenericSchema = GenericSchema,
  Output = unknown,
> extends EndpointDescription<Schema> {
  /**
   * User types that may call. The caller must be signed in and approved, and have one of these
   * types in the database at the time of the call.
   */
  allow: readonly UserType[]
  /**
   * The refusal key for a caller without a profile or of another type; the default is
   * `not_allowed`.
   */
  forbiddenKey?: ErrorKey
  /**
   * True, or a check of the input, when only a person may call who has just signed in: the call
   * moves money out, changes a role or bank details, or destroys or exports much. Others are
   * refused with fresh_sign_in_needed, so that a stolen session or an unattended screen is not
   * enough. Required, so that each new endpoint decides it.
   */
  needsFreshSignIn: boolean | FreshSignInCheck<InferOutput<Schema>>
  handle(input: InferOutput<Schema>, context: UserHandlerContext): Promise<Output>
}

/** An endpoint that also serves callers without a record in the database. */
export interface OpenEndpointDefinition<
  Schema extends GenericSchema = GenericSchema,
  Output = unknown,
> extends EndpointDescription<Schema> {
  /**
   * `signed-in` requires only a valid ID token; `maps-key` requires the fixed basic-auth header,
   * `caller-key` the key of the telephone system in the header `X-Kerbside-Key`.
   */
  allow: readonly ('signed-in' | 'maps-key' | 'caller-key' | 'anyone')[]
  handle(input: InferOutput<Schema>, context: HandlerContext): Promise<Output>
}

export type EndpointDefinition<Schema extends GenericSchema = GenericSchema, Output = unknown> =
  UserEndpointDefinition<Schema, Output> | OpenEndpointDefinition<Schema, Output>

type Described<Definition> = Omit<
  Definition,
  'name' | 'input' | 'output' | 'spends' | 'allow' | 'dailyLimit' | 'needsFreshSignIn' | 'handle'
>

/** The limit of a day, which must be declared where others than admins make the platform pay. */
type DeclaredDay<
  Spends extends readonly Cost[],
  Allow extends readonly string[],
> = Spends extends readonly []
  ? { dailyLimit?: never }
  : Allow extends readonly 'admin'[]
    ? { dailyLimit?: never }
    : { dailyLimit: number | 'none' }

/** Defines the endpoint `name` of the API, from which its handler's types are inferred. */
export const defineUserEndpoint = <
  Name extends EndpointName,
  const Spends extends readonly Cost[],
  const Allow extends UserEndpointDefinition['allow'],
>(
  definition: Described<
    UserEndpointDefinition<(typeof API)[Name]['input'], EndpointOutput<Name>>
  > & {
    name: Name
    needsFreshSignIn: boolean | FreshSignInCheck<ParsedInput<Name>>
    spends: Spends
    allow: Allow
    handle(
      input: ParsedInput<Name>,
      context: UserHandlerContext<Spends[number]>,
    ): Promise<EndpointOutput<Name>>
  } & DeclaredDay<Spends, Allow>,
) => ({ ...API[definition.name], ...definition })

/** Defines an open endpoint of the API, from which its handler's types are inferred. */
export const defineOpenEndpoint = <
  Name extends EndpointName,
  const Spends extends readonly Cost[],
  const Allow extends OpenEndpointDefinition['allow'],
>(
  definition: Described<
    OpenEndpointDefinition<(typeof API)[Name]['input'], EndpointOutput<Name>>
  > & {
    name: Name
    spends: Spends
    allow: Allow
    handle(
      input: ParsedInput<Name>,
      context: HandlerContext<Spends[number]>,
    ): Promise<EndpointOutput<Name>>
  } & DeclaredDay<Spends, Allow>,
) => ({ ...API[definition.name], ...definition })

/** All user types with an approved profile. */
export const ALL_USER_TYPES = [
  'rider',
  'driver',
  'fleetadmin',
  'admin',
] as const satisfies UserType[]
