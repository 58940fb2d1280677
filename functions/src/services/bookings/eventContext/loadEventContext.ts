import { type ContextPart, emptyContext, type EventContext } from '~/domain/booking/eventContext'
import { getDefinition } from '~/domain/booking/transitions'
import { dbPaths } from '~/domain/data/databasePaths'
import { fail } from '../../../domainException'
import type { EventReads, EventRequest, Loader, Loaders } from './eventReads'
import { OFFER_LOADERS } from './offers'
import { createPeopleLoaders } from './people'
import { RECORD_LOADERS } from './records'
import { createTripLoaders } from './trips'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Creates the loaders of all parts; those of one attempt share what they read. */
const createLoaders = (): Loaders<ContextPart> => ({
  ...RECORD_LOADERS,
  ...OFFER_LOADERS,
  ...createPeopleLoaders(),
  ...createTripLoaders(),
})

/** Returns the function that reads each part once. */
const createReader = (reads: Omit<EventReads, 'load'>): EventReads['load'] => {
  const loaders = createLoaders()
  const loading = new Map<ContextPart, Promise<unknown>>()
  const load: EventReads['load'] = <Part extends ContextPart>(part: Part) => {
    const started = loading.get(part) as Promise<EventContext[Part]> | undefined
    const value = started ?? (loaders[part] as Loader<Part>)({ ...reads, load })
    loading.set(part, value)
    return value
  }
  return load
}

/** Reads the booking, and then only the parts of the context that its event needs, in parallel. */
export const loadEventContext = async (
  request: EventRequest,
): Promise<{ booking: Booking | null; eventContext: EventContext }> => {
  const { db, id, input } = request
  const [booking, settings] = await Promise.all([
    db.read<Booking>(dbPaths.booking(id)),
    db.read<Settings>(dbPaths.settings),
  ])
  if (!settings) return fail('not_found', 'settings')
  const load = createReader({ ...request, booking, settings })
  const parts = await Promise.all(
    getDefinition(input.event).needs.map(async (part) => [part, await load(part)] as const),
  )
  return {
    booking,
    eventContext: { ...emptyContext(settings), ...Object.fromEntries(parts) },
  }
}
