/** Characters of the GSM alphabet that take one septet. */
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Characters that take two septets: an escape and the character. */
const GSM_EXTENDED = '^{}\\[~]|€'

const WIDTHS = new Map([
  ...[...GSM_BASIC].map((character) => [character, 1] as const),
  ...[...GSM_EXTENDED].map((character) => [character, 2] as const),
])

interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** Septets of the GSM alphabet, or 16-bit units. */
  units: number
  /** The parts that a service bills; 0 for an empty text. */
  segments: number
}

/** Units of a text in one part, and of each part of a longer one, which begins with a header. */
const LIMITS = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } } as const

/** Returns true when an SMS with this text needs no 16-bit characters. */
export const isGsmText = (text: string): boolean =>
  [...text].every((character) => WIDTHS.has(character))

/** Returns the encoding of an SMS and the number of its parts. No character spans two parts. */
export const measureSms = (text: string): SmsSize => {
  const encoding = isGsmText(text) ? 'GSM-7' : 'UCS-2'
  const sizes = [...text].map((character) =>
    encoding === 'GSM-7' ? (WIDTHS.get(character) ?? 1) : character.length,
  )
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { single, part } = LIMITS[encoding]
  if (units <= single) return { encoding, units, segments: units === 0 ? 0 : 1 }
  let segments = 1
  let filled = 0
  for (const size of sizes) {
    if (filled + size > part) {
      segments += 1
      filled = 0
    }
    filled += size
  }
  return { encoding, units, segments }
}
