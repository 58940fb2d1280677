import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type ErrorKey, isErrorKey } from '~/domain/api/errorKeys'
import { dbPaths } from '~/domain/data/databasePaths'
import { isOfficeRole } from '~/domain/access/permissions'
import { getOwnSignIn, isOwnSignIn, type SignIn } from '~/domain/access/ownSignIn'
import { getOfficeSessionEnd, hasSessionEnded } from '~/domain/access/sessions'
import { isUserType, checkSignIn } from '~/domain/accounts/userAccounts'
import { getRole } from '~/domain/access/roles'
import { getSalt } from '../config'
import type { EndpointDefinition, UserEndpointDefinition } from './endpointTypes'
import type { Caller } from '../ports/accounts'
import { getNetworkPrefix } from './networkPrefix'
import type { DatabasePort } from '../ports/database'
import { assertFreshSignIn } from './assertFreshSignIn'
import { fail, throwIfError } from '../domainException'
import { findExceededLimit, returnToDay } from '../services/rateLimits'
import { refuseMessages } from './spending'
import type { Ports } from '../ports/ports'
import type { HandlerContext, UserHandlerContext } from '../ports/handlerContext'
import type { UserType } from '~/domain/access/types'

/** The caller, as determined by the edge. */
export interface EndpointRequest {
  input: unknown
  caller: Caller | null
  /** True when the request has the fixed header for the maps proxies. */
  hasMapsBasicAuth: boolean
  /** True when the request has the key of the telephone system. */
  hasCallerKey?: boolean
  /** The caller's address, which is hashed before use. */
  ip: string
  now: number
}

/** Returns a caller's name in the counters: the uid, or a hash of the caller's network. */
export const getRateLimitKey = (
  { caller, ip }: Pick<EndpointRequest, 'caller' | 'ip'>,
  salt: string,
): string =>
  caller?.uid ??
  `ip-${createHash('sha256')
    .update(`${salt}:${getNetworkPrefix(ip)}`)
    .digest('base64url')
    .slice(0, 22)}`

/**
 * Parses the input. Refuses with the name of the first invalid field; a schema whose message is an
 * error key chooses the refusal itself.
 */
