/** The words before or after a dot without a space that make it a name and not a web address. */

const toWords = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Abbreviations of streets, titles, places and companies, which people write without a space. */
export const ABBREVIATIONS = toWords(
  'av avd avda ave bd blvd bv bvar bulev calle cl cno cra ctra cdra dg diag esq entre km no nr ' +
    'num nro pje psje pza plz pl platz prol rta rte ruta rua sq str trav tv urb via vle ' +
    'ap apt apto bl bloco blq cd cj conj depto dpto dto ed edf edif esc etg izq der of pb piso ' +
    'br cad cap capt cdte cnel col comte gen gral maj mons mt sgt tte ' +
    'abg adv arch arq avv cav dipl dom don dott dr dra egr eng fr gent geom hnos hr ill ing jr lic ma ' +
    'mag me med mlle mme mr mrs ms mtra mtro pbro pe phd phil pr prof profa rag rev sig sor spett sr sra ' +
    'srta ' +
    'pto pta pt ste sta sto st san cia cie co corp inc ltd ltda bros gebr ул пр пер кв им',
)

/** Abbreviations of titles. Other abbreviations are words of hosts, too: corp.link, tv.love. */
export const TITLES = toWords(
  'dr dra dott prof profa mr mrs ms mme mlle me pr sr sra srta hr fr eng ing lic abg avv rev ' +
    'capt jr pe st ste sta',
)

/**
 * Top-level domains that are surnames or abbreviations, too. With a capital letter behind a
 * title they are a name: Dr.Best, Prof.Li. The hosts that this lets pass are those of one title and
 * one of these words, for example dr.best.
 */
export const SURNAMES = toWords(
  'abbott barclays best black bloomberg bond bosch case chase church cruise dance day dell ' +
    'ericsson faith ferrari fish flowers ford fox gallo george glass gold grainger green ' +
    'hair honda house hughes joy kim lamer land latrobe law leclerc lefrak lilly lincoln ' +
    'link love lundbeck mango marshalls norton olayan page pink pohl press prof read rich ' +
    'richardli ricoh rogers schmidt schule schwarz sharp shell silk smart song suzuki walter ' +
    'wang weber weir winners woodside works ' +
    'hu li ma ng no sr st su',
)

/**
 * Prepositions and articles that are top-level domains, too. They belong to a name when a word
 * follows: “Avda.de la Paz”, “12.de Octubre”.
 */
export const PREPOSITIONS = toWords('al de do la')

/** Endings of ordinal numbers that are top-level domains, too: “1.er piso”, “4.to”. */
export const ORDINAL_ENDINGS = toWords('er ma mo ro to')

/** Whole words whose last part is a top-level domain, too. */
export const DOTTED_WORDS = toWords(
  'c.so p.za dr.med gent.ma gent.mo ill.ma ill.mo preg.mo rev.do rev.mo sig.na s.de s.a.de ' +
    'cia.ltda co.inc co.ltd pty.ltd pvt.ltd',
)
