import { apply } from '~/domain/booking/apply'
import type { Actor, EventInput, Value } from '~/domain/booking/change'
import { emptyWorld } from '~/domain/booking/world'
import type { Booking, Settings, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { err, ok, type Result } from '~/domain/result'
import type { Refusal } from '~/domain/errors'
import type { DriverEvent, Outgoing, PhotoField } from './outgoing'

type Node = { [key: string]: Value }
const isNode = (value: Value | undefined): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withValue = (node: Node, [key = '', ...rest]: string[], value: Value): Node => {
  const child = node[key]
  return {
    ...node,
    [key]: rest.length === 0 ? value : withValue(isNode(child) ? child : {}, rest, value),
  }
}

interface Asked {
  driver: User
  settings: Settings
  input: DriverEvent
  photo?: PhotoField | undefined
  /** ms */
  now: number
}

/**
 * The booking as it will be after this step, by the server's own table, or why the step can't be taken. Only the
 * code can't be asked about here: that one the server judges later.
 */
export const stepped = (
  booking: Booking,
  { driver, settings, input, photo, now }: Asked,
): Result<Booking, Refusal> => {
  const actor: Actor = { uid: driver.id, role: 'driver' }
  const asked = { ...input, ...(photo && { [photo]: 'kept' }) } as EventInput
  const world = {
    ...emptyWorld(settings),
    driver,
    otp: input.event === 'start' ? (input.otp ?? null) : null,
  }
  const change = apply(booking, asked, actor, world, now)
  if (!change.ok) return err(change.error)
  const base = `${at.booking(booking.id)}/`
  const after = Object.entries(change.value.updates)
    .filter(([path]) => path.startsWith(base))
    .reduce<Node>(
      (node, [path, value]) => withValue(node, path.slice(base.length).split('/'), value),
      booking as unknown as Node,
    )
  return ok(after as unknown as Booking)
}

/** The booking as its driver has left it: what the server knows, and the steps that have not reached it yet. */
export const projected = (
  booking: Booking,
  items: readonly Outgoing[],
  { driver, settings }: Pick<Asked, 'driver' | 'settings'>,
): Booking =>
  items.reduce((before, item) => {
    if (item.kind !== 'event' || item.booking_id !== booking.id) return before
    const { input, photo, at: now } = item
    const after = stepped(before, { driver, settings, input, photo, now })
    // The server has taken it meanwhile, or will refuse it: its own answer counts.
    return after.ok ? after.value : before
  }, booking)
