import { useInboxTexts } from '~/src/features/inbox/inboxTexts'
import trip from '~/src/i18n/locales/en/trip.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'

/** Adds the drivers' English texts, which load with their pages, before the first page renders. */
export const useDriverTexts = (): void => {
  useInboxTexts()
  useAddedTexts(trip)
}
