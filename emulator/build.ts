import { dirname, resolve } from 'node:path'
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
    // CommonJS, because that is what the libraries inside require each other as.
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildEmulator(resolve(process.argv[2] ?? resolve(here, 'dist/emulator.cjs')))
}
