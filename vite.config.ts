import { writeFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
const part = (name: string, ...packages: string[]) => ({
  name,
  test: new RegExp(`[\\\\/]node_modules[\\\\/](${packages.join('|')})[\\\\/]`),
})

/**
 * Writes the public pages as finished HTML after the build, so that the first paint waits for no script.
 * `app.html` stays empty: it is the shell of every page that needs a session.
 */
const prerender = (): Plugin => {
  let out = resolve(root, 'dist')
  return {
    name: 'kerbside-prerender',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved({ build }) {
      out = resolve(root, build.outDir)
    },
    async closeBundle() {
      const server = await createServer({
        configFile: resolve(root, 'vite.config.ts'),
        mode: 'production',
        appType: 'custom',
        // Not the cache of a development server that may be running.
        cacheDir: resolve(root, 'node_modules/.vite-prerender'),
        logLevel: 'error',
        server: { middlewareMode: true, hmr: false, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true, include: [] },
      })
      try {
        const { pages } = (await server.ssrLoadModule('/src/app/prerender.tsx')) as {
          pages: (shell: string) => Promise<Record<string, string>>
        }
        const shell = readFileSync(resolve(out, 'index.html'), 'utf8')
        for (const [file, html] of Object.entries(await pages(shell))) {
          const target = resolve(out, file)
          mkdirSync(dirname(target), { recursive: true })
          writeFileSync(target, html)
        }
      } finally {
        await server.close()
      }
    },
  }
}

/**
 * react-i18next names one function of i18next, for a kind of key we do not have, and would bring all of i18next into
 * the first load; the translator itself comes after it.
 */
const lean = (): Plugin => ({
  name: 'kerbside-lean',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'i18next' && importer?.includes('react-i18next') ? '\0no-i18next' : null,
  load: (id) =>
    id === '\0no-i18next' ? 'export const keyFromSelector = (selector) => String(selector)' : null,
})

export default defineConfig({
  plugins: [react(), lean(), prerender()],
  resolve: { alias: { '~': root } },
  // The same names in the build and in the prerendered markup, which is made by another server.
  css: { modules: { generateScopedName: '[name]_[local]' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A group takes what it names and nothing that this happens to import: the table imports react-redux too.
          includeDependenciesRecursively: false,
          // Only what the first visit needs again on every page; the rest splits where pages are loaded.
          groups: [
            part('react', 'react', 'react-dom', 'scheduler'),
            part('firebase', '@firebase', 'firebase', 'idb'),
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
})
