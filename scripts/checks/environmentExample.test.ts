import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../local/build'

/** Variables that no person sets, each with the reason. */
const INTERNAL: Readonly<Record<string, string>> = {
  KERBSIDE_BUILD: 'a constant that the build writes into the service worker',
  KERBSIDE_GUARD_OPEN: 'the suite passes it to scripts/preload/requestGuard.mjs',
  KERBSIDE_JAVA: 'the suite passes it to scripts/shim/java',
  KERBSIDE_KEPT: 'a constant that the build writes into the service worker',
  KERBSIDE_PIDS: 'the suite passes it to scripts/shim/java',
  KERBSIDE_PLATFORM: 'start and deploy pass the content of the public pages to the build',
  KERBSIDE_SHELL: 'a constant that the build writes into the service worker',
  KERBSIDE_TEST_SNAPSHOTS: '`npm test` passes it to the browser tests',
  KERBSIDE_TEST_SUITES: '`npm test` passes it to Vitest',
  KERBSIDE_TOUR: '`npm start` passes it to the build',
  KERBSIDE_TRIGGERS_PORT: 'the suite passes it to scripts/shim/java',
}

const example = readFileSync(join(ROOT, '.env.example'), 'utf8')
const listed = [...example.matchAll(/^#(KERBSIDE_\w+)=/gm)].map(([, name = '']) => name)

/** Returns the variables that the code names, without tests and documents. */
const listCodeVariables = (): string[] => {
  const { stdout } = spawnSync(
    'git',
    [
      ...['grep', '-ohIE', '\\bKERBSIDE_[A-Z0-9_]*[A-Z0-9]\\b', '--'],
      ...['*.ts', '*.tsx', '*.mjs', 'scripts/shim', ':!*.test.ts', ':!*.test.tsx', ':!test'],
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )
  return [...new Set(stdout.trim().split('\n'))].toSorted()
}

test('.env.example has each variable of the code that a person may set, once, and no other', () => {
  expect([...listed, ...Object.keys(INTERNAL)].toSorted()).toEqual(listCodeVariables())
})

test('.env.example explains each variable or group of variables, and sets none', () => {
  const lines = example.split('\n')
  const unexplained = listed.filter((name) => {
    const place = lines.findIndex((line) => line.startsWith(`#${name}=`))
    return !/^# \w|^#KERBSIDE_/.test(lines[place - 1] ?? '')
  })
  expect(unexplained).toEqual([])
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})
