/**
 * Checks the messages of a change's commits: `npm run --prefix lab check:commits [-- BASE]`. BASE
 * is the commit where the change starts; without it, the commit where this branch left
 * `origin/main`, or `main` in a repository without a remote. Checks nothing and says so where that
 * commit is unknown: without Git, or in a clone with shallow history, as in CI.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SUBJECT_WIDTH = 72
const BODY_WIDTH = 100

/** Returns the problems of a commit message; an empty list when it has none. */
export const findProblems = (message: string): string[] => {
  const [subject = '', blank = '', ...rest] = message.trimEnd().split('\n')
  // Git writes the messages of merges and reverts.
  if (/^(?:Merge|Revert) /.test(subject)) return []
  const body = rest.filter((line) => !/^[\w-]+: \S/.test(line))
  return [
    subject.length > SUBJECT_WIDTH && `the subject has ${subject.length} characters, at most 72`,
    !/^[A-Z]/.test(subject) && 'the subject starts with a capital letter: "Add …", "Fix …"',
    /^(?:Added|Fixed|Changed|Removed|Updated|Adds|Fixes|Changes|Removes|Updates)\b/.test(subject) &&
      'the subject is in the imperative: "Add …", not "Added …"',
    /[.!:]$/.test(subject) && 'the subject ends without a full stop',
    blank !== '' && 'a blank line separates the subject from the body',
    body.join('').trim() === '' && 'the body says why',
    body.some((line) => line.length > BODY_WIDTH && line.includes(' ')) &&
      `the body wraps at ${BODY_WIDTH} columns`,
  ].filter((problem) => problem !== false)
}

/** Returns the output of a Git command in `folder`; null when it fails or Git is missing. */
const runGit = (folder: string, ...args: string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The lines to print, and whether the check passed. */
interface Report {
  isPassed: boolean
  lines: string[]
}

/** Checks the commits in `folder` since `base`, or since the branch left main. */
export const checkCommits = (folder: string, base?: string): Report => {
  const start =
    base ??
    runGit(folder, 'merge-base', 'HEAD', 'origin/main') ??
    runGit(folder, 'merge-base', 'HEAD', 'main')
  if (start === null)
    return {
      isPassed: true,
      lines: ['Checked no commits, because the commit where this branch left main is unknown.'],
    }
  const hashes = runGit(folder, 'rev-list', '--reverse', '--end-of-options', `${start}..HEAD`)
  if (hashes === null)
    return {
      isPassed: false,
      lines: [`There is no commit ${start} here. Fetch it, or name another base.`],
    }
  const commits = hashes.split('\n').filter((line) => line !== '')
  const problems = commits.flatMap((hash) => {
    const message = runGit(folder, 'log', '-1', '--format=%B', hash) ?? ''
    const messageProblems = findProblems(message)
    return messageProblems.length === 0
      ? []
      : [
          `${hash.slice(0, 9)} ${message.split('\n')[0]}`,
          ...messageProblems.map((problem) => `  ${problem}`),
        ]
  })
  return {
    isPassed: problems.length === 0,
    lines: [...problems, `Checked ${commits.length} commits since ${start.slice(0, 9)}.`],
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { isPassed, lines } = checkCommits(process.cwd(), process.argv[2])
  for (const line of lines) console.log(line)
  if (!isPassed) process.exitCode = 1
}
