// Takes pictures of all screens for review: on phone and desktop, light and dark, left-to-right and
// right-to-left. `npm run --prefix lab pictures` starts a separate demo city, writes
// .kerbside/pictures/index.html and fails when it finds a layout fault. `npm run --prefix lab
// pictures -- --only wallet,rider/ --theme dark --size phone --lang ar`; also --running (use the
// Kerbside that already runs), --pages N (concurrent pages) and --touched (only screens whose code
// differs from the main branch, the nearest to the changes first). `npm run --prefix lab pictures
// -- recording` records an animated picture of the board of a live city.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { ROOT } from '~/scripts/local/build'
import { CHROMIUM_FLAGS, requireChromium } from '~/scripts/local/chromium'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import { recordLiveCity } from './screenshots/liveRecording'
import { captureScreen, type CaptureContext } from './screenshots/screenCapture'
import { createFixtures } from './screenshots/fixtures'
import { parsePlan, type ScreenshotPlan } from './screenshots/screenshotPlan'
import { listScreens, type ScreenSpec } from './screenshots/screenList'
import { findTouchedPages, selectTouchedScreens } from './screenshots/touchedScreens'
import { type Screenshot, renderContactSheet } from './screenshots/contactSheet'
import { findRunningPorts } from '~/scripts/local/ports'
import { runScript } from '~/scripts/local/scriptRunner'
import { startOwnSuite } from '~/scripts/local/suite'
import { createUrls, createWebConfig } from '~/scripts/local/suiteConfig'

const OUTPUT_FOLDER = join(ROOT, '.kerbside', 'pictures')

/** Opens the Kerbside to photograph. Returns it with a function that closes it. */
const openKerbside = async (running: boolean) => {
  if (!running) return startOwnSuite('pictures')
  const ports = await findRunningPorts(process.env)
  const urls = createUrls(ports)
  const database = openLocalDatabase(urls.database)
  return { urls, webConfig: createWebConfig(ports, urls), database, stop: async () => undefined }
}

/** Returns the screens that the command names, or those that the change touches. */
const selectScreens = (
  { nameFilters }: ScreenshotPlan,
  screens: readonly ScreenSpec[],
  touchedPages: ReadonlyMap<string, number> | undefined,
): ScreenSpec[] => {
  const named = screens.filter(
    ({ name }) => nameFilters.length === 0 || nameFilters.some((part) => name.includes(part)),
  )
  if (named.length === 0)
    throw new Error(`No screen has ${nameFilters.join(' or ')} in its name. Choose another name.`)
  return touchedPages ? selectTouchedScreens(named, touchedPages) : named
}

/** Takes the pictures of these screens in all languages of the plan, and prints their faults. */
const captureScreens = async (
  studio: CaptureContext,
  subjects: readonly ScreenSpec[],
): Promise<Screenshot[]> => {
  const { languages, concurrentPages } = studio.plan
  const work = subjects.flatMap((subject) =>
    (subject.isForeign ? languages.slice(0, 1) : languages).map((language) => ({
      subject,
      language,
    })),
  )
  const screenshots: Screenshot[][] = []
  let next = 0
  const photographer = async () => {
    for (let at = next++; at < work.length; at = next++) {
      const { subject, language } = work[at]!
      const shots = await captureScreen(studio, subject, language)
      screenshots[at] = shots
      console.log(`${at + 1}/${work.length} ${subject.name} ${language}`)
      for (const { size, theme, faults } of shots)
        for (const fault of faults) console.log(`    ${size} ${theme}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: concurrentPages }, photographer))
  return screenshots.flat()
}

async function main(): Promise<number> {
  if (process.argv[2] === 'recording') return recordLiveCity()
  const texts = readInterfaceTexts()
  const plan = parsePlan(process.argv.slice(2), Object.keys(texts))
  const touchedPages = plan.isTouchedOnly ? findTouchedPages() : undefined
  if (touchedPages?.size === 0) {
    console.log('The change touches no screen.')
    return 0
  }
  const { urls, webConfig, database, stop } = await openKerbside(plan.isRunning)
  const browser = await chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_FLAGS })
  try {
    const subjects = selectScreens(
      plan,
      listScreens(await createFixtures(database, webConfig, urls)),
      touchedPages,
    )
    if (plan.nameFilters.length === 0) rmSync(OUTPUT_FOLDER, { recursive: true, force: true })
    mkdirSync(OUTPUT_FOLDER, { recursive: true })
    const studio: CaptureContext = {
      browser,
      urls,
      webConfig,
      plan,
      folder: OUTPUT_FOLDER,
      getTranslator: (language) => (key) => texts[language]?.[key] ?? texts.en?.[key] ?? key,
    }
    const shots = await captureScreens(studio, subjects)
    const sheet = join(OUTPUT_FOLDER, 'index.html')
    writeFileSync(sheet, renderContactSheet(shots, Date.now()))
    const faulty = shots.filter(({ faults }) => faults.length > 0)
    console.log(
      `\n${shots.length} screenshots of ${subjects.length} screens, ${faulty.length} with faults: ${sheet}`,
    )
    return faulty.length > 0 ? 1 : 0
  } finally {
    await browser.close()
    await stop()
  }
}

await runScript(main)
