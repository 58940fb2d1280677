import { useEffect, useState } from 'react'
import { loadShippedTexts } from '~/src/i18n/shippedTexts'
import { loadWithRetry } from '~/src/ui/loading/loadWithRetry'

type Texts = Readonly<Record<string, string>>

/** Returns all texts that ship with the product in a language; null until they have loaded. */
export const useShippedTexts = (locale: string): Texts | null => {
  const [loaded, setLoaded] = useState<{ locale: string; texts: Texts } | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadWithRetry(() => loadShippedTexts(locale)).then((texts) => {
      if (isCurrent) setLoaded({ locale, texts })
    })
    return () => {
      isCurrent = false
    }
  }, [locale])
  return loaded?.locale === locale ? loaded.texts : null
}
