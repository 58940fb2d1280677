import { useTranslation } from 'react-i18next'
import { useLive } from '~/src/store/live/liveSlice'
import { useChosenLocale } from '~/src/ui/format/useChosenLocale'
import { liveLanguages } from './languages'

/**
 * Returns all languages and the person's one: the one chosen on this device, whose texts may still
 * be loading, or the one that the page speaks.
 */
export const useCurrentLanguage = () => {
  const { i18n } = useTranslation()
  const chosenLocale = useChosenLocale()
  const { langlist, loading, error, retry } = useLive(liveLanguages)
  const findLanguage = (locale: string | null) =>
    langlist.find(({ langLocale }) => langLocale === locale)
  const current = findLanguage(chosenLocale) ?? findLanguage(i18n.language)
  return { langlist, current, loading, error, retry }
}
