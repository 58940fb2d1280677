import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'vite'
import { ROOT } from './build'
import type { Suite } from './suite'
import { HOST } from './ports'

const SETTLE_MS = 200

/** Rebuilds the functions when their sources or the domain change; the suite loads the new bundle by itself. */
function rebuildFunctions(): () => void {
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
      console.log(code === 0 ? 'Functions rebuilt.' : 'The functions could not be rebuilt.')
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

/** Serves the web app from its sources on the suite's web port, with hot reload. Answers how to stop. */
export async function serveSources(suite: Suite): Promise<() => Promise<void>> {
  const http = createHttpServer()
  // As middleware, because Vite's own server ends the whole process when it is told to stop.
  const vite = await createServer({
    root: ROOT,
    server: { middlewareMode: { server: http }, hmr: { server: http } },
    plugins: [
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
  const stopWatching = rebuildFunctions()
  return async () => {
    stopWatching()
    http.closeAllConnections()
    http.close()
    await vite.close()
  }
}
