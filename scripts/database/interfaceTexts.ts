import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../local/build'

const LOCALES_FOLDER = join(ROOT, 'src', 'i18n', 'locales')

/** Returns the interface texts by locale, each as one flat list, as the database stores them. */
export function readInterfaceTexts(): Record<string, Record<string, string>> {
  return Object.fromEntries(
    readdirSync(LOCALES_FOLDER).map((locale) => [
      locale,
      Object.assign(
        {},
        ...readdirSync(join(LOCALES_FOLDER, locale)).map(
          (part) => JSON.parse(readFileSync(join(LOCALES_FOLDER, locale, part), 'utf8')) as object,
        ),
      ) as Record<string, string>,
    ]),
  )
}
