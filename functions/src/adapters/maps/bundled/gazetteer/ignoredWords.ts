import { foldText } from '~/domain/language/foldedWords'
import type { WordRole } from './wordRole'

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
/** Words before the number of a flat, a floor, a lot and the like. */
const UNIT_WORDS = new Set(
  foldText(
    'andar apart apartamento apartment appartement apt apto casa esc ' +
      'escalera etage flat floor lote local manzana mz mza nivel oficina of ofic piso planta sala ' +
      'solar suite torre unidad unit wohnung דירה קומה شقة طابق फ्लैट मंजिल',
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
    if (roles[end] === 'city') roles.fill('ignored', start, end + 1)
    else if (roles[start - 1] === 'city' && start > 1) roles.fill('ignored', start - 1, start + 1)
  })
}

/** Marks the postcode of the city: "11200 Montevideo", "Montevideo 11200", "CP 11200". */
const markPostcode = (words: readonly string[], roles: WordRole[]): void => {
  words.forEach((word, i) => {
    if (roles[i] !== 'number') return
    const isMarked = POSTCODE_MARKERS.has(words[i - 1] ?? '')
    const isBesideCity = roles[i - 1] === 'city' || roles[i + 1] === 'city'
    if (isMarked) roles.fill('ignored', i - 1, i + 1)
    else if (isBesideCity && isLongNumber(word)) roles[i] = 'ignored'
  })
}

const isUnitNumber = (word: string | undefined) => word !== undefined && /^\d/.test(word)

/** Marks "apto 501" and "manzana 3 solar 12" to the end of their part. */
const markUnits = (words: readonly string[], roles: WordRole[], isFirstPart: boolean): void => {
  const start = words.findIndex(
    (word, i) => (i > 0 || !isFirstPart) && UNIT_WORDS.has(word) && isUnitNumber(words[i + 1]),
  )
  if (start >= 0) roles.fill('ignored', start)
}

/**
 * Marks the words of administrative areas, postcodes and units as `ignored`. An area has to stand
 * behind the place: "Calle Departamento" is a street.
 */
export const markIgnored = (
  parts: readonly (readonly string[])[],
  roles: readonly WordRole[][],
): void => {
  parts.forEach((words, part) => {
    if (part > 0 && isAreaPart(words, roles[part]!)) roles[part]!.fill('ignored')
    markPhrases(words, roles[part]!)
    if (part > 0) markPostcode(words, roles[part]!)
    markUnits(words, roles[part]!, part === 0)
  })
}
