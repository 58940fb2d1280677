/** Finds links in names and addresses, which a device would open or a reader would type. */

/** Dots of other scripts, which browsers read as dots. NFKC maps the others. */
const OTHER_DOTS = /[。｡]/g

/** Endings of web addresses that end no word of a name or an address. */
const DOMAINS = new Set(
  (
    'com net org info biz app dev xyz online site website shop store link click live club pro vip ' +
    'icu top web page cloud tech space fun win bid loan mobi gov edu bank pay money cash taxi cab ' +
    'cars help support today world group team games chat email one best work agency company ' +
    'рф рус бел укр срб мкд бг ею қаз ελ ευ ком онлайн сайт 中国 中國 公司 网络 網絡 网址 网站 在线 ' +
    '香港 台湾 台灣 新加坡 한국 닷컴 コム भारत कॉम السعودية مصر امارات ایران پاکستان شبكة موقع كوم ' +
    'ישראל קום ไทย คอม გე հայ'
  ).split(' '),
)
/** Short endings of services whose address has one letter, as in t.me. */
const SHORT_DOMAINS = new Set(['me', 'io', 'ly', 'gg', 'ai'])

/** Abbreviations of streets, titles, places and companies, which people write without a space. */
const ABBREVIATIONS = new Set(
  (
    'av avd avda ave bd blvd bv bvar bulev calle cl cno cra ctra cdra dg diag esq entre km no nr ' +
    'num nro pje psje pza plz pl platz prol rta rte ruta rua sq str trav tv urb via vle ' +
    'ap apt apto bl bloco blq cd cj conj depto dpto dto ed edf edif esc etg izq der of pb piso ' +
    'br cad cap capt cdte cnel col comte gen gral maj mons mt sgt tte ' +
    'abg adv arch arq avv cav dipl dom don dott dr dra egr eng fr gent geom hnos ill ing jr lic ma ' +
    'mag mlle mme mr mrs ms mtra mtro pbro pe phd prof profa rag rev sig sor spett sr sra srta ' +
    'pto pta pt ste sta sto st san cia cie co corp inc ltd ltda bros gebr ул пр пер кв им'
  ).split(' '),
)
/** Words and endings that follow an abbreviation or a number: Avda.de la Paz, Dott.ssa, 1.er. */
const SUFFIXES = new Set(
  (
    'de del la las los el do da dos das du des le les der den dem di al von van y e ' +
    'er do ro to mo vo ra ta ma th st nd rd eme ssa ra na ri re ne mi me'
  ).split(' '),
)

const FIXED_LINK = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]*:\/\/`,
    String.raw`\bwww\d?\.\S`,
    String.raw`[\p{L}\p{N}-]\.[a-z]{2}[/?#:]\S`,
    String.raw`[\p{L}\p{N}.+-]@[\p{L}\p{N}-]+\.\p{L}`,
    String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)`,
  ].join('|'),
  'iu',
)

/** Returns true when two labels with a dot between them look like the end of a host. */
const isHostEnd = (before: string, label: string): boolean => {
  const [name, ending] = [before.toLowerCase(), label.toLowerCase()]
  if (DOMAINS.has(ending) || /^xn--\w/.test(ending)) return true
  if (!/^[a-z]{2,}$/.test(ending)) return false
  if ([...name].length < 2) return SHORT_DOMAINS.has(label)
  const isNumber = /^\p{N}+$/u.test(name)
  const isShortened = ABBREVIATIONS.has(name)
  if ((isNumber || isShortened) && SUFFIXES.has(ending)) return false
  const isOneCase = label === ending || label === label.toUpperCase()
  // Plates have letters after a number.
  if (isNumber) return label === ending
  if (isShortened) return ending.length === 2 && isOneCase
  return isOneCase || ending.length === 2
}

const hasHost = (text: string): boolean =>
  text.split(/[^\p{L}\p{M}\p{N}.-]+/u).some((token) => {
    const labels = token.split('.')
    return labels.some((label, at) => {
      const before = labels[at - 1]?.replace(/^-+/, '')
      // Behind a hyphen, a device no longer reads the ending.
      const ending = /^xn--/i.test(label) ? label : label.replace(/-.*$/, '')
      return before !== undefined && before !== '' && isHostEnd(before, ending)
    })
  })

const toPlainSigns = (words: string): string => words.normalize('NFKC').replace(OTHER_DOTS, '.')

/**
 * Returns true when a text has a host, an address of a device, a scheme or an e-mail address, also
 * in full-width signs. A host is a label of two or more letters directly after a dot, in one case:
 * “evil.ru”, but neither “St.Gallen” nor “J.P.Morgan”. Known abbreviations are no host.
 */
export const hasLink = (words: string): boolean => {
  const plain = toPlainSigns(words)
  return FIXED_LINK.test(plain) || hasHost(plain)
}

/** Returns the words with a space in everything that a reader's device would make a link of. */
export const splitLinks = (words: string): string => {
  const split = words
    .replace(/:\/+/g, ': ')
    .replace(/@(?=[\p{L}\p{N}])/gu, '@ ')
    .replace(/([\p{L}\p{N}-]{2,})\.(?=\p{L}{2})/gu, '$1. ')
  if (!hasLink(split)) return split
  return toPlainSigns(split)
    .replace(/:\/+/g, ': ')
    .replace(/[.@](?=\S)/g, '$& ')
}
