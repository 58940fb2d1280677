import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { ROOT } from '~/scripts/local/build'

/** Lists the processes whose environment or command names a text. */
const listProcessesWith = (text: string): string[] =>
  execFileSync('ps', ['axeww', '-o', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((line) => line.includes(text))

/** Lines of output after which the run is interrupted. After six of them the suite starts. */
const LINES = chooseLength([6], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])

test.each(LINES)(
  'a run that is interrupted after %s lines of output leaves no process and no file',
  async (line) => {
    const folder = mkdtempSync(join(tmpdir(), 'kerbside-interrupted-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    const run = spawn(process.execPath, ['scripts/test.mjs', 'test/functions/booking.test.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
      env: {
        ...process.env,
        TMPDIR: temporary,
        KERBSIDE_TEST_REPORTS: join(folder, 'reports'),
      },
    })
    let count = 0
    for await (const text of createInterface({ input: run.stdout })) {
      if (text.trim() !== '') count += 1
      if (count === line) break
    }
    run.stdout.resume()
    // A terminal interrupts the whole process group.
    process.kill(-(run.pid ?? 0), 'SIGINT')
    const [code] = (await once(run, 'exit')) as [number]
    expect(code).toBeGreaterThan(0)
    await expect.poll(() => listProcessesWith(temporary)).toEqual([])
    // The cache of the TypeScript loader is shared by all runs.
    expect(readdirSync(temporary).filter((name) => !name.startsWith('tsx-'))).toEqual([])
  },
  240_000,
)
