import { getOwn } from '~/domain/data/ownValue'
import { foldText } from '~/domain/language/foldedWords'

/** Short forms that people type or a map uses, and the words that they can stand for. */
const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  al: ['alameda'],
  alte: ['almirante'],
  arq: ['arquitecto'],
  av: ['avenida', 'avenue'],
  avda: ['avenida'],
  ave: ['avenida', 'avenue'],
  bd: ['bulevar', 'boulevard'],
  blvd: ['bulevar', 'boulevard'],
  blvr: ['bulevar'],
  boul: ['bulevar', 'boulevard'],
  br: ['bulevar'],
  brig: ['brigadier'],
  bv: ['bulevar', 'boulevard'],
  bvar: ['bulevar'],
  bvd: ['bulevar', 'boulevard'],
  cap: ['capitan'],
  cl: ['calle'],
  cmno: ['camino'],
  cmte: ['comandante'],
  cnel: ['coronel'],
  cno: ['camino'],
  cra: ['carrera'],
  cte: ['comandante'],
  dr: ['doctor', 'doutor', 'drive'],
  dra: ['doctora', 'doutora'],
  est: ['estrada'],
  gal: ['general'],
  gob: ['gobernador'],
  gral: ['general'],
  hno: ['hermano'],
  hnos: ['hermanos'],
  ing: ['ingeniero'],
  lgo: ['largo'],
  ln: ['lane'],
  mcal: ['mariscal'],
  pca: ['praca'],
  pdte: ['presidente'],
  pje: ['pasaje'],
  pl: ['plaza', 'place', 'platz'],
  pque: ['parque'],
  pres: ['presidente'],
  prof: ['profesor', 'professor'],
  psje: ['pasaje'],
  pte: ['presidente', 'puente'],
  pza: ['plaza'],
  rbla: ['rambla'],
  rd: ['road'],
  rod: ['rodovia'],
  sgto: ['sargento'],
  st: ['street', 'saint', 'sankt'],
  sta: ['santa'],
  ste: ['sainte'],
  sto: ['santo'],
  str: ['strasse'],
  tnte: ['teniente'],
  trav: ['travessa'],
  tte: ['teniente'],
  tv: ['travessa'],
}

/** Words with two spellings; the second one is canonical. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  boulevard: ['bulevar'],
  septiembre: ['setiembre'],
}

/** The numbers that names of streets and places have, from one on, by language. */
const NUMBER_WORDS: readonly string[] = [
  'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis ' +
    'diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro ' +
    'veinticinco veintiseis veintisiete veintiocho veintinueve treinta',
  'um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis ' +
    'dezessete dezoito dezenove vinte',
  'one two three four five six seven eight nine ten eleven twelve',
  'un deux trois quatre cinq six sept huit neuf dix onze douze',
  'eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf',
]

/** Returns each word that is a number with its digits. */
const listNumbers = (): [string, string][] => {
  const values = new Map<string, string>()
  for (const list of NUMBER_WORDS)
    list.split(' ').forEach((word, i) => {
      if (!values.has(word)) values.set(word, String(i + 1))
    })
  return [...values]
}

const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Object.entries(ABBREVIATIONS),
    ...Object.entries(SPELLINGS),
    ...listNumbers().map(([word, digits]): [string, string[]] => [word, [digits]]),
  ].map(([word, forms]) => [word, [word, ...forms]]),
)

/** Letters that have no accent to remove, but that people type as other letters. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  º: ' ',
  ª: ' ',
}

/** Words for a kind of street. Many people add or omit them: "Calle 25 de Mayo". */
export const STREET_TYPES = new Set(
  (
    'alameda allee avenida avenue boulevard bulevar calle camino carrera carretera chaussee chemin ' +
    'drive estrada gasse impasse lane largo pasaje passage place platz plaza praca rambla road ' +
    'rodovia route rua rue ruta square strasse street travessa via weg רחוב شارع मार्ग'
  ).split(' '),
)

/** Kinds of street that people also say before a name without one: "Calle San Pedro". */
export const COMMON_STREET_TYPES = new Set(
  'calle rua rue street strasse via רחוב شارع मार्ग'.split(' '),
)

/** Words for a kind of place that people omit: "Tres Cruces" for "Terminal Tres Cruces". */
const PLACE_TYPES = new Set(
  (
    'aeropuerto airport aeroporto estacion estacao estadio gare hospital mall parque plaza ' +
    'puerto sanatorio shopping station terminal universidad universidade university'
  ).split(' '),
)

/** Words too common to tell names apart. */
export const STOP_WORDS = new Set(
  'a al and at con d da das de del den der des di die do dos du e el en et in l la las le les lo los of the und y'.split(
    ' ',
  ),
)

/** Words before a house number: "San José nro 1234", "N° 1234". */
export const NUMBER_MARKERS = new Set([
  'n',
  'no',
  'nr',
  'nro',
  'nros',
  'num',
  'numero',
  'number',
  'nummer',
])

/** Returns the ASCII digit of an Arabic or a Persian one. */
const toAsciiDigit = (digit: string) => String(digit.charCodeAt(0) & 15)

/** Returns the words of a name or an address: folded letters and digits, in order. */
export const splitAddressWords = (text: string): string[] =>
  foldText(text)
    .replace(
      /[٠-٩۰-۹ßøłđæœıºª]/g,
      (letter) => getOwn(PLAIN_LETTERS, letter) ?? toAsciiDigit(letter),
    )
    .match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Returns the word and what it can stand for: the words of an abbreviation, the digits of a number.
 */
export const expandWord = (word: string): readonly string[] => FORMS.get(word) ?? [word]

/** Returns the one word that stands for a word and its other spellings. */
export const toCanonical = (word: string): string => expandWord(word)[1] ?? word

/** Joins words so that "Av. Italia" and "Avenida Italia" are the same text. */
export const joinCanonically = (words: readonly string[]): string =>
  words.map(toCanonical).join(' ')

/** Returns a canonical name without its kind of street: "18 de julio" for "avenida 18 de julio". */
export const removeStreetType = (name: string): string => {
  const end = name.indexOf(' ')
  return end > 0 && STREET_TYPES.has(name.slice(0, end)) ? name.slice(end + 1) : name
}

/**
 * Returns a canonical name without its kind of place at either end: "tres cruces" for "terminal
 * tres cruces".
 */
export const removePlaceType = (name: string): string => {
  const first = name.indexOf(' ')
  if (first < 0) return name
  if (PLACE_TYPES.has(name.slice(0, first))) return name.slice(first + 1)
  const last = name.lastIndexOf(' ')
  return PLACE_TYPES.has(name.slice(last + 1)) ? name.slice(0, last) : name
}
