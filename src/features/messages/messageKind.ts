import { type PushName, toPushText } from '~/domain/booking/pushMessages'

/** Texts for messages whose title names one booking. */
const KINDS: Partial<Record<PushName, string>> = { receipt: 'receipt_message' }

/** Returns the translation key of a message's kind: its title, unless that has variables. */
export const getMessageKind = (event: PushName): string => KINDS[event] ?? toPushText(event).title
