import { cleanWords } from '~/domain/language/words'
import type { MessageParams } from '~/domain/messages/outbox'

/**
 * Returns the parameters of a message without links and unseen characters, also those from records
 * that are older than the check of words: the platform's own texts carry them.
 */
export const cleanParams = (params: MessageParams = {}): MessageParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? cleanWords(value, 'name') : value,
    ]),
  )
