import type { Page } from 'playwright-core'
import { boundAbove, getPercentile, type Measurement } from './measurement'
import { openPlatformDatabase } from './platform/platformData'
import { createAvailableDriver, getUid } from './platform/platformPeople'
import { openBrowserSession } from './browserSession'

const DRIVERS = 1000
const SECONDS = 15
/** Each driver sends their position every four seconds; this is the size of each batch. */
const DRIVERS_PER_BATCH = 50
const BATCH_INTERVAL_MS = 200

/** Returns the milliseconds of each frame that the page draws in the measured seconds. */
const measureFrames = (page: Page): Promise<number[]> =>
  page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = []
        const begin = performance.now()
        let last = begin
        const tick = (time: number) => {
          gaps.push(time - last)
          last = time
          if (time - begin < ms) requestAnimationFrame(tick)
          else resolve(gaps.slice(1))
        }
        requestAnimationFrame(tick)
      }),
    SECONDS * 1000,
  )

/** Returns the function that moves the next drivers. */
const createMover = (
  filling: ReturnType<typeof openPlatformDatabase>,
  places: ReturnType<typeof createAvailableDriver>[],
) => {
  let at = 0
  return async (): Promise<void> => {
    const moved: Record<string, unknown> = {}
    for (let count = 0; count < DRIVERS_PER_BATCH; count++, at++) {
      const place = places[at % DRIVERS]
      if (!place) continue
      place.lat += 0.0001
      place.lng += 0.0001
      moved[getUid('driver', at % DRIVERS)] = place
    }
    await filling.patch('available_drivers', moved)
  }
}

/**
 * Measures the back office map with a thousand available drivers moving, and its booking list
 * during live changes.
 */
export const benchDrivers = async (say: (line: string) => void): Promise<Measurement[]> => {
  const stage = await openBrowserSession(say)
  try {
    const filling = openPlatformDatabase(stage.suite.urls.database)
    const now = Date.now()
    const places = Array.from({ length: DRIVERS }, (_, at) => createAvailableDriver(at, now))
    await filling.patch(
      'available_drivers',
      Object.fromEntries(places.map((place, at) => [getUid('driver', at), place])),
    )
    const screen = await stage.openPage('seed-admin', { width: 1280, height: 800 })
    const { page } = screen
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Load more drivers' }).click()
    await page.getByRole('button', { name: /1,0\d\d|10\d\d/ }).waitFor()
    say('Moving a thousand drivers …')
    const move = createMover(filling, places)
    let going = true
    const driving = (async () => {
      while (going) {
        const began = performance.now()
        await move()
        await page.waitForTimeout(Math.max(0, BATCH_INTERVAL_MS - (performance.now() - began)))
      }
    })()
    screen.resetSocketBytes()
    const frames = await measureFrames(page)
    const bytes = screen.getSocketBytes()
    going = false
    await driving
    await screen.close()
    return [
      { name: '1,000 moving drivers, frames', unit: '/s', here: frames.length / SECONDS },
      { name: '  a frame, p50', unit: 'ms', here: getPercentile(frames, 0.5) },
      boundAbove('  a frame, p95', 'ms', getPercentile(frames, 0.95), 50),
      { name: '  the worst frame', unit: 'ms', here: Math.max(...frames) },
      { name: '  read over the websocket', unit: 'kB/s', here: bytes / 1000 / SECONDS },
    ]
  } finally {
    await stage.close()
  }
}
