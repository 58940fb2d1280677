import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchPage, openBrowserSession } from '../bench/browserSession'
import { ROOT } from '~/scripts/local/build'
import { startLiveCity } from '~/scripts/city/liveCity'
import { createAnimatedWebp } from './animatedWebp'

const OUTPUT = join(ROOT, 'docs', 'kerbside.webp')
const VIEWPORT = { width: 1280, height: 800 }
const SCALE = 0.6
/** The recording ends earlier when the next frame would exceed the bytes. */
const MAX_FRAMES = 24
const MAX_BYTES = 950_000
const FRAME_MS = 350
const QUALITY = 45
/** Faster than in `npm start -- --live`, so that a few seconds show offers and trips. */
const PLAN = { drivers: 24, riders: 12, pace: 6 }
/** The recording starts when this many drivers have a booking. */
const BUSY_DRIVERS = 5

/** Opens the board and returns its pictures, taken while the city moves. */
const captureBoard = async ({ page, cdp }: Pick<BenchPage, 'page' | 'cdp'>): Promise<Buffer[]> => {
  await page.goto('/board')
  const drivers = page.getByRole('listbox', { name: 'Drivers on duty' })
  // Busy drivers are last in the list, of which only the rows in view exist.
  await drivers.press('End')
  await drivers
    .getByText(/Driver on the way|Driver at the pickup|In progress/)
    .nth(BUSY_DRIVERS - 1)
    .waitFor({ timeout: 300_000 })
  await drivers.press('Home')
  await page.locator('.leaflet-marker-icon').nth(BUSY_DRIVERS).waitFor()
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('.leaflet-tile')]
    return tiles.length > 0 && tiles.every((tile) => tile.matches('.leaflet-tile-loaded'))
  })
  const frames: Buffer[] = []
  let bytes = 0
  while (frames.length < MAX_FRAMES) {
    const { data } = await cdp.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
      clip: { x: 0, y: 0, ...VIEWPORT, scale: SCALE },
    })
    const frame = Buffer.from(data, 'base64')
    bytes += frame.length
    if (bytes > MAX_BYTES) break
    frames.push(frame)
    await page.waitForTimeout(FRAME_MS)
  }
  return frames
}

/**
 * Records docs/kerbside.webp, an animated picture of the dispatcher's board while a separate live
 * city moves.
 */
export const recordLiveCity = async (): Promise<number> => {
  const say = (line: string) => console.log(line)
  const stage = await openBrowserSession(say)
  try {
    const city = await startLiveCity(stage.suite, { plan: PLAN, onMessage: say })
    try {
      const frames = await captureBoard(await stage.openPage('seed-admin', VIEWPORT))
      const picture = createAnimatedWebp(frames, {
        width: VIEWPORT.width * SCALE,
        height: VIEWPORT.height * SCALE,
        frameMs: FRAME_MS,
      })
      writeFileSync(OUTPUT, picture)
      say(`Recorded ${frames.length} frames, ${Math.round(picture.length / 1000)} kB: ${OUTPUT}`)
      return 0
    } finally {
      await city.stop()
    }
  } finally {
    await stage.close()
  }
}
