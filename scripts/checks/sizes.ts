/**
 * Counts what is large or badly named in the code and compares it with the budget in
 * sizeBudget.json, which can only fall: `npm run --prefix lab check:sizes`. `-- --accept` records
 * smaller numbers, `-- --list` lists everything that counts, the largest first. Tests and their
 * support do not count.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../..')
const BUDGET_FILE = join(import.meta.dirname, 'sizeBudget.json')
const TEST_FILE = /\.test\.|(^|\/)(test|testing)\/|\.d\.ts$/

const LIMITS = {
  functionLines: 60,
  longFunctionLines: 150,
  fileLines: 400,
  parameters: 4,
  filesInFolder: 25,
  vagueNames: 0,
} as const

/**
 * Names of variables and parameters that say nothing of what they hold: participles without a noun,
 * and words that docs/writing.md replaces.
 */
const VAGUE_NAMES = new Set([
  ...['found', 'known', 'asked', 'given', 'told', 'wanted', 'kept', 'made', 'taken', 'shown'],
  ...['seen', 'sent', 'done', 'chosen', 'listed', 'answer', 'step', 'trail', 'sweep'],
])

/** Something that is counted: where it is, and its lines, parameters or files. */
interface Finding {
  place: string
  size: number
}

/** Everything over a limit, by the name of the limit. */
export type Sizes = Record<keyof typeof LIMITS, Finding[]>

export const createSizes = (): Sizes => ({
  functionLines: [],
  longFunctionLines: [],
  fileLines: [],
  parameters: [],
  filesInFolder: [],
  vagueNames: [],
})

/** Adds what is over a limit in one file. `path` is the file's path in the repository. */
export const measureFile = (sizes: Sizes, path: string, text: string): void => {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  const getLine = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const add = (name: keyof Sizes, size: number, place: string) => {
    if (size > LIMITS[name]) sizes[name].push({ place, size })
  }
  const isVague = (node: ts.Node): boolean =>
    (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
    ts.isIdentifier(node.name) &&
    VAGUE_NAMES.has(node.name.text)
  const visit = (node: ts.Node): void => {
    if (isVague(node)) add('vagueNames', 1, `${path}:${getLine(node.getStart(source))}`)
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = getLine(node.getStart(source))
      const place = `${path}:${first}`
      const lines = getLine(node.end) - first + 1
      add('functionLines', lines, place)
      add('longFunctionLines', lines, place)
      add('parameters', node.parameters.length, place)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  add('fileLines', text.split('\n').length, path)
}

/** Returns what is over a limit in the code of the repository, the largest first. */
const measureRepository = (): Sizes => {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const paths = stdout.split('\n').filter((path) => path !== '' && !TEST_FILE.test(path))
  const sizes = createSizes()
  const files = new Map<string, number>()
  for (const path of paths) {
    measureFile(sizes, path, readFileSync(join(ROOT, path), 'utf8'))
    files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1)
  }
  for (const [place, size] of files)
    if (size > LIMITS.filesInFolder) sizes.filesInFolder.push({ place, size })
  for (const findings of Object.values(sizes)) findings.sort((one, other) => other.size - one.size)
  return sizes
}

const MEANINGS: Readonly<Record<keyof Sizes, string>> = {
  functionLines: 'functions of more than 60 lines',
  longFunctionLines: 'functions of more than 150 lines',
  fileLines: 'files of more than 400 lines',
  parameters: 'functions with five or more parameters',
  filesInFolder: 'folders with more than 25 files',
  vagueNames: 'names that do not say what they hold',
}

export type Budget = Record<keyof Sizes, number>

/** Returns a sentence for each count that is not the budget's. */
export const compareSizes = (budget: Budget, sizes: Sizes): string[] =>
  Object.entries(sizes).flatMap(([name, findings]) => {
    const most = budget[name as keyof Sizes]
    const count = `${findings.length} ${MEANINGS[name as keyof Sizes]}`
    if (findings.length > most)
      return [
        `There are ${count}, and the budget is ${most}. \`npm run --prefix lab check:sizes -- --list\` lists them.`,
      ]
    return findings.length < most
      ? [
          `There are ${count}, fewer than the budget of ${most}. Record it: npm run --prefix lab check:sizes -- --accept`,
        ]
      : []
  })

/** Returns the budget after a change: no number rises. */
export const lowerBudget = (budget: Budget, sizes: Sizes): Budget => ({
  functionLines: Math.min(budget.functionLines, sizes.functionLines.length),
  longFunctionLines: Math.min(budget.longFunctionLines, sizes.longFunctionLines.length),
  fileLines: Math.min(budget.fileLines, sizes.fileLines.length),
  parameters: Math.min(budget.parameters, sizes.parameters.length),
  filesInFolder: Math.min(budget.filesInFolder, sizes.filesInFolder.length),
  vagueNames: Math.min(budget.vagueNames, sizes.vagueNames.length),
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { accept, list } = parseArgs({
    options: {
      accept: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  }).values
  const sizes = measureRepository()
  const recorded = JSON.parse(readFileSync(BUDGET_FILE, 'utf8')) as Budget
  const budget = accept ? lowerBudget(recorded, sizes) : recorded
  if (accept) writeFileSync(BUDGET_FILE, `${JSON.stringify(budget, undefined, 2)}\n`)
  if (list)
    for (const [name, findings] of Object.entries(sizes))
      for (const { place, size } of findings) console.log(`${name} ${size} ${place}`)
  const sentences = compareSizes(budget, sizes)
  for (const sentence of sentences) console.error(sentence)
  process.exitCode = sentences.length === 0 ? 0 : 1
}
