/**
 * Writes the types of the CSS modules, so that a class that a module does not have is a type error.
 * The steps `types` and `lint` run it, and `npm run dev` keeps the types up to date for editors.
 * The build and the tests read no types.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preprocessCSS, resolveConfig, type Plugin, type ResolvedConfig } from 'vite'
import { ROOT } from '../local/build'

/** `rootDirs` and `paths` of tsconfig.base.json find the types here, as if beside the modules. */
const OUTPUT = '.kerbside/cssTypes'
const MODULE = '.module.css'
const TYPES = '.d.ts'

const listFiles = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending))

const readIfPresent = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns the classes of a module as the build exports them. */
const readClasses = async (file: string, config: ResolvedConfig): Promise<string[]> => {
  const { modules = {} } = await preprocessCSS(readFileSync(file, 'utf8'), file, config)
  return Object.keys(modules).sort()
}

const printTypes = (classes: readonly string[]): string =>
  [
    'declare const classes: {',
    ...classes.map((name) => `  readonly ${JSON.stringify(name)}: string`),
    '}',
    'export default classes',
    '',
  ].join('\n')

/**
 * Writes the types of all CSS modules below `src` and removes those of deleted modules. Safe when
 * two run at a time, because each writes the same.
 */
export async function writeCssModuleTypes(root = ROOT): Promise<void> {
  const config = await resolveConfig({ configFile: false, root, logLevel: 'error' }, 'build')
  const output = join(root, OUTPUT)
  mkdirSync(join(output, 'src'), { recursive: true })
  const modules = listFiles(join(root, 'src'), MODULE).map((file) => join('src', file))
  const expected = new Set(modules.map((file) => `${file}${TYPES}`))
  for (const file of listFiles(output, TYPES))
    if (!expected.has(file)) rmSync(join(output, file), { force: true })
  for (const module of modules) {
    const types = printTypes(await readClasses(join(root, module), config))
    const file = join(output, `${module}${TYPES}`)
    // The compiler's watcher and editors check again what changed.
    if (readIfPresent(file) === types) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, types)
  }
}

/** Writes the types when the development server starts and whenever a CSS module changes. */
export const cssModuleTypes = (): Plugin => ({
  name: 'kerbside-css-module-types',
  configureServer: async ({ watcher }) => {
    watcher.on('all', (_event, file) => {
      if (file.endsWith(MODULE)) void writeCssModuleTypes()
    })
    await writeCssModuleTypes()
  },
})

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeCssModuleTypes()
