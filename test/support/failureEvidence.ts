import { mkdirSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import type { RunnerTestCase } from 'vitest'
import { getEvidenceFolder } from '~/scripts/testRun/evidence'

const ROOT = resolve(import.meta.dirname, '../..')
const REPORTS = resolve(ROOT, '.kerbside/test')
/**
 * The document before and after each action. Recording it takes an eighth of the processor time, so
 * a run of all tests leaves it out.
 */
const hasSnapshots = process.env.KERBSIDE_TEST_SNAPSHOTS !== 'no'

/** The open contexts with the lines of their consoles. */
const recorded = new Map<BrowserContext, string[]>()

/** Records the console and the actions of a context, in case the test fails. */
export async function recordContext(context: BrowserContext): Promise<void> {
  const lines: string[] = []
  recorded.set(context, lines)
  context.once('close', () => recorded.delete(context))
  context.on('console', (message) =>
    lines.push(`${message.type()} ${message.page()?.url() ?? ''}\n  ${message.text()}`),
  )
  context.on('weberror', (error) => lines.push(`uncaught ${String(error.error().stack)}`))
  await context.tracing.start({ snapshots: hasSnapshots })
}

async function saveContext(context: BrowserContext, lines: readonly string[], path: string) {
  for (const [index, page] of context.pages().entries()) {
    const name = `${path}-page-${index + 1}`
    await page.screenshot({ path: `${name}.png` }).catch(() => undefined)
    const elements = await page.ariaSnapshot().catch(() => 'The page did not answer.')
    writeFileSync(`${name}.yaml`, elements)
    lines = [...lines, `page ${index + 1}: ${page.url()}`]
  }
  writeFileSync(`${path}-console.txt`, lines.join('\n'))
  // `npx playwright-core show-trace FILE` shows it. The recording goes on, because the tests of one
  // file may share a context.
  await context.tracing.stop({ path: `${path}-trace.zip` })
  await context.tracing.start({ snapshots: hasSnapshots })
}

/**
 * Saves what each open page of a failed test shows, printed and did, in .kerbside/test/failures/.
 * The summary of the run says where.
 */
export async function saveEvidence(task: RunnerTestCase) {
  const titles = [task.name]
  for (let block = task.suite; block; block = block.suite) titles.unshift(block.name)
  const folder = resolve(REPORTS, getEvidenceFolder(relative(ROOT, task.file.filepath), titles))
  mkdirSync(folder, { recursive: true })
  let number = 0
  for (const [context, lines] of recorded) {
    number += 1
    await saveContext(context, lines, resolve(folder, `browser-${number}`))
  }
}
