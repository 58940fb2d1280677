import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'vite'
import { ROOT } from './local/build'
import { cssModuleTypes } from './checks/cssModuleTypes'
import type { Suite } from './local/suite'
import { HOST } from './local/ports'

const SETTLE_MS = 200

/**
 * Rebuilds the functions when their sources or the domain change; the suite then loads the new
 * bundle.
 */
function watchFunctions(): () => void {
  let timer: NodeJS.Timeout | undefined
  let busy = false
  let again = false
  const build = () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'functions/build.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('exit', (code) => {
      busy = false
      console.log(
        code === 0
          ? 'Functions rebuilt.'
          : 'The functions could not be rebuilt. Fix the error above; saving the file rebuilds them.',
      )
      if (again) {
        again = false
        build()
      }
    })
  }
  const watchers = ['functions/src', 'domain'].map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
      if (file?.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(build, SETTLE_MS)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

/**
 * Serves the web app from its sources on the suite's web port, with hot reload. Returns a function
 * that stops it.
 */
export async function startDevServer(suite: Suite): Promise<() => Promise<void>> {
  const http = createHttpServer()
  // Uses middleware mode, because Vite's own server exits the whole process when it stops.
  const vite = await createServer({
    root: ROOT,
    server: { middlewareMode: { server: http }, hmr: { server: http } },
    define: { 'import.meta.env.KERBSIDE_TOUR': JSON.stringify('yes') },
    plugins: [
      cssModuleTypes(),
      {
        name: 'kerbside-config',
        configureServer: ({ middlewares }) => {
          middlewares.use('/config.json', (_request, response) => {
            response.setHeader('Content-Type', 'application/json')
            response.end(JSON.stringify(suite.webConfig))
          })
        },
      },
    ],
  })
  http.on('request', vite.middlewares)
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen({ host: HOST, port: suite.ports.hosting }, resolve)
  })
  const stopWatching = watchFunctions()
  return async () => {
    stopWatching()
    http.closeAllConnections()
    http.close()
    await vite.close()
  }
}
