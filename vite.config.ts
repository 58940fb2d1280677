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
const prerender = (): Plugin => ({
  name: 'kerbside-prerender',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
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
      const shell = readFileSync(resolve(root, 'dist/index.html'), 'utf8')
      for (const [file, html] of Object.entries(await pages(shell))) {
        const target = resolve(root, 'dist', file)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, html)
      }
    } finally {
      await server.close()
    }
  },
})

export default defineConfig({
  plugins: [react(), prerender()],
  resolve: { alias: { '~': root } },
  // The same names in the build and in the prerendered markup, which is made by another server.
  css: { modules: { generateScopedName: '[name]_[local]' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            part('react', 'react', 'react-dom', 'scheduler'),
            part('firebase', '@?firebase', 'idb'),
            part('table', '@material-table', '@hello-pangea', 'date-fns', 'zustand', 'deepmerge'),
            part(
              'mui',
              '@mui',
              '@emotion',
              'stylis',
              'stylis-plugin-rtl',
              'react-transition-group',
              '@popperjs',
            ),
            part('maps', 'leaflet', '@react-google-maps', '@googlemaps', 'pbf', '@mapbox'),
            part('phone', 'libphonenumber-js'),
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
})
