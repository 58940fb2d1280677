import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../local/build'
import { writeCssModuleTypes } from './cssModuleTypes'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kerbside-css-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'src/ui'), { recursive: true })
})
const write = (name: string, styles: string) => writeFileSync(join(root, 'src/ui', name), styles)
const locate = (name: string) => join(root, '.kerbside/cssTypes/src/ui', `${name}.d.ts`)

test('the types of a CSS module have its classes and nothing else', async () => {
  write(
    'card.module.css',
    `/* .comment */ .card, .card > .head-line { color: red }
     @media (width < 1px) { .card.narrow :global(.theirs) { width: 1.5em } }`,
  )
  await writeCssModuleTypes(root)
  const types = readFileSync(locate('card.module.css'), 'utf8')
  expect([...types.matchAll(/readonly "(.+)": string/g)].map(([, name]) => name)).toEqual([
    'card',
    'head-line',
    'narrow',
  ])
})

test('a deleted CSS module loses its types, and an unchanged one keeps its file', async () => {
  write('old.module.css', '.old { color: red }')
  write('card.module.css', '.card { color: red }')
  await writeCssModuleTypes(root)
  const { ino, mtimeMs } = statSync(locate('card.module.css'))
  rmSync(join(root, 'src/ui/old.module.css'))
  await writeCssModuleTypes(root)
  expect(existsSync(locate('old.module.css'))).toBe(false)
  expect(statSync(locate('card.module.css'))).toMatchObject({ ino, mtimeMs })
})

/** Returns the type errors of a file that would be in `src`, with the settings of this project. */
const findErrors = (code: string): string[] => {
  const file = join(ROOT, 'src/anyName.ts')
  const config: unknown = ts.readConfigFile(join(ROOT, 'tsconfig.web.json'), (path) =>
    ts.sys.readFile(path),
  ).config
  const options = ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options
  const host = ts.createCompilerHost(options)
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (path) => (path === file ? code : readFile(path))
  host.fileExists = (path) => path === file || fileExists(path)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (path, languageVersion) =>
    path === file
      ? ts.createSourceFile(path, code, languageVersion)
      : getSourceFile(path, languageVersion)
  const program = ts.createProgram([file], options, host)
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

test.each(['./ui/controls.module.css', '~/src/ui/controls.module.css'])(
  'a class that %s does not have is a type error',
  async (path) => {
    await writeCssModuleTypes()
    const errors = findErrors(
      `import css from '${path}'\nexport const names = [css.button, css.noSuchClass]`,
    )
    expect(errors).toEqual([expect.stringContaining("'noSuchClass' does not exist")])
  },
)
