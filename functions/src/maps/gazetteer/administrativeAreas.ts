import { foldText } from '../typoMatching'
import type { WordRole } from './addressText'

/** Words for departments, provinces and the like, in the languages of the product. */
const AREA_WORDS = new Set(
  foldText(
    'bundesland canton comarca condado county departamento département departements department ' +
      'depto dpto distrito district estado état kreis landkreis municipio municipality ' +
      'municipalité município préfecture prefectura província province provinz região region ' +
      'regierungsbezirk state إدارة إقليم محافظة مقاطعة منطقة ولاية אזור מחוז מחלקת נפת ' +
      'क्षेत्र प्रांत मंडल राज्य विभाग',
  ).split(' '),
)
const POSTCODE_MARKERS = new Set(['cp', 'cep', 'plz', 'zip'])
/** House numbers have fewer digits, and postcodes of most countries at least as many. */
const isLongNumber = (word: string) => /^\d{5,6}$/.test(word)

const isArea = (word: string | undefined) => word !== undefined && AREA_WORDS.has(word)

/** Returns true for "departamento de Montevideo" and "Montevideo Department", a part of its own. */
const isAreaPart = (words: readonly string[], roles: readonly WordRole[]) =>
  isArea(words[0]) || (isArea(words.at(-1)) && !roles.includes('streetType'))

/** Marks "departamento de Montevideo" inside a part that names a place before it. */
const markPhrases = (words: readonly string[], roles: WordRole[]): void => {
  words.forEach((word, start) => {
    if (start === 0 || !isArea(word)) return
    let end = start + 1
    while (roles[end] === 'stop') end++
    if (roles[end] === 'city') roles.fill('region', start, end + 1)
    else if (roles[start - 1] === 'city' && start > 1) roles.fill('region', start - 1, start + 1)
  })
}

/** Marks the postcode of the city: "11200 Montevideo", "Montevideo 11200", "CP 11200". */
const markPostcode = (words: readonly string[], roles: WordRole[]): void => {
  words.forEach((word, i) => {
    if (roles[i] !== 'number') return
    const isMarked = POSTCODE_MARKERS.has(words[i - 1] ?? '')
    const isBesideCity = roles[i - 1] === 'city' || roles[i + 1] === 'city'
    if (isMarked) roles.fill('region', i - 1, i + 1)
    else if (isBesideCity && isLongNumber(word)) roles[i] = 'region'
  })
}

/**
 * Marks the words of administrative areas and postcodes as `region`. An area has to stand behind
 * the place: "Calle Departamento" is a street.
 */
export const markRegions = (
  parts: readonly (readonly string[])[],
  roles: readonly WordRole[][],
): void => {
  parts.forEach((words, part) => {
    if (part > 0 && isAreaPart(words, roles[part]!)) roles[part]!.fill('region')
    markPhrases(words, roles[part]!)
    if (part > 0) markPostcode(words, roles[part]!)
  })
}
