import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, defineConfig, type Plugin, type Rolldown } from 'vite'
import { planChunks, type SharedModule } from './scripts/chunkPlan'

const root = import.meta.dirname
const part = (name: string, ...packages: string[]) => ({
  name,
  test: new RegExp(`[\\\\/]node_modules[\\\\/](${packages.join('|')})[\\\\/]`),
})

/** Libraries with a file of their own. */
const LIBRARIES = [
  part('react', 'react', 'react-dom', 'scheduler'),
  // Only people who turn on notifications need it.
  part('messaging', '@firebase/messaging', '@firebase/installations', 'firebase/messaging'),
  // App Check is optional, so it has its own file.
  part('firebase', '(?:@firebase|firebase)[\\\\/](?!app-check)[^\\\\/]+', 'idb'),
]

/** The texts of a language, which load together; English ones only where they are edited. */
const LANGUAGE_TEXTS = /[\\/]i18n[\\/]locales[\\/](?!en[\\/][^?]+$)(\w+)[\\/](?!tour)/
const nameLanguageTexts = (id: string) => {
  const locale = LANGUAGE_TEXTS.exec(id)?.[1]
  return locale === undefined ? null : `texts-${locale}`
}

interface Modules {
  getModuleInfo(id: string): {
    code: string | null
    importedIds: readonly string[]
    dynamicallyImportedIds: readonly string[]
  } | null
}
/**
 * Returns modules and everything they import before they run; with `late` also their dynamic
 * imports.
 */
const reach = (modules: Modules, from: readonly string[], late = false): Set<string> => {
  const visited = new Set<string>()
  const add = (id: string) => {
    if (visited.has(id)) return
    visited.add(id)
    const about = modules.getModuleInfo(id)
    for (const imported of about?.importedIds ?? []) add(imported)
    if (late) for (const imported of about?.dynamicallyImportedIds ?? []) add(imported)
  }
  from.forEach(add)
  return visited
}

/** The script of every page, and the app that it starts. */
const START = resolve(root, 'src/app/start.ts')
const MAIN = resolve(root, 'src/app/main.tsx')

/** The name of a planned file before the build adds its hash. */
const SHARED_NAME = /^shared\d+$/

/** Returns the modules that several parts need, without those of the first scripts. */
const findSharedModules = (modules: Modules, first: ReadonlySet<string>): SharedModule[] => {
  const entries = new Set(
    [...reach(modules, [START], true)].flatMap(
      (id) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [],
    ),
  )
  const byModule = new Map<string, Set<string>>()
  for (const entry of entries)
    for (const id of reach(modules, [entry])) {
      if (first.has(id)) continue
      byModule.set(id, (byModule.get(id) ?? new Set()).add(entry))
    }
  return [...byModule].flatMap(([id, needing]) => {
    const { code, importedIds } = modules.getModuleInfo(id) ?? {}
    const hasOwnGroup = LIBRARIES.some(({ test }) => test.test(id))
    return needing.size < 2 || hasOwnGroup
      ? []
      : [{ id, entries: needing, imports: importedIds ?? [], size: code?.length ?? 0 }]
  })
}

/**
 * Groups modules that are needed together into one file: on a phone's network, thirty small files
 * are thirty responses, six at a time, each with more headers than content. `first` contains the
 * app without what its pages load later.
 */
const together = () => {
  let parts: Map<string, string> | undefined
  const collect = (modules: Modules) => {
    const start = reach(modules, [START])
    const first = reach(modules, [MAIN])
    const initial = new Set([...start, ...first])
    const partNames = new Map<string, string>()
    for (const [index, ids] of planChunks(findSharedModules(modules, initial)).entries())
      for (const id of ids) partNames.set(id, `shared${index}`)
    // The app itself runs when its file is imported, so no other file may import it.
    initial.delete(MAIN)
    for (const id of initial) partNames.set(id, start.has(id) ? 'start' : 'first')
    return partNames
  }
  return (id: string, modules: Modules) => (parts ??= collect(modules)).get(id) ?? null
}

type Bundle = Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>

const findChunk = (bundle: Bundle, source: string): Rolldown.OutputChunk => {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const chunk =
    chunks.find(({ facadeModuleId }) => facadeModuleId === source) ??
    chunks.find(({ moduleIds }) => moduleIds.includes(source))
  if (!chunk) throw new Error(`${source} is in no file of the build.`)
  return chunk
}

/** Returns the paths of the scripts and styles that load with a chunk. */
const collectFiles = (bundle: Bundle, { fileName }: Rolldown.OutputChunk): string[] => {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = bundle[name]
    if (files.has(`/${name}`) || chunk?.type !== 'chunk') return
    files.add(`/${name}`)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(`/${css}`)
    for (const needed of chunk.imports) add(needed)
  }
  add(fileName)
  return [...files]
}

const linkTo = (file: string) =>
  `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="${file}">`

