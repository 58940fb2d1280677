import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Value } from '~/domain/booking/change'
import { demoCity } from '~/seed/demoCity'
import { ROOT } from './build'

const LOCALES = join(ROOT, 'src', 'i18n', 'locales')

/** The interface texts by locale, as the web app ships them. */
function shippedTexts(): Record<string, Record<string, string>> {
  if (!existsSync(LOCALES)) return {}
  return Object.fromEntries(
    readdirSync(LOCALES)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        file.slice(0, -'.json'.length),
        JSON.parse(readFileSync(join(LOCALES, file), 'utf8')) as Record<string, string>,
      ]),
  )
}

/** The whole database of the demo city as it stands at `now` (ms). */
export const demoTree = (now: number): Value => demoCity({ now, texts: shippedTexts() })
