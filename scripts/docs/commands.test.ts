import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../local/build'

const MAX_ROOT_COMMANDS = 20
const MAX_README_COMMANDS = 8

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const listScripts = (file: string): string[] =>
  Object.keys((JSON.parse(read(file)) as { scripts: Record<string, string> }).scripts)

const rootScripts = listScripts('package.json')
/** Each command as a person types it. */
const commands = [
  ...rootScripts.map((name) =>
    ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
  ),
  ...listScripts('lab/package.json').map((name) => `npm run --prefix lab ${name}`),
]

test('docs/commands.md explains each command', () => {
  const document = read('docs/commands.md')
  const missing = commands.filter(
    (command) => !document.includes(`\`${command}\``) && !document.includes(`\`${command} -- `),
  )
  expect(missing).toEqual([])
})

test('documents and code name only commands that exist', () => {
  const { stdout } = spawnSync(
    'git',
    [
      ...['grep', '-ohE', 'npm run (--prefix lab )?[a-z][a-z:-]*[a-z]', '--'],
      // The changelog names commands of earlier releases.
      ...['*.md', '*.ts', '*.tsx', '*.mjs', '*.yml', 'Containerfile', ':!*CHANGELOG.md'],
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )
  const named = new Set(stdout.trim().split('\n'))
  expect([...named].filter((command) => !commands.includes(command))).toEqual([])
})

test('the root and the README stay short enough to be read', () => {
  expect(rootScripts.length).toBeLessThanOrEqual(MAX_ROOT_COMMANDS)
  const [, table = ''] = /^\| command \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(read('README.md')) ?? []
  expect(table.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_COMMANDS)
})
