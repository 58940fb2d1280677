import type { TFunction } from 'i18next'
import { toPushText, type PushName } from '~/domain/booking/pushMessages'
import { EXAMPLE_VALUES } from '~/domain/messages/messageTexts'

const PLACEHOLDERS = Object.fromEntries(Object.keys(EXAMPLE_VALUES).map((name) => [name, '…']))

/**
 * Returns the name of a message in the office: its title, without the values of its variables
 * unless they are known.
 */
export const getMessageTitle = (
  event: PushName,
  t: TFunction,
  values: Partial<Record<keyof typeof EXAMPLE_VALUES, string>> = {},
): string => t(toPushText(event).title, { ...PLACEHOLDERS, ...values })
