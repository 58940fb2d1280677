import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))

/** Bundles the stand-ins into one file that `bin/java` runs. */
export const buildEmulator = async (outfile: string): Promise<void> => {
  await build({
    entryPoints: [resolve(here, 'src/cli.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // CommonJS, because the bundled libraries load each other with require.
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
}

/** The modules that `exports` of package.json names. */
const MODULES = ['server', 'inProcess', 'rules/compiler', 'storage/runtime']

const buildModules = async (folder: string): Promise<void> => {
  await build({
    entryPoints: MODULES.map((name) => resolve(here, `src/${name}.ts`)),
    outdir: folder,
    outbase: resolve(here, 'src'),
    bundle: true,
    // Modules that several entries use, such as error classes, must exist once.
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  })
}

const buildTypes = (folder: string): void => {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const options = [
    ...['--declaration', '--emitDeclarationOnly', '--strict', '--skipLibCheck'],
    ...['--target', 'ES2023', '--module', 'ESNext', '--moduleResolution', 'bundler'],
    ...['--types', 'node', '--rootDir', resolve(here, 'src'), '--outDir', folder],
    ...['--ignoreConfig'],
  ]
  const files = MODULES.map((name) => resolve(here, `src/${name}.ts`))
  execFileSync(process.execPath, [compiler, ...options, ...files], { cwd: here, stdio: 'inherit' })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(folder, name)
    // Node.js resolves only complete file names, unlike the bundlers for which the source is
    // written.
    const text = readFileSync(file, 'utf8').replace(/(from '\.[^']*)'/g, "$1.js'")
    writeFileSync(file, text)
  }
}

/** Builds everything that the published package contains in `dist`. */
export const buildPackage = async (folder: string): Promise<void> => {
  await buildEmulator(join(folder, 'emulator.cjs'))
  await buildModules(folder)
  buildTypes(join(folder, 'types'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option] = process.argv.slice(2)
  if (option === '--package') await buildPackage(resolve(here, 'dist'))
  else await buildEmulator(resolve(option ?? resolve(here, 'dist/emulator.cjs')))
}
