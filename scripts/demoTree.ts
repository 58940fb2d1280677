import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route, Value } from '~/domain/booking/change'
import type { Place } from '~/domain/entities'
import { createBundledMaps } from '~/functions/src/maps/bundled'
import { demoCity } from '~/seed/demoCity'
import { ROOT } from './build'

const LOCALES = join(ROOT, 'src', 'i18n', 'locales')

/** The interface texts by locale: each language's parts as one flat list, as the database keeps them. */
export function shippedTexts(): Record<string, Record<string, string>> {
  return Object.fromEntries(
    readdirSync(LOCALES).map((locale) => [
      locale,
      Object.assign(
        {},
        ...readdirSync(join(LOCALES, locale)).map(
          (part) => JSON.parse(readFileSync(join(LOCALES, locale, part), 'utf8')) as object,
        ),
      ) as Record<string, string>,
    ]),
  )
}

/** The whole database of the demo city as it stands at `now` (ms), with routes along its real streets. */
export async function demoTree(now: number): Promise<Value> {
  const maps = createBundledMaps(join(ROOT, 'functions', 'data', 'maps'))
  const routeBetween = async (from: Place, to: Place): Promise<Route> => {
    const route = await maps.directions(from, to)
    if (!route) throw new Error(`No way leads from ${from.add} to ${to.add}.`)
    return route
  }
  return demoCity({ now, texts: shippedTexts(), routeBetween })
}
