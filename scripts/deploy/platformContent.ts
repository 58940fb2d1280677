import type { PlatformContent } from '~/src/app/pageData'
import { readInterfaceTexts } from '../database/interfaceTexts'
import type { FirebaseProject } from '../firebaseTools'
import type { Settings } from '~/domain/catalog/types'

/** The language that the public pages are built in. */
const BUILT_LOCALE = 'en'

/**
 * Returns what a platform shows on its public pages, for the build: its settings, and the texts
 * that it has changed. Returns null before its setup.
 */
export const readPlatformContent = async ({
  readValue,
}: Pick<FirebaseProject, 'readValue'>): Promise<PlatformContent | null> => {
  const settings = (await readValue('/settings')) as Settings | null
  if (settings === null) return null
  const shipped = readInterfaceTexts()[BUILT_LOCALE] ?? {}
  const texts = (await readValue(`/languages/${BUILT_LOCALE}/keyValuePairs`)) as Record<
    string,
    string
  > | null
  const changed = Object.entries(texts ?? {}).filter(
    ([key, text]) => key in shipped && shipped[key] !== text,
  )
  return { settings, texts: Object.fromEntries(changed) }
}
