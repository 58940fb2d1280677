import { createHash } from 'node:crypto'
import { writeFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
const part = (name: string, ...packages: string[]) => ({
  name,
  test: new RegExp(`[\\\\/]node_modules[\\\\/](${packages.join('|')})[\\\\/]`),
})

interface Modules {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}
/** Some modules and all that they import before they run; with `late` also what is fetched later. */
const reach = (modules: Modules, from: readonly string[], late = false): Set<string> => {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    const about = modules.getModuleInfo(id)
    for (const imported of about?.importedIds ?? []) add(imported)
    if (late) for (const imported of about?.dynamicallyImportedIds ?? []) add(imported)
  }
  from.forEach(add)
  return found
}

const MAIN = resolve(root, 'src/app/main.tsx')
const OFFICE_FIRST = ['OfficeShell.tsx', 'dashboard/DashboardPage.tsx'].map((file) =>
  resolve(root, 'src/office', file),
)
/**
 * What is needed together comes in one file: on a phone's network thirty small files are thirty answers to wait for, six
 * at a time, each with more headers than content. `first` is what the first scripts import; `office` what the office's
 * frame and first page need and nobody else does.
 */
const together = () => {
  let parts: Map<string, string> | undefined
  const collect = (modules: Modules) => {
    const found = new Map<string, string>()
    const late = [...reach(modules, [MAIN], true)].flatMap(
      (id) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [],
    )
    const others = late.filter((id) => !/[\\/]src[\\/]office[\\/]/.test(id))
    const elsewhere = reach(modules, others)
    for (const id of reach(modules, OFFICE_FIRST)) if (!elsewhere.has(id)) found.set(id, 'office')
    for (const id of reach(modules, [MAIN])) if (id !== MAIN) found.set(id, 'first')
    return found
  }
  return (id: string, modules: Modules) => (parts ??= collect(modules)).get(id) ?? null
}

/**
 * The page with its style sheets in it: its first paint waits for nothing but itself. The links stay, switched off, so
 * that no later script fetches for its own sake what is here.
 */
const withStyles = (html: string, out: string) =>
  html.replace(
    /<link rel="stylesheet"[^>]*href="(\/assets\/[^"]+\.css)"[^>]*>/g,
    (_, href: string) =>
      `<style>${readFileSync(`${out}${href}`, 'utf8').trim()}</style><link rel="stylesheet" href="${href}" disabled>`,
  )

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
          pages: (
            shell: string,
            about: { site: string; robots: string },
          ) => Promise<Record<string, string>>
        }
        const shell = readFileSync(resolve(out, 'index.html'), 'utf8')
        const about = {
          site: (process.env.KERBSIDE_SITE_URL ?? '').replace(/\/$/, ''),
          robots: readFileSync(resolve(root, 'public/robots.txt'), 'utf8'),
        }
        for (const [file, html] of Object.entries(await pages(shell, about))) {
          const target = resolve(out, file)
          mkdirSync(dirname(target), { recursive: true })
          writeFileSync(target, file === 'app.html' ? html : withStyles(html, out))
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

const WORKER = 'src/worker/worker.ts'
/** What the shell loads beside its first scripts, whichever page it opens. */
const ALSO_SHELL = [
  'src/app/Screens.tsx',
  'src/i18n/i18n.ts',
  'src/features/languages/LanguageChoice.tsx',
  'src/site/Footer.tsx',
  'src/site/AboutPage.tsx',
  'src/site/PrivacyPage.tsx',
  'src/site/home/BelowForm.tsx',
  'src/site/home/art.tsx',
]

/** What every screen of somebody signed in needs. */
const SIGNED_IN = [
  'src/features/auth/session.ts',
  'src/features/settings/settingsRow.ts',
  'src/features/languages/languageRow.ts',
  'src/services/device.ts',
  'src/services/firebase/auth.ts',
  'src/services/firebase/database.ts',
  'src/services/firebase/functions.ts',
  'src/services/firebase/storage.ts',
  'src/ui/map/MapView.tsx',
  'src/ui/map/LeafletCanvas.tsx',
  'src/site/bookings/BookingPage.tsx',
  'src/site/bookings/BookingMap.tsx',
  'src/trip/chat/ChatPage.tsx',
]
/** What goes on without a network, whether it has been opened yet or not: a driver's work, and a rider's bookings. */
const KEPT = {
  trip: [
    ...SIGNED_IN,
    'src/trip/TripShell.tsx',
    'src/trip/console/TripsPage.tsx',
    'src/trip/earnings/WalletPage.tsx',
  ],
  booking: [
    ...SIGNED_IN,
    'src/site/AccountBar.tsx',
    'src/site/bookings/BookingsPage.tsx',
    'src/features/inbox/InboxBell.tsx',
  ],
}

/** Tells the service worker, which is built beside the app, what to keep for the time without a network. */
const shell = (): Plugin => ({
  name: 'kerbside-shell',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
    const filesOf = (sources: string[]): string[] => {
      const files = new Set<string>()
      const add = (name: string) => {
        const chunk = bundle[name]
        if (files.has(`/${name}`) || chunk?.type !== 'chunk') return
        files.add(`/${name}`)
        for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(`/${css}`)
        for (const needed of chunk.imports) add(needed)
      }
      for (const source of sources) {
        const path = resolve(root, source)
        const chunk =
          chunks.find((one) => one.facadeModuleId === path) ??
          chunks.find(({ moduleIds }) => moduleIds.includes(path))
        if (!chunk) throw new Error(`${source} is in no file of the build.`)
        add(chunk.fileName)
      }
      return [...files].sort()
    }
    const worker = chunks.find(({ facadeModuleId }) => facadeModuleId === resolve(root, WORKER))
    if (!worker) throw new Error('The service worker was not built.')
    const shellFiles = filesOf(['index.html', ...ALSO_SHELL])
    const kept = Object.entries(KEPT).map(([screens, sources]) => [
      screens,
      filesOf(sources).filter((file) => !shellFiles.includes(file)),
    ])
    const build = createHash('sha256').update([shellFiles, kept].join())
    worker.code = worker.code
      .replaceAll('KERBSIDE_BUILD', JSON.stringify(build.digest('hex').slice(0, 12)))
      .replaceAll('KERBSIDE_SHELL', JSON.stringify(shellFiles))
      .replaceAll('KERBSIDE_KEPT', JSON.stringify(Object.fromEntries(kept)))
  },
})

export default defineConfig({
  plugins: [react(), lean(), shell(), prerender()],
  resolve: { alias: { '~': root } },
  // The same names in the build and in the prerendered markup, which is made by another server.
  css: { modules: { generateScopedName: '[name]_[local]' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: resolve(root, 'index.html'), sw: resolve(root, WORKER) },
      output: {
        // A service worker has one address for good, and rules what lies beside it.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          // A group takes what it names and nothing that this happens to import: the table imports react-redux too.
          includeDependenciesRecursively: false,
          // Only what the first visit needs again on every page; the rest splits where pages are loaded.
          groups: [
            part('react', 'react', 'react-dom', 'scheduler'),
            part('firebase', '@firebase', 'firebase', 'idb'),
            { debugName: 'together', name: together() },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
})
