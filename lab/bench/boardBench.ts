import { startLiveCity } from '~/scripts/city/liveCity'
import { type BenchPage, openBrowserSession } from './browserSession'
import { boundAbove, getPercentile, getSlope, type Measurement } from './measurement'
import type { Milliseconds, Minutes } from '~/domain/language/units'

export interface BoardBenchOptions {
  drivers: number
  minutes: Minutes
}

const DRIVERS_PER_RIDER = 10
/** Seconds after the page has opened that count as its start. */
const SETTLE_SECONDS = 30
const SAMPLE_SECONDS = 30
/** A longer frame is one that people notice. */
const LONG_FRAME_MS = 50
/** Growth that a day of eight hours survives: 96 MB. */
const MAX_GROWTH_MB_PER_HOUR = 12

interface LongFrame {
  /** Milliseconds since the page opened. */
  at: number
  ms: Milliseconds
  /** The script that took longest, if any. */
  script: string
}

/** Collects the page's long frames from now on, in a list that each reading empties. */
const watchFrames = ({ page }: BenchPage) =>
  page.evaluate((least) => {
    const longFrames: LongFrame[] = []
    Object.assign(window, { takeLongFrames: () => longFrames.splice(0) })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.duration < least) continue
        const { scripts = [] } = entry as PerformanceEntry & {
          scripts?: { duration: number; invoker: string; sourceFunctionName: string }[]
        }
        const [longest] = [...scripts].sort((a, b) => b.duration - a.duration)
        const script = longest
          ? `${longest.invoker} ${longest.sourceFunctionName} ${Math.round(longest.duration)} ms`
          : 'no script'
        longFrames.push({ at: entry.startTime, ms: entry.duration, script })
      }
    }).observe({ type: 'long-animation-frame' })
  }, LONG_FRAME_MS)

const takeFrames = ({ page }: BenchPage): Promise<LongFrame[]> =>
  page.evaluate(() => (window as unknown as { takeLongFrames: () => LongFrame[] }).takeLongFrames())

/** Returns the megabytes that the page's scripts hold after a garbage collection. */
const measureHeap = async ({ cdp }: BenchPage): Promise<number> => {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

/**
 * Watches the dispatcher's board while simulated drivers move through the city: its memory, its
 * long frames and its console.
 */
export const benchBoard = async (
  say: (line: string) => void,
  { drivers, minutes }: BoardBenchOptions,
): Promise<Measurement[]> => {
  const stage = await openBrowserSession(say, { hasOwnCore: true, allowsServiceWorker: true })
  try {
    say(`Bringing ${drivers} drivers onto the streets …`)
    const city = await startLiveCity(stage.suite, {
      plan: { drivers, riders: Math.ceil(drivers / DRIVERS_PER_RIDER), pace: 1 },
      onMessage: say,
    })
    try {
      const screen = await stage.openPage('seed-admin', { width: 1280, height: 800 })
      const messages: string[] = []
      screen.page.on('console', (message) => messages.push(message.text()))
      screen.page.on('pageerror', (error) => messages.push(error.message))
      await screen.page.goto('/board')
      await screen.page.getByRole('listbox', { name: 'Drivers on duty' }).waitFor()
      await screen.page.waitForTimeout(SETTLE_SECONDS * 1000)
      await watchFrames(screen)
      screen.resetSocketBytes()
      const heaps: { minute: number; megabytes: number }[] = []
      const frames: LongFrame[] = []
      const began = performance.now()
      const sample = async () => {
        const minute = (performance.now() - began) / 60_000
        // Read first, because the collection that follows pauses the page.
        frames.push(...(await takeFrames(screen)))
        const megabytes = await measureHeap(screen)
        // The next frames are those after the collection.
        await screen.page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))),
        )
        await takeFrames(screen)
        heaps.push({ minute, megabytes })
        say(`${minute.toFixed(1)} min: ${megabytes.toFixed(1)} MB, ${frames.length} long frames`)
      }
      await sample()
      while (performance.now() - began < minutes * 60_000) {
        await screen.page.waitForTimeout(SAMPLE_SECONDS * 1000)
        await sample()
      }
      for (const { at, ms, script } of frames)
        say(`A frame of ${Math.round(ms)} ms after ${Math.round(at / 1000)} s: ${script}`)
      for (const message of messages) say(`Console: ${message}`)
      const bytes = screen.getSocketBytes()
      await screen.close()
      const growth = getSlope(heaps.map(({ minute, megabytes }) => [minute, megabytes])) * 60
      const watched = heaps.at(-1)?.minute ?? 0
      const lengths = frames.map(({ ms }) => ms)
      return [
        { name: `The board with ${drivers} drivers, watched`, unit: 'min', here: watched },
        { name: '  heap at first', unit: 'MB', here: heaps[0]?.megabytes ?? Number.NaN },
        { name: '  heap at last', unit: 'MB', here: heaps.at(-1)?.megabytes ?? Number.NaN },
        boundAbove('  heap, growth', 'MB/h', growth, MAX_GROWTH_MB_PER_HOUR),
        boundAbove(`  frames over ${LONG_FRAME_MS} ms`, '', frames.length, 0),
        {
          name: '  the worst of them',
          unit: 'ms',
          here: lengths.length > 0 ? getPercentile(lengths, 1) : 0,
        },
        boundAbove('  console messages', '', messages.length, 0),
        { name: '  read over the websocket', unit: 'kB/s', here: bytes / 1000 / (watched * 60) },
      ]
    } finally {
      await city.stop()
    }
  } finally {
    await stage.close()
  }
}
