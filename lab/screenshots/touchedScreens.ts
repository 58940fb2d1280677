/**
 * Chooses the screens whose code a change touches: `npm run --prefix lab pictures -- --touched`, a
 * step of the whole test.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'
import { ROOT } from '~/scripts/local/build'
import { findBase, listChangedFiles } from '~/scripts/testRun/changedFiles'
import { screenPaths } from '~/src/store/screenPaths'
import type { ScreenSpec } from './screenList'

/** Maximum number of screens: those whose page is nearest to the changed files. */
const MAX_TOUCHED_SCREENS = 24
/** Where the public pages are chosen, which are part of the initial bundle. */
const PUBLIC_PAGES = 'src/app/App.tsx'
const PAGE_LISTS = {
  site: 'src/site/pages.ts',
  office: 'src/office/pages.ts',
  trip: 'src/driver/pages.ts',
} as const
type Area = keyof typeof PAGE_LISTS

/** Returns the files that a file of the repository imports, also on demand. */
export type ImportReader = (file: string) => readonly string[]

/** Returns the file that an import names; undefined for a package. */
const resolveImport = (from: string, name: string): string | undefined => {
  if (!name.startsWith('.') && !name.startsWith('~/')) return undefined
  const path = name.startsWith('~/') ? name.slice(2) : posix.join(dirname(from), name)
  return ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
    .map((ending) => `${path}${ending}`)
    .find((file) => /\.\w+$/.test(file) && existsSync(join(ROOT, file)))
}

/** Reads the imports of the repository's own files, each once. */
export const createImportReader = (): ImportReader => {
  const importsByFile = new Map<string, readonly string[]>()
  return (file) => {
    const knownImports = importsByFile.get(file)
    if (knownImports) return knownImports
    const isCode = /\.tsx?$/.test(file) && existsSync(join(ROOT, file))
    const { importedFiles } = isCode
      ? ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'))
      : { importedFiles: [] }
    const imports = importedFiles.flatMap(({ fileName }) => resolveImport(file, fileName) ?? [])
    importsByFile.set(file, imports)
    return imports
  }
}

/**
 * Returns the number of imports from a page to each file below it. The lists of pages end the way,
 * because every page is below them.
 */
export const measureDistances = (
  page: string,
  readImports: ImportReader,
): ReadonlyMap<string, number> => {
  const distances = new Map([[page, 0]])
  const ends = new Set<string>(Object.values(PAGE_LISTS))
  for (const [file, distance] of distances)
    if (!ends.has(file))
      for (const one of readImports(file)) if (!distances.has(one)) distances.set(one, distance + 1)
  return distances
}

/** Returns the module of each page in a list of pages, by route. */
export const parsePageList = (text: string, folder: string): ReadonlyMap<string, string> => {
  const helpers = new Map(
    [...text.matchAll(/const (\w+) = \(\) => import\('\.\/([^']+)'\)/g)].map(
      ([, name = '', module = '']) => [name, module],
    ),
  )
  const entries = text.matchAll(
    /\[screenPaths\.(\w+)(?:\('([^']*)'\))?\]: \(\) =>\s*(?:import\('\.\/([^']+)'\)|(\w+)\(\))/g,
  )
  return new Map(
    [...entries].map(([, name = '', parameter = '', module, helper = '']) => {
      const path: string | ((part: string) => string) | undefined =
        screenPaths[name as keyof typeof screenPaths]
      const route = typeof path === 'function' ? path(parameter) : path
      return [route, `${folder}/${module ?? helpers.get(helper) ?? ''}.tsx`]
    }),
  )
}

const getArea = ({ name }: Pick<ScreenSpec, 'name'>): Area =>
  /^(admin|fleetadmin)\//.test(name) ? 'office' : name.startsWith('driver/') ? 'trip' : 'site'

const readPageLists = (): Record<Area, ReadonlyMap<string, string>> => {
  const read = (file: string) =>
    parsePageList(readFileSync(join(ROOT, file), 'utf8'), dirname(file))
  const { site, office, trip } = PAGE_LISTS
  return { site: read(site), office: read(office), trip: read(trip) }
}

/** Returns a function that names the page module of a screen. */
export const createPageFinder = () => {
  const lists = readPageLists()
  const toPattern = (route: string) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`)
  return (screen: Pick<ScreenSpec, 'name' | 'path'>): string => {
    const [path = ''] = screen.path.split('?')
    const area = getArea(screen)
    const ordered = [area, ...(Object.keys(lists) as Area[]).filter((one) => one !== area)]
    const page = ordered
      .flatMap((one) => [...lists[one]])
      .find(([route]) => toPattern(route).test(path))
    return page?.[1] ?? PUBLIC_PAGES
  }
}

/** Returns the pages that are or import a changed file, with the imports to the nearest one. */
export const measureTouchedPages = (
  pages: readonly string[],
  changedFiles: readonly string[],
  readImports: ImportReader,
): ReadonlyMap<string, number> =>
  new Map(
    pages.flatMap((page): [string, number][] => {
      const distances = measureDistances(page, readImports)
      const nearest = Math.min(...changedFiles.map((file) => distances.get(file) ?? Infinity))
      return nearest < Infinity ? [[page, nearest]] : []
    }),
  )

/** Returns the pages that the present change touches, with the imports to the nearest change. */
export const findTouchedPages = (): ReadonlyMap<string, number> => {
  const base = findBase()
  if (base === undefined) console.log('There is no earlier commit to compare with.')
  const pages = Object.values(readPageLists()).flatMap((list) => [...list.values()])
  return measureTouchedPages(
    [...new Set([PUBLIC_PAGES, ...pages])],
    base === undefined ? [] : listChangedFiles(base),
    createImportReader(),
  )
}

/** Returns the screens of these pages, the nearest to the change first, up to a maximum. */
export const selectTouchedScreens = <Screen extends Pick<ScreenSpec, 'name' | 'path'>>(
  screens: readonly Screen[],
  touchedPages: ReadonlyMap<string, number>,
  findPage: (screen: Screen) => string = createPageFinder(),
): Screen[] => {
  const touched = screens
    .map((screen) => ({ screen, distance: touchedPages.get(findPage(screen)) ?? Infinity }))
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance)
    .map(({ screen }) => screen)
  const left = touched.length - MAX_TOUCHED_SCREENS
  if (left > 0) console.log(`The change touches ${left} more screens, which are farther from it.`)
  return touched.slice(0, MAX_TOUCHED_SCREENS)
}
