import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '~/scripts/local/build'
import tourTexts from '~/src/i18n/locales/en/tour.json'

/** Every text and name by which a file would show that it contains the demo tour. */
const TRACES = [
  'demo-tour',
  'tour_step_',
  ...Object.values(tourTexts).filter((text) => /\s\S+\s/.test(text)),
]

test('a site that is built for a deployment contains nothing of the demo tour', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', folder], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', KERBSIDE_TOUR: '' },
  })
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(js|css|html|txt|json)$/.test(file) && statSync(join(folder, file)).isFile(),
  )
  expect(files).toContain('index.html')
  const found = files.filter((file) => {
    const content = readFileSync(join(folder, file), 'utf8')
    return TRACES.some((trace) => content.includes(trace))
  })
  expect(found).toEqual([])
})
