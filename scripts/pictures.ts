// Why: a screen is good when somebody has looked at it, on a phone and a desk, light and dark, written from either side.
// `npm run pictures` photographs all of them beside a demo city of its own into .kerbside/pictures/index.html, and fails
// when it sees a fault. `npm run pictures -- --only wallet,rider/ --theme dark --size phone --lang ar`; also --running (the
// Kerbside that runs already), --pages N (at a time).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { ROOT } from './build'
import { CHROMIUM_FLAGS, chromiumPath } from './chromium'
import { shippedTexts } from './demoTree'
import { localDatabase } from './localDatabase'
import { photograph, type Studio } from './pictures/camera'
import { castFrom } from './pictures/cast'
import { planFrom } from './pictures/plan'
import { subjectsOf } from './pictures/screens'
import { type Shot, sheetOf } from './pictures/sheet'
import { runningPorts } from './ports'
import { runToEnd } from './runToEnd'
import { startOwnSuite } from './suite'
import { urlsOf, webConfigOf } from './suiteConfig'

const FOLDER = join(ROOT, '.kerbside', 'pictures')

/** The Kerbside to photograph, and how to leave it. */
const open = async (running: boolean) => {
  if (!running) return startOwnSuite('pictures')
  const ports = await runningPorts(process.env)
  const urls = urlsOf(ports)
  const database = localDatabase(urls.database)
  return { urls, webConfig: webConfigOf(ports, urls), database, stop: async () => undefined }
}

async function main(): Promise<number> {
  const texts = shippedTexts()
  const plan = planFrom(process.argv.slice(2), Object.keys(texts))
  const { urls, webConfig, database, stop } = await open(plan.running)
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS })
  try {
    const subjects = subjectsOf(await castFrom(database, webConfig, urls)).filter(
      ({ name }) => plan.only.length === 0 || plan.only.some((part) => name.includes(part)),
    )
    if (subjects.length === 0)
      throw new Error(`No screen has ${plan.only.join(' or ')} in its name.`)
    if (plan.only.length === 0) rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    const studio: Studio = {
      browser,
      urls,
      webConfig,
      plan,
      folder: FOLDER,
      say: (language) => (key) => texts[language]?.[key] ?? texts.en?.[key] ?? key,
    }
    const work = subjects.flatMap((subject) =>
      (subject.foreign ? plan.languages.slice(0, 1) : plan.languages).map((language) => ({
        subject,
        language,
      })),
    )
    const taken: Shot[][] = []
    let next = 0
    const photographer = async () => {
      for (let at = next++; at < work.length; at = next++) {
        const { subject, language } = work[at]!
        const shots = await photograph(studio, subject, language)
        taken[at] = shots
        console.log(`${at + 1}/${work.length} ${subject.name} ${language}`)
        for (const { size, theme, faults } of shots)
          for (const fault of faults) console.log(`    ${size} ${theme}: ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: plan.pages }, photographer))
    const shots = taken.flat()
    const sheet = join(FOLDER, 'index.html')
    writeFileSync(sheet, sheetOf(shots, Date.now()))
    const faulty = shots.filter(({ faults }) => faults.length > 0)
    console.log(
      `\n${shots.length} looks at ${subjects.length} screens, ${faulty.length} with faults: ${sheet}`,
    )
    return faulty.length > 0 ? 1 : 0
  } finally {
    await browser.close()
    await stop()
  }
}

await runToEnd(main)
