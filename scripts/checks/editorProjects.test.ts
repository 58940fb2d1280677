import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ROOT } from '../local/build'

const ignore = () => undefined
const watcher: ts.FileWatcher = { close: ignore }
const host: ts.server.ServerHost = {
  ...ts.sys,
  watchFile: () => watcher,
  watchDirectory: () => watcher,
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
}
const logger: ts.server.Logger = {
  close: ignore,
  endGroup: ignore,
  getLogFileName: ignore,
  hasLevel: () => false,
  info: ignore,
  loggingEnabled: () => false,
  msg: ignore,
  perftrc: ignore,
  startGroup: ignore,
}

/** The part of an editor that chooses a project for each open file. */
const editor = new ts.server.ProjectService({
  host,
  logger,
  cancellationToken: ts.server.nullCancellationToken,
  useSingleInferredProject: false,
  useInferredProjectPerProjectRoot: false,
  session: undefined,
})

/** Opens a file with further code; returns its project and the errors that the editor shows. */
const openInEditor = (file: string, addedCode: string) => {
  const path = ts.server.toNormalizedPath(join(ROOT, file))
  editor.openClientFile(path, `${readFileSync(path, 'utf8')}\n${addedCode}`)
  const project = editor.getDefaultProjectForFile(path, true)
  const errors = project?.getLanguageService().getSemanticDiagnostics(path) ?? []
  editor.closeClientFile(path)
  return {
    project: project && relative(ROOT, project.getProjectName()),
    errors: errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  }
}

test('an editor shows the DOM and Node.js in the domain as errors', () => {
  const code = 'export const added = [document.title, process.pid]'
  expect(openInEditor('domain/money/money.ts', code)).toEqual({
    project: 'tsconfig.domain.json',
    errors: [
      expect.stringContaining("Cannot find name 'document'"),
      expect.stringContaining("Cannot find name 'process'"),
    ],
  })
})

const readConfig = (file: string): ts.ParsedCommandLine => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ignore }
  const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, file), undefined, host)
  if (!config) throw new Error(`${file} cannot be read.`)
  return config
}

test('each file belongs to exactly one project', () => {
  const projects = (readConfig('tsconfig.json').projectReferences ?? []).map(({ path }) => path)
  const members = projects.flatMap((path) => readConfig(relative(ROOT, path)).fileNames)
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.tsx'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  // Declarations of modules belong to each project that uses them.
  const isCode = (file: string) => file !== '' && !file.endsWith('.d.ts')
  const counts = new Map<string, number>()
  for (const file of members.map((member) => relative(ROOT, member)).filter(isCode))
    counts.set(file, (counts.get(file) ?? 0) + 1)
  const files = stdout.split('\n').filter(isCode)
  expect(files.filter((file) => counts.get(file) !== 1)).toEqual([])
})
