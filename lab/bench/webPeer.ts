import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { HOST } from '~/scripts/local/ports'
import { WEB_PEERS_FOLDER } from './peerPackages'

const FILES = {
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="description" content="The smallest app of react-admin." />
    <title>react-admin</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/main.js"></script>
  </body>
</html>
`,
  'main.js': `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Admin, ListGuesser, Resource } from 'react-admin'
import fakeRest from 'ra-data-fakerest'

const refuse = () => Promise.reject(new Error('signed out'))
const authProvider = {
  login: refuse,
  logout: () => Promise.resolve(),
  checkAuth: refuse,
  checkError: () => Promise.resolve(),
  getPermissions: () => Promise.resolve(),
}
const orders = Array.from({ length: 100 }, (_, id) => ({ id, status: 'open', total: id }))
createRoot(document.getElementById('root')).render(
  createElement(
    Admin,
    { dataProvider: fakeRest({ orders }), authProvider, requireAuth: true },
    createElement(Resource, { name: 'orders', list: ListGuesser }),
  ),
)
`,
}
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

export interface WebPeer {
  url: string
  stop(): void
}

/**
 * Builds the smallest app of react-admin and serves it, compressed and from memory. A visitor sees
 * its login page.
 */
export const startWebPeer = async (): Promise<WebPeer> => {
  const source = join(WEB_PEERS_FOLDER, 'app')
  const out = join(WEB_PEERS_FOLDER, 'dist')
  mkdirSync(source, { recursive: true })
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(source, file), text)
  await build({
    root: source,
    configFile: false,
    logLevel: 'error',
    build: { outDir: out, emptyOutDir: true, target: 'es2022' },
  })
  const served = new Map<string, Buffer>()
  const server = createServer(({ url = '/' }, response) => {
    const path = url.split('?')[0] ?? '/'
    const file = extname(path) ? path : '/index.html'
    try {
      const body = served.get(file) ?? gzipSync(readFileSync(join(out, file)))
      served.set(file, body)
      response.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-encoding': 'gzip',
        'content-length': body.length,
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${port}/`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
