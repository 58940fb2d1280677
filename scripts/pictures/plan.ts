import { parseArgs } from 'node:util'

export const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const
/** Looked at for faults only: nobody needs their pictures. */
export const EXTREMES = {
  narrow: { width: 360, height: 740 },
  wide: { width: 1920, height: 1080 },
} as const
const THEMES = ['light', 'dark'] as const
type Size = keyof typeof SIZES
type Theme = (typeof THEMES)[number]

export interface PicturesPlan {
  /** Of the names of screens, such as 'rider/wallet': a part of one is enough; none: all. */
  only: string[]
  sizes: Size[]
  themes: Theme[]
  /** Locales of the interface. */
  languages: string[]
  /** So many pages at a time. */
  pages: number
  /** Photograph the Kerbside that runs already instead of starting one. */
  running: boolean
}

const list = (text: string | undefined): string[] => (text ? text.split(',').filter(Boolean) : [])

const chosen = <Name extends string>(
  option: string,
  text: string | undefined,
  all: readonly Name[],
): Name[] => {
  const asked = list(text)
  const unknown = asked.find((name) => !(all as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new Error(`--${option} takes ${all.join(', ')}, not "${unknown}".`)
  return asked.length > 0 ? all.filter((name) => asked.includes(name)) : [...all]
}

/** Reads the command line; `locales` are those there are. Throws a sentence for a person when it can't. */
export const planFrom = (argv: string[], locales: readonly string[]): PicturesPlan => {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string' },
      size: { type: 'string' },
      theme: { type: 'string' },
      lang: { type: 'string' },
      pages: { type: 'string', default: '2' },
      running: { type: 'boolean', default: false },
    },
  })
  const pages = Number(values.pages)
  if (!Number.isInteger(pages) || pages < 1 || pages > 16)
    throw new Error(`--pages must be a whole number from 1 to 16, not "${values.pages}".`)
  return {
    only: list(values.only),
    sizes: chosen('size', values.size, Object.keys(SIZES) as Size[]),
    themes: chosen('theme', values.theme, THEMES),
    languages: chosen('lang', values.lang ?? 'en,ar', locales),
    pages,
    running: values.running,
  }
}
