import * as v from 'valibot'
import { getOwn } from '~/domain/data/ownValue'
import { toKilometers } from '../../../ports/positions'
import type { Maneuver, Step } from '../../../ports/mapsPort'

export const positionSchema = v.object({ lat: v.number(), lng: v.number() })
export const measureSchema = v.object({ value: v.number() })
export const stepSchema = v.object({
  distance: measureSchema,
  duration: measureSchema,
  start_location: positionSchema,
  maneuver: v.optional(v.string()),
  html_instructions: v.optional(v.string(), ''),
})
type GoogleStep = v.InferOutput<typeof stepSchema>

const MANEUVERS: Record<string, Maneuver> = {
  'turn-left': 'left',
  'turn-right': 'right',
  'turn-slight-left': 'slight-left',
  'turn-slight-right': 'slight-right',
  'turn-sharp-left': 'sharp-left',
  'turn-sharp-right': 'sharp-right',
  'uturn-left': 'u-turn',
  'uturn-right': 'u-turn',
  'roundabout-left': 'roundabout',
  'roundabout-right': 'roundabout',
  'fork-left': 'slight-left',
  'fork-right': 'slight-right',
  'ramp-left': 'slight-left',
  'ramp-right': 'slight-right',
  'keep-left': 'slight-left',
  'keep-right': 'slight-right',
  merge: 'continue',
  straight: 'continue',
}

/** Sides and compass directions as Google writes them in each interface language. */
const DIRECTION_PATTERNS = [
  /^(left|right|(north|south)?(east|west)?)$/i, // en
  /^(la )?(izquierda|derecha)$|^(norte|sur|(nor|nord|sur|sud)?o?este)$/i, // es
  /^(à )?(esquerda|direita)$|^(norte|sul|leste|(nor|nord|su|sud)?o?este)$/i, // pt
  /^(à )?(gauche|droite)$|^(nord|sud)?-?(est|ouest)?$/i, // fr
  /^(links|rechts)$|^(nord|süd)?(ost|west)?en$/i, // de
  /^(ال|لل)?(يسار|يمين)ا?$|^(ال)?(شمال|جنوب)? ?(ال)?(شرق|غرب)?ي?$/, // ar
  /^ל?(שמאל|שמאלה|ימין|ימינה)$|^(צפון|דרום)?[- ]?(מזרח|מערב)?$/, // he
  /^(बा|दा)(एं|एँ|ईं|यें|यीं|हिने)$|^(उत्तर|दक्षिण)?-?(पूर्व|पश्चिम)?$/, // hi
]
const ARABIC_VOWEL_MARKS = /[\u064b-\u0652]/g
/** An exit number: "2nd", "2ª", "12A". */
const EXIT_NUMBER = /^(\d{1,3})(\p{L}{1,3}|\.?[ºª]|\.)?$/u

/** Returns the bold texts in Google's sentence: the direction or exit first, then the street. */
const extractBoldTexts = (html: string): string[] =>
  [...html.matchAll(/<b>(.*?)<\/b>/g)].map(([, bold = '']) =>
    bold
      .replace(/<[^>]+>/g, '')
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&amp;', '&')
      .trim(),
  )
const isDirectionText = (bold: string) =>
  DIRECTION_PATTERNS.some((direction) => direction.test(bold.replace(ARABIC_VOWEL_MARKS, '')))

/** Returns the street from the bold texts, because Google names it only inside its sentence. */
const findStreet = (bold: readonly string[]): string =>
  bold.find((name) => !isDirectionText(name) && !EXIT_NUMBER.test(name)) ?? ''

const findExitNumber = (bold: readonly string[]): number | undefined => {
  const number = bold.map((name) => EXIT_NUMBER.exec(name)?.[1]).find(Boolean)
  return number === undefined ? undefined : Number(number)
}

/** Converts one of Google's steps. The first one of a leg is the departure. */
export const toStep = (
  {
    distance,
    duration,
    start_location: at,
    maneuver: serviceText = '',
    html_instructions: html,
  }: GoogleStep,
  isFirst: boolean,
): Step => {
  const bold = extractBoldTexts(html)
  const maneuver = isFirst ? 'depart' : (getOwn(MANEUVERS, serviceText) ?? 'continue')
  const exit = maneuver === 'roundabout' ? findExitNumber(bold) : undefined
  return {
    maneuver,
    street: findStreet(bold),
    distance_in_km: toKilometers(distance.value),
    time_in_secs: duration.value,
    at,
    ...(exit !== undefined && { exit }),
  }
}
