import { parseArgs } from 'node:util'

export const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const
/** Sizes that are only checked for layout faults, without pictures. */
export const EXTREME_SIZES = {
  narrow: { width: 360, height: 740 },
  wide: { width: 1920, height: 1080 },
} as const
const THEMES = ['light', 'dark'] as const
type Size = keyof typeof SIZES
type Theme = (typeof THEMES)[number]

export interface ScreenshotPlan {
  /** Parts of screen names such as 'rider/wallet'; an empty list selects all. */
  nameFilters: string[]
  sizes: Size[]
  themes: Theme[]
  /** Locales of the interface. */
  languages: string[]
  /** Number of pages at the same time. */
  concurrentPages: number
  /** Photographs the Kerbside that already runs instead of starting one. */
  isRunning: boolean
  /** Photographs only the screens that the present change touches. */
  isTouchedOnly: boolean
}

const parseList = (text: string | undefined): string[] =>
  text ? text.split(',').filter(Boolean) : []

const parseChoice = <Name extends string>(
  option: string,
  text: string | undefined,
  all: readonly Name[],
): Name[] => {
  const names = parseList(text)
  const unknown = names.find((name) => !(all as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new Error(`--${option} must be one of ${all.join(', ')}, not "${unknown}".`)
  return names.length > 0 ? all.filter((name) => names.includes(name)) : [...all]
}

/**
 * Reads the command line; `locales` are the available ones. Throws a readable error for invalid
 * options.
 */
export const parsePlan = (argv: string[], locales: readonly string[]): ScreenshotPlan => {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string' },
      size: { type: 'string' },
      theme: { type: 'string' },
      lang: { type: 'string' },
      pages: { type: 'string', default: '2' },
      running: { type: 'boolean', default: false },
      touched: { type: 'boolean', default: false },
    },
  })
  const pages = Number(values.pages)
  if (!Number.isInteger(pages) || pages < 1 || pages > 16)
    throw new Error(`--pages must be a whole number from 1 to 16, not "${values.pages}".`)
  return {
    nameFilters: parseList(values.only),
    sizes: parseChoice('size', values.size, Object.keys(SIZES) as Size[]),
    themes: parseChoice('theme', values.theme, THEMES),
    languages: parseChoice('lang', values.lang ?? 'en,ar', locales),
    concurrentPages: pages,
    isRunning: values.running,
    isTouchedOnly: values.touched,
  }
}
