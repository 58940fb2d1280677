import inbox from '~/src/i18n/locales/en/inbox.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'

/** Adds the English texts of messages, which only signed-in people read, before it renders. */
export const useInboxTexts = (): void => useAddedTexts(inbox)
