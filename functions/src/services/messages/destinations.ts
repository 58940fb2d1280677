import { isEmailDomainAllowed } from '~/domain/messages/emailDomains'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { isCausedByOffice } from '~/domain/messages/sendingLimits'
import { isInCountries } from './phoneNumbers'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/**
 * Returns why the office lets no such message go to this number or address: its country or its
 * domain; undefined when it may go.
 */
export const findRefusedDestination = async (
  to: string,
  message: Pick<OutboxMessage, 'channel' | 'audience'>,
  {
    booking,
    settings,
    rules,
  }: {
    booking: Booking | null
    settings: Pick<Settings, 'restrictCountry'>
    rules: MessageSettings
  },
): Promise<'country' | 'domain' | undefined> => {
  if (message.channel === 'email')
    return message.audience === 'office' || isEmailDomainAllowed(to, rules) ? undefined : 'domain'
  if (isCausedByOffice(message, booking)) return undefined
  const countries = rules.countries ?? [settings.restrictCountry]
  return (await isInCountries(to, countries)) ? undefined : 'country'
}
