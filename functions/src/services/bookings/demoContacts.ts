import { areContactsHidden } from '~/domain/access/permissions'
import type { RecurringSeries } from '~/domain/recurring/series'
import { toSeriesView, type SeriesView } from '~/domain/recurring/view'
import type { UserRequestContext } from '../../ports/requestContext'
import type { Settings } from '~/domain/catalog/types'

/** Returns a recurring booking as the caller may see it. */
export const toCallersSeriesView = (
  customer: string,
  series: RecurringSeries,
  settings: Settings,
  { actor, now }: Pick<UserRequestContext, 'actor' | 'now'>,
): SeriesView => {
  const view = toSeriesView(customer, series, settings.timezone, now)
  if (areContactsHidden(actor.role, settings)) delete view.deliveryPersonPhone
  return view
}
