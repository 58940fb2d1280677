import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHROMIUM_FLAGS, requireChromium } from '~/scripts/local/chromium'
import { getMedian } from './measurement'
import { WEB_PEERS_FOLDER } from './peerPackages'
import type { Milliseconds } from '~/domain/language/units'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]

/** Medians of several audits of one page: scores of 0 to 100, and the layout shift of all. */
export type PageScores = Record<Category, number> & { blockingMs: Milliseconds; shift: number }

/** The parts of the packages in use. */
interface Audited {
  lhr: {
    categories: Record<Category, { score: number | null }>
    audits: Record<string, { numericValue?: number } | undefined>
  }
}
type Lighthouse = (url: string, flags: object) => Promise<Audited | undefined>
interface Launcher {
  launch(options: object): Promise<{ port: number; kill(): void }>
}

const importPeer = async (name: string): Promise<unknown> => {
  const require = createRequire(join(WEB_PEERS_FOLDER, 'package.json'))
  return import(pathToFileURL(require.resolve(name)).href)
}

/** Audits each page `runs` times with the mobile preset of Lighthouse, in a fresh profile. */
export const auditPages = async (
  urls: readonly string[],
  runs: number,
  say: (line: string) => void,
): Promise<PageScores[]> => {
  const { default: lighthouse } = (await importPeer('lighthouse')) as { default: Lighthouse }
  const launcher = (await importPeer('chrome-launcher')) as Launcher
  const chrome = await launcher.launch({
    chromePath: requireChromium(),
    chromeFlags: ['--headless', ...CHROMIUM_FLAGS],
  })
  try {
    const scores: PageScores[] = []
    for (const url of urls) {
      say(`Auditing ${new URL(url).pathname} …`)
      const audits: Audited['lhr'][] = []
      for (let run = 0; run < runs; run++) {
        const audited = await lighthouse(url, {
          port: chrome.port,
          logLevel: 'silent',
          onlyCategories: CATEGORIES,
        })
        if (!audited) throw new Error(`Lighthouse audited nothing at ${url}. Run it again.`)
        audits.push(audited.lhr)
      }
      const getAuditValue = (lhr: Audited['lhr'], audit: string) =>
        lhr.audits[audit]?.numericValue ?? Number.NaN
      const medians = CATEGORIES.map((category) => [
        category,
        Math.round(100 * getMedian(audits.map((lhr) => lhr.categories[category].score ?? 0))),
      ])
      scores.push({
        ...(Object.fromEntries(medians) as Record<Category, number>),
        blockingMs: getMedian(audits.map((lhr) => getAuditValue(lhr, 'total-blocking-time'))),
        shift: Math.max(...audits.map((lhr) => getAuditValue(lhr, 'cumulative-layout-shift'))),
      })
    }
    return scores
  } finally {
    chrome.kill()
  }
}
