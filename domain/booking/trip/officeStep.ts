import { domainError, type DomainError } from '../../api/errors'
import { createEventDraft, type Draft } from '../changeDraft'
import type { TransitionArgs } from '../eventArgs'
import type { Actor } from '../eventTypes'
import type { BookingEvent } from '../transitions'
import type { Status } from '../types'
import type { LatLng } from '../../geo/types'

interface StepInput {
  event: BookingEvent
  reason?: string | undefined
}

/**
 * Returns true when the office records a step that is the driver's, such as when their phone is
 * dead.
 */
export const isOfficeStep = ({ role }: Actor): boolean => role === 'admin'

/**
 * Returns why a step is refused. The office gives a reason, and nothing that only the driver's
 * phone knows: its step counts at the time of the request.
 */
export const checkStep = (
  { actor, context: { settings } }: TransitionArgs,
  { event: _, reason, ...ofPhone }: StepInput,
): DomainError | undefined => {
  if (!isOfficeStep(actor))
    return reason === undefined ? undefined : domainError('not_allowed', 'reason')
  if (!settings.AllowCriticalEditsAdmin) return domainError('demo_mode')
  if (!reason?.trim()) return domainError('reason_required', 'reason')
  const [field] = Object.entries(ofPhone).find(([, value]) => value !== undefined) ?? []
  return field === undefined ? undefined : domainError('not_allowed', field)
}

/** Creates the draft of a step. One that the office records keeps its reason and is audited. */
export const createStepDraft = (
  args: TransitionArgs,
  { event, reason }: StepInput,
  status: Status,
  ref?: string,
): Draft => {
  const { booking } = args
  const draft = createEventDraft(args, event, status, { ref, words: reason?.trim() })
  draft.addAuditEntry(`booking_${event}`, { from: { status: booking.status } })
  return draft
}

/** Returns the position that a driver sends with a step; undefined without one. */
export const getStepPosition = ({
  lat,
  lng,
}: {
  lat?: number | undefined
  lng?: number | undefined
}): LatLng | undefined => (lat === undefined || lng === undefined ? undefined : { lat, lng })
