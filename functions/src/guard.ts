import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { increment } from '~/domain/booking/change'
import type { UserType } from '~/domain/entities'
import { USER_TYPES } from '~/domain/entities'
import type { ErrorKey } from '~/domain/errors'
import type { ActorContext, Context, Definition, Ports } from './definition'
import type { Caller } from './ports/accounts'
import type { DatabasePort } from './ports/database'
import { refuse } from './refused'

/** Who calls, as the edge found out. */
export interface Call {
  input: unknown
  caller: Caller | null
  /** True when the maps proxies' fixed header was sent. */
  mapsKey: boolean
  /** The caller's address; it is hashed before it is used. */
  ip: string
  now: number
}

const MINUTE = 60_000

/**
 * Counts a call in the caller's window and says whether it is one too many.
 * The window slides: the minute before counts by the part of it that is still within 60 s.
 * Counters only ever increase, so any number of processes count at once without retrying;
 * the messages of one connection keep their order, so the answer includes this call.
 */
export const isOverLimit = async (
  db: DatabasePort,
  { name, limit }: { name: string; limit: number },
  caller: string,
  now: number,
): Promise<boolean> => {
  const minute = Math.floor(now / MINUTE)
  const path = `rate_limits/${name}/${caller}`
  const [, counts] = await Promise.all([
    db.update({ [`${path}/${minute}`]: increment(1), [`${path}/${minute - 2}`]: null }),
    db.read<Record<string, number>>(path),
  ])
  const before = counts?.[minute - 1] ?? 0
  return (counts?.[minute] ?? 0) + before * (1 - (now % MINUTE) / MINUTE) > limit
}

/** A caller's name in the counters: his uid, or a hash of his address. */
export const counterOf = ({ caller, ip }: Pick<Call, 'caller' | 'ip'>, salt: string): string =>
  caller?.uid ??
  `ip-${createHash('sha256').update(`${salt}:${ip}`).digest('base64url').slice(0, 22)}`

/** The input as its schema has it, or a refusal that names the first field at fault. */
export const parse = <Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  fieldKeys: Readonly<Record<string, ErrorKey>> = {},
): v.InferOutput<Schema> => {
  const parsed = v.safeParse(schema, input ?? {}, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = v.getDotPath(issue) ?? ''
  const root = field.split('.')[0] ?? ''
  return refuse(fieldKeys[root] ?? 'bad_input', field || 'body', { problem: issue.message })
}

const isUserType = (type: string): type is UserType =>
  (USER_TYPES as readonly string[]).includes(type)

/**
 * Lets a call in and answers it: limit, permission, input, handler, in this order.
 * The role is read from the database each time, so what an admin took away is gone at once.
 */
export const answer = async <Schema extends v.GenericSchema, Output>(
  definition: Definition<Schema, Output>,
  call: Call,
  ports: Ports,
): Promise<Output> => {
  const { caller, now } = call
  const context: Context = { ...ports, now, caller }
  const counted = isOverLimit(ports.db, definition, counterOf(call, ports.config.salt), now)

  if (!isForUsers(definition)) {
    const { allow } = definition
    const open = allow.includes('anyone')
    const letIn =
      open ||
      (allow.includes('signed-in') && caller) ||
      (allow.includes('maps-key') && call.mapsKey)
    if (await counted) refuse('too_many_requests')
    if (!letIn) refuse('must_login')
    return definition.handle(parse(definition.input, call.input, definition.fieldKeys), context)
  }

  if (!caller) {
    if (await counted) refuse('too_many_requests')
    return refuse('must_login')
  }
  const [tooMany, usertype, approved] = await Promise.all([
    counted,
    ports.db.read<string>(`users/${caller.uid}/usertype`),
    ports.db.read<boolean>(`users/${caller.uid}/approved`),
  ])
  if (tooMany) refuse('too_many_requests')
  if (usertype === null) return refuse('user_issue_contact_admin')
  if (!isUserType(usertype)) return refuse('not_valid_user_type')
  if (approved !== true) refuse('require_approval')
  if (!definition.allow.includes(usertype)) refuse(definition.otherwise ?? 'not_allowed')
  const input = parse(definition.input, call.input, definition.fieldKeys)
  const known: ActorContext = { ...context, caller, actor: { uid: caller.uid, role: usertype } }
  return definition.handle(input, known)
}

const OPEN: readonly string[] = ['signed-in', 'maps-key', 'anyone']
const isForUsers = <Schema extends v.GenericSchema, Output>(
  definition: Definition<Schema, Output>,
): definition is Extract<Definition<Schema, Output>, { allow: readonly UserType[] }> =>
  !definition.allow.some((permission) => OPEN.includes(permission))
