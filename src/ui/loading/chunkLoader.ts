/** Thrown when a file of the app could not be fetched. A later attempt may succeed. */
export class ChunkUnavailableError extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file} could not be fetched. Try again.`, { cause })
    this.name = 'ChunkUnavailable'
  }
}

/** The storage key of the build that was reloaded because the server had replaced it. */
const RELOADED_BUILD_KEY = 'kerbside.reloaded'

/** The words of the browsers for an import whose file they could not get. */
const FAILED_IMPORT = /module/

/** Milliseconds that the next document may take to arrive after the page began to be left. */
const LEAVING_MS = 30_000
/** Milliseconds that a reload may take before the page counts as kept. */
const RELOADING_MS = 10_000
let leftAt = -Infinity
const markAsLeft = () => void (leftAt = performance.now())

/** The number of chunks that are loading. */
let loading = 0
/**
 * Counts a chunk that begins or ends to load. Only meanwhile the page listens, because browsers may
 * not keep a page with such a listener for the Back button.
 */
const countLoading = (change: 1 | -1) => {
  loading += change
  if (loading === 0) window.removeEventListener('beforeunload', markAsLeft)
  else window.addEventListener('beforeunload', markAsLeft)
}

/** The files that are fetched or loading, by URL. */
const files = new Map<string, Promise<void>>()

/**
 * Reloads a page that can no longer load its files. Reloads once per build, and then throws the
 * problem, so that a release with a missing file cannot reload its page forever. A page that is
 * being left does not reload, because that would cancel the navigation: Safari ends the imports of
 * such a page as if they had failed.
 */
const reloadOnce = (problem: Error): Promise<never> => {
  if (performance.now() - leftAt < LEAVING_MS)
    return Promise.reject(new ChunkUnavailableError('A part of the page that is left', problem))
  // The chunk imports all others by name, so each build has its own URL.
  const build = import.meta.url
  if (sessionStorage.getItem(RELOADED_BUILD_KEY) === build) throw problem
  sessionStorage.setItem(RELOADED_BUILD_KEY, build)
  window.location.reload()
  // A person who keeps an unsaved form stays on the page, which then shows the problem.
  return new Promise<never>((_, reject) => setTimeout(() => reject(problem), RELOADING_MS))
}

const fetchScript = async (file: string): Promise<void> => {
  // Uses the same mode and credentials as a module import, so that the import finds the response in
  // the cache.
  const response = await fetch(file).catch((cause: unknown) => {
    throw new ChunkUnavailableError(file, cause)
  })
  const isScript = /javascript/.test(response.headers.get('content-type') ?? '')
  // Some hosts respond to an unknown URL with a page instead of a 404.
  // A new release has replaced it, so that it is permanently gone.
  if (response.status === 404 || response.status === 410 || (response.ok && !isScript)) {
    files.delete(file)
    return reloadOnce(new Error(`The server no longer has ${file}. Reload the page.`))
  }
  if (!response.ok) throw new ChunkUnavailableError(file, `The server answered ${response.status}.`)
  await response.arrayBuffer().catch((cause: unknown) => {
    throw new ChunkUnavailableError(file, cause)
  })
}

const addStyles = (file: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = file
    link.onload = () => resolve()
    link.onerror = (event) => {
      link.remove()
      reject(new ChunkUnavailableError(file, event))
    }
    document.head.append(link)
  })

const fetchFile = (name: string): Promise<void> => {
  const file = `/${name}`
  const previousFetch = files.get(file)
  if (previousFetch) return previousFetch
  // The page already loaded the initial scripts and styles.
  if (document.querySelector(`script[src="${file}"], link[href="${file}"]`))
    return Promise.resolve()
  const coming = file.endsWith('.css') ? addStyles(file) : fetchScript(file)
  files.set(file, coming)
  coming.catch(() => files.delete(file))
  return coming
}

/**
 * Imports a chunk after all files it needs have been fetched. The build calls it in place of Vite's
 * preload helper (vite.config.ts): browsers remember a failed import for the lifetime of the page,
 * so an import that might fail must not start.
 */
export const loadChunk = async <Module>(
  load: () => Promise<Module>,
  needed: readonly string[] = [],
): Promise<Module> => {
  countLoading(1)
  try {
    await Promise.all(needed.map(fetchFile))
    return await load().catch((error: unknown) => {
      // The file had arrived, but its import failed, which the browser remembers until a reload.
      if (error instanceof TypeError && FAILED_IMPORT.test(error.message)) return reloadOnce(error)
      throw error
    })
  } finally {
    countLoading(-1)
  }
}
