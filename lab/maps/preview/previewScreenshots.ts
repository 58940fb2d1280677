// Takes pictures of the map in all its styles and sizes, without a network, for review after a
// change of style: `npx tsx scripts/maps/preview/previewScreenshots.ts [folder]`.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright-core'
import { createServer } from 'vite'
import { decodePolyline } from '~/domain/geo/polyline'
import { createBundledMaps } from '~/functions/src/adapters/maps/bundled/bundledMaps'
import { createSeededRandom } from '../../bench/mapsBench'
import { CHROMIUM_FLAGS, requireChromium } from '~/scripts/local/chromium'

const ROOT = resolve(import.meta.dirname, '../../..')
const PORT = 19_210
const folder = resolve(process.argv[2] ?? join(ROOT, '.cache/map-shots'))
const nameFilter = process.argv[3]

const SCREENSHOTS: Record<string, { size: [number, number]; query: string; scale?: number }> = {
  'route-light': { size: [1280, 800], query: 'look=light&progress=0.3' },
  'route-dark': { size: [1280, 800], query: 'look=dark' },
  'mobile-light': { size: [390, 780], query: 'look=light&cars=60', scale: 2 },
  'mobile-dark': { size: [390, 780], query: 'look=dark&clustered&cars=200', scale: 2 },
  'streets-light': { size: [1280, 800], query: 'look=light&center=-34.9068,-56.1995&zoom=16&bare' },
  'streets-dark': { size: [1280, 800], query: 'look=dark&center=-34.9068,-56.1995&zoom=16&bare' },
  'houses-light': { size: [1280, 800], query: 'look=light&center=-34.9085,-56.1515&zoom=18&bare' },
  'centre-light': { size: [1280, 800], query: 'look=light&center=-34.895,-56.165&zoom=14&bare' },
  'city-light': { size: [1280, 800], query: 'look=light&center=-34.87,-56.17&zoom=12&bare' },
  'world-light': { size: [1280, 800], query: 'look=light&center=-30,-57&zoom=5&bare&lang=es' },
  'world-dark': { size: [1280, 800], query: 'look=dark&center=40,10&zoom=4&bare&lang=ar&dir=rtl' },
  'clusters-list': { size: [1280, 800], query: 'look=light&clustered&cars=200&list&progress=0.5' },
  'pick-rtl': {
    size: [390, 780],
    query: 'look=light&center=-34.9085,-56.1515&zoom=16&bare&pick&dir=rtl',
    scale: 2,
  },
}

const createPreviewData = async () => {
  const maps = createBundledMaps(join(ROOT, 'functions/data/maps'))
  const random = createSeededRandom(5)
  const somewhere = () => ({ lat: -34.92 + 0.06 * random(), lng: -56.2 + 0.09 * random() })
  const way = async (a = somewhere(), b = somewhere()) => {
    const route = await maps.getDirections(a, b)
    return route ? decodePolyline(route.polylinePoints) : []
  }
  const cars: { lat: number; lng: number }[][] = []
  while (cars.length < 200) {
    const line = await way()
    if (line.length > 10) cars.push(line)
  }
  const [plaza] = await maps.autocomplete('plaza independencia', { country: 'UY' })
  const [mall] = await maps.autocomplete('montevideo shopping', { country: 'UY' })
  return { cars, route: await way(plaza!.coords, mall!.coords) }
}

const body = JSON.stringify(await createPreviewData())
const server = await createServer({
  configFile: false,
  root: ROOT,
  logLevel: 'error',
  resolve: { alias: { '~': ROOT } },
  plugins: [
    react(),
    {
      name: 'preview-answers',
      configureServer: ({ middlewares }) => {
        middlewares.use('/preview.json', (_request, response) => response.end(body))
      },
    },
  ],
  cacheDir: join(ROOT, '.cache/map-preview'),
  server: { port: PORT, strictPort: true, host: '127.0.0.1', hmr: false },
})
await server.listen()
const browser = await chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_FLAGS })
mkdirSync(folder, { recursive: true })
let failures = 0
try {
  for (const [name, { size, query, scale }] of Object.entries(SCREENSHOTS)) {
    if (nameFilter && !name.includes(nameFilter)) continue
    const page = await browser.newPage({
      viewport: { width: size[0], height: size[1] },
      deviceScaleFactor: scale ?? 1,
    })
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (
        !request.url().startsWith(`http://127.0.0.1:${PORT}`) &&
        !request.url().startsWith('data:')
      ) {
        complaints.push(`went out to ${request.url()}`)
      }
    })
    const began = Date.now()
    await page.goto(`http://127.0.0.1:${PORT}/scripts/maps/preview/index.html?${query}`)
    await page.waitForFunction(() => document.title === 'idle')
    const complete = Date.now() - began
    // Waits until the cars have moved a few times, so that they point along their streets.
    await page.waitForTimeout(2_600)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    failures += complaints.length
    console.log(`${name}: complete after ${complete} ms`, complaints.slice(0, 5))
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
}
process.exitCode = failures ? 1 : 0
