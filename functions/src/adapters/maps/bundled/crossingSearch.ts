import type { LoadedCity } from './bundledFiles'
import { splitAddressWords } from './gazetteer/addressWords'
import { listCrossingSides } from './gazetteer/crossings'
import type { FoundPlace, SearchOptions } from './gazetteer/gazetteer'

/** Streets of one name among which the crossing chooses. */
const MAX_NAMESAKES = 8

const isSameText = (one: string, other: string) =>
  splitAddressWords(one).join(' ') === splitAddressWords(other).join(' ')

/** Returns true for a part of a name, and false for "18 de Julio 1300" and the "5" of "1234/5". */
const isNamePart = (side: string) => /\p{L}{3}/u.test(side) && !/\d\p{L}?$/u.test(side)

/** Returns the streets that a part of a text can mean; none for a house or an unknown name. */
const findStreets = ({ gazetteer }: LoadedCity, side: string, options: SearchOptions) => {
  if (!isNamePart(side)) return []
  const places = gazetteer.search(side, { ...options, limit: MAX_NAMESAKES })
  return places[0]?.kind === 'address' ? [] : places.filter(({ kind }) => kind === 'street')
}

const listCrossing = (
  { graph }: LoadedCity,
  firsts: readonly FoundPlace[],
  seconds: readonly FoundPlace[],
): FoundPlace[] | null => {
  const toNames = (streets: readonly FoundPlace[]) => streets.map(({ ownName }) => ownName)
  const crossing = graph.findCrossing(toNames(firsts), toNames(seconds))
  if (!crossing) return null
  const [first, second] = [firsts[crossing.first]!, seconds[crossing.second]!]
  const name = `${first.name} & ${second.name}`
  return [{ name, ownName: name, context: '', kind: 'address', at: crossing.at }, first, second]
}

/**
 * Returns the crossing that a text names and its two streets, the streets alone when they do not
 * meet, or null for any other text. A street's name can be incomplete when there is a crossing:
 * "8 de Octubre y Garibaldi" for "Avenida General José Garibaldi".
 */
export const searchCrossing = (
  city: LoadedCity,
  typed: string,
  options: SearchOptions,
): FoundPlace[] | null => {
  const named = city.gazetteer.findCrossing(typed, options.language)
  const crossing = named && listCrossing(city, ...named)
  if (crossing) return crossing
  for (const [first, second] of listCrossingSides(typed)) {
    const firsts = findStreets(city, first, options)
    const seconds = firsts.length === 0 ? [] : findStreets(city, second, options)
    const meeting = seconds.length === 0 ? null : listCrossing(city, firsts, seconds)
    if (!meeting) continue
    const [best] = city.gazetteer.search(typed, { ...options, limit: 1 })
    const head = typed.split(',')[0]!
    return best && isSameText(best.name, head) ? null : meeting
  }
  return named && [named[0][0]!, named[1][0]!]
}
