import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkCommits, findProblems } from './commits'

test('accepts an imperative subject with a body that gives the reason', () => {
  expect(
    findProblems('Retry refunds whose outcome is unknown\n\nA lost answer may hide a refund.\n'),
  ).toEqual([])
})

test.each([
  ['Retry\n', 'the body says why'],
  [`${'Retry '.repeat(13)}\n\nWhy.\n`, 'the subject has 78 characters, at most 72'],
  ['retry refunds\n\nWhy.\n', 'the subject starts with a capital letter: "Add …", "Fix …"'],
  ['Added retries\n\nWhy.\n', 'the subject is in the imperative: "Add …", not "Added …"'],
  ['Retry refunds.\n\nWhy.\n', 'the subject ends without a full stop'],
  ['Retry refunds\nWhy.\n', 'a blank line separates the subject from the body'],
  ['Retry refunds\n\nCo-authored-by: A <a@b.example>\n', 'the body says why'],
  [`Retry\n\n${'why '.repeat(40)}\n`, 'the body wraps at 100 columns'],
])('reports the problem of %j', (message, problem) => {
  expect(findProblems(message)).toContain(problem)
})

test('accepts the messages that git writes for merges and reverts', () => {
  expect(findProblems("Merge branch 'main'")).toEqual([])
  expect(findProblems('Revert "Add retries"')).toEqual([])
})

describe('in a clone', () => {
  let folder = ''
  const git = (name: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
      cwd: join(folder, name),
      stdio: 'ignore',
    })
  const commit = (name: string, message: string) =>
    git(name, 'commit', '--allow-empty', '--message', message)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'commits-'))
    mkdirSync(join(folder, 'origin'))
    git('origin', 'init', '--initial-branch', 'main')
    commit('origin', 'old history without a body')
    commit('origin', 'Add offers\n\nDrivers need a choice.')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('checks only the commits beyond origin/main', () => {
    git('.', 'clone', 'origin', 'clone')
    expect(checkCommits(join(folder, 'clone'))).toEqual({
      isPassed: true,
      lines: [expect.stringMatching(/^Checked 0 commits since [0-9a-f]{9}\.$/)],
    })
    commit('clone', 'Retry refunds\n\nA lost answer may hide a refund.')
    expect(checkCommits(join(folder, 'clone')).isPassed).toBe(true)
    commit('clone', 'fix it')
    const { isPassed, lines } = checkCommits(join(folder, 'clone'))
    expect(isPassed).toBe(false)
    expect(lines).toContain('  the body says why')
  })

  test('checks the commits beyond main where there is no remote', () => {
    git('origin', 'checkout', '-b', 'work')
    commit('origin', 'fix it')
    const { isPassed, lines } = checkCommits(join(folder, 'origin'))
    expect(isPassed).toBe(false)
    expect(lines.at(-1)).toMatch(/^Checked 1 commits since/)
  })

  test('checks the commits since a given base and refuses an unknown base', () => {
    expect(checkCommits(join(folder, 'origin'), 'HEAD~1').isPassed).toBe(true)
    expect(checkCommits(join(folder, 'origin'), 'HEAD~9')).toEqual({
      isPassed: false,
      lines: ['There is no commit HEAD~9 here. Fetch it, or name another base.'],
    })
  })

  test.each([
    ['with shallow history of another branch', 'shallow'],
    ['without Git', 'plain'],
  ])('checks nothing and says so %s', (_, name) => {
    git('origin', 'checkout', '-b', 'work')
    commit('origin', 'fix it')
    git('.', 'clone', '--depth', '1', '--branch', 'work', `file://${folder}/origin`, 'shallow')
    mkdirSync(join(folder, 'plain'))
    expect(checkCommits(join(folder, name))).toEqual({
      isPassed: true,
      lines: ['Checked no commits, because the commit where this branch left main is unknown.'],
    })
  })
})