const STYLE_LINK = /<link rel="stylesheet"[^>]*href="(\/assets\/[^"]+\.css)"[^>]*>/g
/**
 * Inlines the page's style sheets, so that its first paint waits only for the page. They include
 * those of parts that hydrate later, because their markup is already visible. The links stay but
 * are disabled, so that no later script loads the same styles again.
 */
const withStyles = (html: string, out: string) => {
  const readStyles = (href: string) => readFileSync(`${out}${href}`, 'utf8').trim()
  const inline = (href: string) =>
    `<style>${readStyles(href)}</style><link rel="stylesheet" href="${href}" disabled>`
  const linked = [...html.matchAll(STYLE_LINK)].map(([, href]) => href)
  const used = new Set(
    [...html.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')),
  )
  const ofLaterParts = readdirSync(resolve(out, 'assets'))
    .filter((file) => file.endsWith('.css'))
    .map((file) => `/assets/${file}`)
    .filter((href) => !linked.includes(href))
    .filter((href) =>
      [...readStyles(href).matchAll(/\.([\w-]+-module_\w+)/g)].some(([, name = '']) =>
        used.has(name),
      ),
    )
  return html
    .replace(STYLE_LINK, (_, href: string) => inline(href))
    .replace('</head>', () => `${ofLaterParts.map(inline).join('')}</head>`)
}

/**
 * Writes the public pages as finished HTML after the build, so that the first paint does not wait
 * for a script. `app.html` stays empty: it is the shell of every page that needs a session.
 */
const prerender = (): Plugin => {
  let out = resolve(root, 'dist')
  let built: Bundle = {}
  return {
    name: 'kerbside-prerender',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved({ build }) {
      out = resolve(root, build.outDir)
    },
    generateBundle(_, bundle) {
      built = bundle
    },
    async closeBundle() {
      const server = await createServer({
        configFile: resolve(root, 'vite.config.ts'),
        mode: 'production',
        appType: 'custom',
        // This cache must differ from that of a development server that may be running.
        cacheDir: resolve(root, 'node_modules/.vite-prerender'),
        logLevel: 'error',
        server: { middlewareMode: true, hmr: false, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true, include: [] },
      })
      try {
        const { prerenderPages } = (await server.ssrLoadModule('/src/app/prerender.tsx')) as {
          prerenderPages: (
            shell: string,
            built: {
              site: string
              robots: string
              platform: unknown
              linkFilesOf: (sources: readonly string[]) => string
            },
          ) => Promise<Record<string, string>>
        }
        const shell = readFileSync(resolve(out, 'index.html'), 'utf8')
        const linkFilesOf = (sources: readonly string[]) => {
          const files = sources.flatMap((source) =>
            collectFiles(built, findChunk(built, resolve(root, 'src', source))),
          )
          return [...new Set(files)]
            .filter((file) => !shell.includes(file))
            .map(linkTo)
            .join('')
        }
        const about = {
          site: (process.env.KERBSIDE_SITE_URL ?? '').replace(/\/$/, ''),
          robots: readFileSync(resolve(root, 'public/robots.txt'), 'utf8'),
          linkFilesOf,
          platform: JSON.parse(process.env.KERBSIDE_PLATFORM || 'null') as unknown,
        }
        for (const [file, html] of Object.entries(await prerenderPages(shell, about))) {
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
 * Keeps parts of libraries out of the first load. react-i18next imports one function from i18next,
 * for a kind of key we do not use; it would add all of i18next, which loads later. The table's
 * drag and drop uses `connect` of react-redux; a copy of its own leaves the first load with hooks
 * only.
 */
const lean = (): Plugin => ({
  name: 'kerbside-lean',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  enforce: 'pre',
  async resolveId(source, importer) {
    if (source === 'i18next' && importer?.includes('react-i18next')) return '\0no-i18next'
    if (source !== 'react-redux' || !importer?.includes('@hello-pangea')) return null
    const resolved = await this.resolve(source, importer, { skipSelf: true })
    return resolved && `${resolved.id}?drag-and-drop`
  },
  load: (id) =>
    id === '\0no-i18next' ? 'export const keyFromSelector = (selector) => String(selector)' : null,
})

/**
 * Replaces Vite's preload helper, which imports a chunk while its files may still fail to load; a
 * browser remembers that failure as long as the page exists. Ours (src/ui/loading/chunkLoader.ts)
 * fetches the files first, so it also needs the name of a chunk that is a single file.
 */
const fetchedFirst = (): Plugin => ({
  name: 'kerbside-fetched-first',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  enforce: 'pre',
  config: () => ({
    build: {
      modulePreload: {
        polyfill: false,
        resolveDependencies: (file, needed, { hostType }) =>
          hostType === 'html' || needed.includes(file) ? needed : [file, ...needed],
      },
    },
  }),
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadChunk as __vitePreload } from ${JSON.stringify(resolve(root, 'src/ui/loading/chunkLoader.ts'))}`
      : null,
})

const WORKER = 'src/worker/worker.ts'
/** Modules that the shell loads, whichever page it opens. */
const SHELL = [
  'src/app/start.ts',
  'src/app/main.tsx',
  'src/app/platformCheck.ts',
  'src/app/AppRoutes.tsx',
  'src/i18n/i18n.ts',
  'src/features/languages/LanguageDialog.tsx',
  'src/site/Footer.tsx',
  'src/site/AboutPage.tsx',
  'src/site/PrivacyPage.tsx',
  'src/site/home/HomeFeatures.tsx',
  'src/site/home/CityArt.tsx',
]

/** Modules that every screen of a signed-in user needs. */
const SIGNED_IN = [
  'src/features/auth/session.ts',
  'src/features/settings/settingsSchema.ts',
  'src/features/languages/languageSchema.ts',
  'src/services/browserStorage.ts',
  'src/services/offlineStorage.ts',
  'src/services/firebase/auth.ts',
  'src/services/firebase/database.ts',
  'src/services/firebase/functions.ts',
  'src/services/firebase/storage.ts',
  'src/services/firebase/appCheck.ts',
  'src/ui/map/MapView.tsx',
  'src/ui/map/LeafletCanvas.tsx',
  'src/site/bookings/BookingPage.tsx',
  'src/widgets/BookingMap.tsx',
  'src/driver/chat/ChatPage.tsx',
]
/** Pages that work offline, even if never opened before: a driver's work and a rider's bookings. */
const KEPT = {
  trip: [
    ...SIGNED_IN,
    'src/driver/DriverShell.tsx',
    'src/driver/console/TripsPage.tsx',
    'src/driver/earnings/WalletPage.tsx',
  ],
  booking: [
    ...SIGNED_IN,
    'src/site/AccountBar.tsx',
    'src/site/bookings/BookingsPage.tsx',
    'src/features/inbox/InboxBell.tsx',
  ],
}

/**
 * Tells the service worker, which is built separately from the app, which files to keep for offline
 * use.
 */
const shell = (): Plugin => ({
  name: 'kerbside-shell',
  apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle(_, bundle) {
    const getFiles = (sources: string[]): string[] => {
      const files = sources.flatMap((source) =>
        collectFiles(bundle, findChunk(bundle, resolve(root, source))),
      )
      return [...new Set(files)].sort()
    }
    const worker = findChunk(bundle, resolve(root, WORKER))
    const shellFiles = getFiles(SHELL)
    const precached = Object.entries(KEPT).map(([screens, sources]) => [
      screens,
      getFiles(sources).filter((file) => !shellFiles.includes(file)),
    ])
    const build = createHash('sha256').update([shellFiles, precached].join())
    worker.code = worker.code
      .replaceAll('KERBSIDE_BUILD', JSON.stringify(build.digest('hex').slice(0, 12)))
      .replaceAll('KERBSIDE_SHELL', JSON.stringify(shellFiles))
      .replaceAll('KERBSIDE_KEPT', JSON.stringify(Object.fromEntries(precached)))
  },
})

const hasTour = process.env.KERBSIDE_TOUR === 'yes'
/** Marks a build that contains the demo tour; scripts/deploy/predeploy.ts refuses to upload it. */
const tourMarker = (): Plugin => ({
  name: 'kerbside-tour-marker',
  apply: (_, { command, isSsrBuild }) => hasTour && command === 'build' && !isSsrBuild,
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'demo-tour.txt',
      source: 'This build contains the demo tour and is for this machine only.\n',
    })
  },
})

export default defineConfig({
  plugins: [react(), lean(), fetchedFirst(), shell(), tourMarker(), prerender()],
  resolve: { alias: { '~': root } },
  // Only a build for this machine contains the demo tour (scripts/build.ts).
  define: { 'import.meta.env.KERBSIDE_TOUR': JSON.stringify(hasTour ? 'yes' : '') },
  // The build and the prerendered markup, which another server renders, need the same class names.
  css: { modules: { generateScopedName: '[name]_[local]' } },
  build: {
    target: 'es2022',
    rolldownOptions: {
      input: { index: resolve(root, 'index.html'), sw: resolve(root, WORKER) },
      output: {
        // A service worker needs a permanent address and controls the paths next to it.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // Without the number, the name of a shared file changes only with its content.
        chunkFileNames: ({ name }) => `assets/${name.replace(SHARED_NAME, 'shared')}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${name.replace(/\.\w+$/, '').replace(SHARED_NAME, 'shared')}-[hash][extname]`,
        codeSplitting: {
          // A group takes only the modules it names, not their imports: the table also imports
          // react-redux.
          includeDependenciesRecursively: false,
          // The first scripts, libraries, and shared modules as `planChunks` joins them. The rest
          // is split by page.
          groups: [
            ...LIBRARIES,
            { debugName: 'texts', name: nameLanguageTexts },
            { debugName: 'together', name: together() },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
})
