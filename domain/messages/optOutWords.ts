/**
 * Words with which people stop and start the messages of a sender, by the language of the product.
 * The English ones are those of the SMS services.
 */
const STOP_WORDS = [
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  ...['ALTO', 'BAJA', 'CANCELAR', 'PARAR', 'SAIR', 'ARRET', 'DESABONNER', 'STOPP', 'ABMELDEN'],
  ...['रोकें', 'बंद', 'إيقاف', 'ايقاف', 'الغاء', 'إلغاء', 'הסר', 'עצור'],
]
const START_WORDS = [
  ...['START', 'UNSTOP', 'SUBSCRIBE', 'OPTIN'],
  ...['ALTA', 'INICIAR', 'VOLTAR', 'REPRENDRE', 'ABONNER', 'STARTEN', 'ANMELDEN'],
  ...['शुरू', 'ابدأ', 'ابدا', 'اشتراك', 'התחל'],
]

/** Returns a word without case, accents of Latin letters, and signs around it. */
const normalize = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLocaleUpperCase('en')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

const STOP = new Set(STOP_WORDS.map(normalize))
const START = new Set(START_WORDS.map(normalize))

/**
 * Returns what a person asks for with a message: its only word is one of ours. A sentence that
 * contains such a word means something else.
 */
export const parseOptOutWord = (text: string): 'stop' | 'start' | undefined => {
  if (/\p{L}\s+\p{L}/u.test(text.trim())) return undefined
  const word = normalize(text)
  if (STOP.has(word)) return 'stop'
  return START.has(word) ? 'start' : undefined
}
