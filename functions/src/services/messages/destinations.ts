import { isEmailDomainAllowed } from '~/domain/messages/emailDomains'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import type { OutboxMessage } from '~/domain/messages/outbox'
import type { MessageRow } from '~/domain/messages/messageTable'
import { isOfficeBooking } from '~/domain/messages/sendingLimits'
import { isInCountries } from './phoneNumbers'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/**
 * Returns why the office lets no such message go to this number or address: its country or its
 * domain; undefined when it may go. A warning goes to every domain, because it goes only to
 * verified addresses; in another country it is left to e-mail, push and inbox. The office's own
 * numbers, those of its bookings and of its colleagues may be abroad.
 */
export const findRefusedDestination = async (
  to: string,
  message: Pick<OutboxMessage, 'channel' | 'audience'>,
  {
    row,
    booking,
    settings,
    rules,
  }: {
    row: Pick<MessageRow, 'isWarning' | 'isByOffice'>
    booking: Booking | null
    settings: Pick<Settings, 'restrictCountry'>
    rules: MessageSettings
  },
): Promise<'country' | 'domain' | undefined> => {
  if (message.audience === 'office') return undefined
  if (message.channel === 'email')
    return row.isWarning || isEmailDomainAllowed(to, rules) ? undefined : 'domain'
  if (row.isByOffice || isOfficeBooking(booking)) return undefined
  const countries = rules.countries ?? [settings.restrictCountry]
  return (await isInCountries(to, countries)) ? undefined : 'country'
}
