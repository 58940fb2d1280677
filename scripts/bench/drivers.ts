import { atMost, percentile, type Figure } from './figure'
import { availableAt, fillingOf, personAt } from './platform'
import { openStage } from './stage'

const DRIVERS = 1000
const SECONDS = 15
/** A driver tells where he is every four seconds: so many of them at once, so often. */
const TOGETHER = 50
const EVERY_MS = 200

/** The office's map with a thousand free drivers on their way, and its list of bookings beside live changes. */
export const benchDrivers = async (say: (line: string) => void): Promise<Figure[]> => {
  const stage = await openStage(say)
  try {
    const filling = fillingOf(stage.suite.urls.database)
    const now = Date.now()
    const places = Array.from({ length: DRIVERS }, (_, at) => availableAt(at, now))
    await filling.patch(
      'available_drivers',
      Object.fromEntries(places.map((place, at) => [personAt('driver', at), place])),
    )
    const screen = await stage.open('seed-admin', { width: 1280, height: 800 })
    const { page } = screen
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Load more drivers' }).click()
    await page.getByRole('button', { name: /1,0\d\d|10\d\d/ }).waitFor()
    say('A thousand drivers move …')
    let at = 0
    const move = async () => {
      const moved: Record<string, unknown> = {}
      for (let count = 0; count < TOGETHER; count++, at++) {
        const place = places[at % DRIVERS]
        if (!place) continue
        place.lat += 0.0001
        place.lng += 0.0001
        moved[personAt('driver', at % DRIVERS)] = place
      }
      await filling.patch('available_drivers', moved)
    }
    let going = true
    const driving = (async () => {
      while (going) {
        const began = performance.now()
        await move()
        await page.waitForTimeout(Math.max(0, EVERY_MS - (performance.now() - began)))
      }
    })()
    screen.forget()
    const frames = await page.evaluate(
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
    const bytes = screen.socketBytes()
    going = false
    await driving
    await screen.close()
    return [
      { name: '1,000 moving drivers, frames', unit: '/s', here: frames.length / SECONDS },
      { name: '  a frame, p50', unit: 'ms', here: percentile(frames, 0.5) },
      atMost('  a frame, p95', 'ms', percentile(frames, 0.95), 50),
      { name: '  the worst frame', unit: 'ms', here: Math.max(...frames) },
      { name: '  read over the websocket', unit: 'kB/s', here: bytes / 1000 / SECONDS },
    ]
  } finally {
    await stage.close()
  }
}
