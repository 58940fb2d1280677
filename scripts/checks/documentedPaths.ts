/**
 * Finds paths in the documents that do not exist: `npm run --prefix lab check:paths`. Checks
 * every file or folder that a document names in backticks.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders in which docs/back-office.md and others leave out the beginning of a path. */
const BASES = ['', 'src/', 'src/office/', 'functions/src/']
const FOLDERS =
  'app|docs|domain|driver|emulator|features|functions|i18n|office|rules|scripts|seed|services|site|src|store|test|lab|ui'
const PATH = new RegExp(`^(?:(?:${FOLDERS})/[\\w./-]+|[\\w.-]+\\.(?:tsx?|mjs))$`)

/** Returns the files and folders that a Markdown text names in backticks. */
export const findPaths = (text: string): string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, quoted = '']) => quoted.replace(/\/$/, ''))
    .filter((quoted) => PATH.test(quoted))

/** Returns the paths that a document names and that are not among the files of the repository. */
export const findMissingPaths = (
  document: string,
  text: string,
  files: readonly string[],
): string[] => {
  const paths = new Set(files)
  for (const file of files)
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) paths.add(folder)
  const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)))
  const bases = [...BASES, join(dirname(document), '/')]
  return findPaths(text).filter((path) =>
    path.includes('/') ? !bases.some((base) => paths.has(join(base, path))) : !names.has(path),
  )
}

const git = (root: string, ...options: string[]): string[] => {
  const { status, stdout } = spawnSync('git', options, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '../..')
  const files = git(root, 'ls-files')
  // The changelog names files of earlier releases.
  const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
  for (const document of documents)
    for (const path of findMissingPaths(
      document,
      readFileSync(join(root, document), 'utf8'),
      files,
    )) {
      // Built files, and the operator's own, are in no commit.
      if (git(root, 'check-ignore', path, `${path}/`).length > 0) continue
      console.log(`${document}: ${path} does not exist. Name the file that replaced it.`)
      process.exitCode = 1
    }
}