export const parseInput = <Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  fieldKeys: Readonly<Record<string, ErrorKey>> = {},
): v.InferOutput<Schema> => {
  const parsed = v.safeParse(schema, input ?? {}, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = v.getDotPath(issue) ?? ''
  const root = field.split('.')[0] ?? ''
  const { message, requirement } = issue
  if (isErrorKey(message))
    return fail(message, field, typeof requirement === 'number' ? { most: requirement } : {})
  // The key of a field describes its value, and not that the endpoint has no such field.
  const isUnknown = issue.type === 'strict_object' && issue.expected === 'never'
  const key = (isUnknown ? undefined : fieldKeys[root]) ?? 'bad_input'
  return fail(key, field || 'body', { problem: message })
}

/**
 * Returns the caller's role, or refuses with user_issue_contact_admin, not_valid_user_type or
 * require_approval. `role` is the value of roles/{uid} and saves a further read. Without a role,
 * the record supplies the reason for the refusal, or the role of an account that has not been
 * migrated yet.
 */
const getCallerRole = async (db: DatabasePort, uid: string, role: string | null) => {
  if (isUserType(role)) return role
  const [usertype, approved] = await Promise.all([
    db.read<string>(`${dbPaths.user(uid)}/usertype`),
    db.read<boolean>(`${dbPaths.user(uid)}/approved`),
  ])
  const user = usertype === null ? null : { usertype, approved: approved === true }
  throwIfError(checkSignIn(user))
  return getRole(user) ?? fail('require_approval')
}

/**
 * Refuses a caller over the limit of a minute, with a social account when the settings offer no
 * social sign-in, or whose session has ended. Returns true when they are over the limit of the day.
 */
const checkAdmission = async (
  definition: Pick<EndpointDefinition, 'name' | 'limit' | 'dailyLimit'>,
  { caller, now }: EndpointRequest,
  { db }: Pick<Ports, 'db'>,
  counter: string,
): Promise<boolean> => {
  const [exceeded, offersSocial, sessionsEnd] = await Promise.all([
    findExceededLimit(db, definition, { caller: counter, now }),
    !caller?.provider || db.read<boolean>('settings/FacebookLoginEnabled'),
    caller ? db.read<number>(`${dbPaths.user(caller.uid)}/sessionsEnd`) : null,
  ])
  if (exceeded === 'minute') fail('too_many_requests')
  const isRefused = offersSocial !== true || hasSessionEnded(sessionsEnd, caller?.signedInAt)
  if (isRefused) await returnToDay(db, definition, { caller: counter, now })
  if (offersSocial !== true) fail('sign_in_not_offered')
  if (isRefused) fail('session_ended')
  return exceeded === 'day'
}

/**
 * Returns true when the caller's record names the phone, or the kind of the social account, that
 * signed in. A stolen session can add another one to the account in Firebase Auth.
 */
const isNamedSignIn = async (
  { db }: Pick<Ports, 'db'>,
  caller: Caller,
  usertype: UserType,
): Promise<boolean> => {
  const path = dbPaths.user(caller.uid)
  const mobile = await db.read<string>(`${path}/mobile`)
  const isByNumber = mobile && !caller.provider
  const loginType = isByNumber ? null : await db.read<SignIn['provider']>(`${path}/loginType`)
  const own = getOwnSignIn({ usertype, ...(mobile && { mobile }), ...(loginType && { loginType }) })
  return isOwnSignIn(caller, own)
}

/**
 * Refuses a member of the office whose sign-in is older than the settings allow, or with another
 * phone or social account than their record's.
 */
const checkOfficeSession = async (
  ports: Pick<Ports, 'db'>,
  { caller, now, role }: { caller: Caller; now: number; role: UserType },
): Promise<void> => {
  const [officeSessionHours, isNamed] = await Promise.all([
    ports.db.read<number>('settings/officeSessionHours'),
    isNamedSignIn(ports, caller, role),
  ])
  if (!isNamed) fail(caller.provider ? 'sign_in_not_offered' : 'session_ended')
  if (officeSessionHours === null) return
  const end = getOfficeSessionEnd({ officeSessionHours }, caller.signedInAt)
  if (end !== undefined && end <= now) fail('session_expired')
}

/** Returns a member who may call an endpoint, with their role as it is now, or refuses. */
const admitMember = async (
  definition: Pick<
    UserEndpointDefinition,
    'name' | 'limit' | 'dailyLimit' | 'forbiddenKey' | 'allow'
  >,
  call: EndpointRequest,
  ports: Ports,
  counter: string,
): Promise<{ caller: Caller; role: UserType }> => {
  const { caller, now } = call
  const admitted = checkAdmission(definition, call, ports, counter)
  if (!caller) {
    await admitted
    return fail('must_login')
  }
  const [storedRole, isOverDay] = await Promise.all([
    ports.db.read<string>(dbPaths.role(caller.uid)),
    admitted,
  ])
  try {
    const role = await getCallerRole(ports.db, caller.uid, storedRole)
    if (isOfficeRole(role)) await checkOfficeSession(ports, { caller, now, role })
    if (!definition.allow.includes(role)) fail(definition.forbiddenKey ?? 'not_allowed')
    if (!isOverDay) return { caller, role }
  } catch (error) {
    await returnToDay(ports.db, definition, { caller: counter, now })
    throw error
  }
  return fail('too_many_today')
}

/**
 * Admits and handles a call: limits, sign-in method, permission, input, age of the sign-in,
 * handler, in this order. A call that the first of these refuse does not count in the day.
 * Reads the role from the database every time, so a change by an admin takes effect at once.
 */
export const handleRequest = async <Schema extends v.GenericSchema, Output>(
  definition: EndpointDefinition<Schema, Output>,
  call: EndpointRequest,
  ports: Ports,
): Promise<Output> => {
  const { now } = call
  const counter = getRateLimitKey(call, getSalt(ports.config))
  // A deployed function sends what it has rather than fail.
  const db =
    ports.config.isLocal && !definition.spends.includes('messages')
      ? refuseMessages(ports.db)
      : ports.db
  const context: HandlerContext = {
    ...ports,
    db,
    now,
    caller: call.caller,
    rateLimitKey: counter,
  }
  if (!isUserEndpoint(definition)) {
    const { allow } = definition
    const letIn =
      allow.includes('anyone') ||
      (allow.includes('signed-in') && call.caller) ||
      (allow.includes('maps-key') && call.hasMapsBasicAuth) ||
      (allow.includes('caller-key') && call.hasCallerKey)
    const isOverDay = await checkAdmission(definition, call, ports, counter)
    if (!letIn) {
      await returnToDay(ports.db, definition, { caller: counter, now })
      fail('must_login')
    }
    if (isOverDay) fail('too_many_today')
    const input = parseInput(definition.input, call.input, definition.fieldErrors)
    return checkResponse(definition, await definition.handle(input, context), ports)
  }
  const { caller, role } = await admitMember(definition, call, ports, counter)
  const input = parseInput(definition.input, call.input, definition.fieldErrors)
  const actor = { uid: caller.uid, role }
  const { needsFreshSignIn } = definition
  const isFreshSignInNeeded =
    typeof needsFreshSignIn === 'function' ? needsFreshSignIn(input, actor) : needsFreshSignIn
  if (isFreshSignInNeeded) {
    assertFreshSignIn({ caller, now })
    if (!(await isNamedSignIn(ports, caller, role))) fail('fresh_sign_in_needed')
  }
  const userContext: UserHandlerContext = { ...context, caller, actor }
  return checkResponse(definition, await definition.handle(input, userContext), ports)
}

/**
 * Returns the response. Locally, and so in every test, throws when it differs from the contract in
 * `domain/api/api.ts`. A deployed function answers what it has rather than fail after its write.
 */
const checkResponse = <Output>(
  { name, output }: { name: string; output: v.GenericSchema },
  response: Output,
  { config }: Pick<Ports, 'config'>,
): Output => {
  if (!config.isLocal) return response
  const checked = v.safeParse(output, response)
  if (checked.success) return response
  const [issue] = checked.issues
  throw new Error(`${name} returned ${v.getDotPath(issue) ?? 'a value'}: ${issue.message}`)
}

const OPEN_PERMISSIONS: readonly string[] = ['signed-in', 'maps-key', 'caller-key', 'anyone']

const isUserEndpoint = <Schema extends v.GenericSchema, Output>(
  definition: EndpointDefinition<Schema, Output>,
): definition is Extract<EndpointDefinition<Schema, Output>, { allow: readonly UserType[] }> =>
  !definition.allow.some((permission) => OPEN_PERMISSIONS.includes(permission))
