import { type BasedOnRevision, defineEvent, inputType, neverRepeats } from '../defineEvent'
import type { DecisionRecord } from '../../../dispatch/types'

/** Automatic dispatch asks drivers. */
export const dispatch = defineEvent({
  from: ['NEW'],
  to: ['NEW'],
  by: ['system'],
  logKey: 'perRevision',
  pausesSearch: true,
  ownInput: inputType<DispatchInput>(),
  needs: ['notFree', 'offers'],
  errors: ['no_driver_found_alert_messege'],
  isAvailable: ({ taken_by }, _actor, settings) =>
    settings?.autoDispatch !== false && taken_by === undefined,
  findRepeat: neverRepeats,
})

/** The values by which a driver was chosen for an offer, and the record of the inputs. */
export interface OfferDecision {
  cost: number
  rank: number
  record: Omit<DecisionRecord, 'due'>
}
export interface DispatchInput extends BasedOnRevision {
  event: 'dispatch'
  drivers: string[]
  /** Seconds from each driver to the pickup. */
  etas?: Record<string, number>
  /** Of an offer to one driver. */
  decision?: OfferDecision
}
