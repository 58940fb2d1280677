type Texts = Record<string, string>

const PARTS = import.meta.glob<Texts>(
  ['./locales/*/*.json', '!./locales/en/*.json', '!./locales/*/tour.json'],
  { import: 'default' },
)
// As strings, because the English texts are modules of the parts that need them.
const ENGLISH_PARTS = import.meta.glob<string>(['./locales/en/*.json', '!./locales/en/tour.json'], {
  import: 'default',
  query: '?raw',
})
/** Only a build for this machine contains the demo tour. */
const TOUR_PARTS =
  import.meta.env.KERBSIDE_TOUR === 'yes'
    ? import.meta.glob<Texts>(['./locales/*/tour.json', '!./locales/en/tour.json'], {
        import: 'default',
      })
    : {}

/** Loads the texts that ship with the product in a language; none for a language without them. */
export const loadShippedTexts = async (locale: string): Promise<Texts> => {
  const loadAll = <Part>(files: Record<string, () => Promise<Part>>): Promise<Part[]> =>
    Promise.all(
      Object.entries(files)
        .filter(([file]) => file.startsWith(`./locales/${locale}/`))
        .map(([, load]) => load()),
    )
  const [parts, english] = await Promise.all([
    loadAll({ ...PARTS, ...TOUR_PARTS }),
    loadAll(ENGLISH_PARTS),
  ])
  return Object.assign({}, ...parts, ...english.map((json) => JSON.parse(json) as Texts)) as Texts
}
