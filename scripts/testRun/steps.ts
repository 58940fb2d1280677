import type { Seconds } from '~/domain/language/units'

/** The steps of `npm test`. CONTRIBUTING.md shows them with their budgets. */
export interface TestStep {
  name: string
  /** Time on two cores; the summary warns about a step that takes longer. */
  budgetSeconds: Seconds
  /** Steps without which this one cannot run. It is skipped when one of them fails. */
  needs?: readonly string[]
  /** True when it uses every core. Other steps use one each, so two cores run two of them. */
  usesAllCores?: boolean
  /** The commands that make up the step, as arguments of Node.js. All run, also after one fails. */
  commands?: readonly (readonly string[])[]
  /** Environment variables of the commands. */
  variables?: Readonly<Record<string, string>>
  /** True for a step of `npm test -- --endurance`, which `npm test` runs only by name. */
  isOnlyLong?: true
  /** The Vitest projects that it runs instead of commands. */
  projects?: readonly string[]
}

/**
 * The compiler in native code. It has no API yet, which scripts/checks/storedShape.ts and a test of
 * the settings need, so `typescript` is installed too.
 */
const TSC = 'node_modules/typescript-native/bin/tsc'
/**
 * The compiler and the part of the linter that knows types are Go programs, which end after a few
 * seconds. Collecting garbage less often saves a quarter of the linter's processor time.
 */
const GO_VARIABLES = { GOGC: '400' }
const TSX = 'node_modules/tsx/dist/cli.mjs'
const WRITE_CSS_TYPES = [TSX, 'scripts/checks/cssModuleTypes.ts']

export const TEST_STEPS: readonly TestStep[] = [
  {
    name: 'lint',
    budgetSeconds: 20,
    commands: [
      WRITE_CSS_TYPES,
      ['node_modules/oxlint/bin/oxlint'],
      ['node_modules/stylelint/bin/stylelint.mjs', 'src/**/*.css'],
    ],
    variables: GO_VARIABLES,
  },
  {
    // The projects of tsconfig.json, each alone: the domain has no access to the DOM or Node.js,
    // and the functions none to the DOM. The web app sees the types of Node.js, because those of
    // papaparse refer to them. One thread needs half the processor time of several, which each
    // check what they share.
    name: 'types',
    budgetSeconds: 20,
    commands: [
      WRITE_CSS_TYPES,
      ...['domain', 'web', 'node', 'tests'].map((project) => [
        ...[TSC, '--noEmit', '--singleThreaded', '-p'],
        `tsconfig.${project}.json`,
      ]),
    ],
    variables: GO_VARIABLES,
  },
  {
    name: 'layout',
    budgetSeconds: 30,
    commands: [['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']],
  },
  { name: 'wording', budgetSeconds: 10, commands: [[TSX, 'scripts/checks/wording.ts']] },
  { name: 'sizes', budgetSeconds: 15, commands: [[TSX, 'scripts/checks/sizes.ts']] },
  { name: 'build', budgetSeconds: 30, commands: [[TSX, 'scripts/testRun/prepare.ts']] },
  { name: 'unit and web', budgetSeconds: 190, usesAllCores: true, projects: ['unit', 'web'] },
  { name: 'rules', budgetSeconds: 40, usesAllCores: true, projects: ['rules'] },
  { name: 'conformance', budgetSeconds: 65, usesAllCores: true, projects: ['conformance'] },
  {
    name: 'functions and end to end',
    budgetSeconds: 450,
    needs: ['build'],
    usesAllCores: true,
    projects: ['functions', 'e2e'],
  },
  {
    // Fails on a layout fault. The pictures are for a reviewer: .kerbside/pictures/index.html.
    name: 'pictures',
    budgetSeconds: 180,
    needs: ['build'],
    usesAllCores: true,
    commands: [[TSX, 'lab/screenshots.ts', '--touched', '--lang', 'en,ar', '--theme', 'light']],
  },
  {
    name: 'other browsers',
    budgetSeconds: 300,
    needs: ['build'],
    usesAllCores: true,
    projects: ['engines'],
    isOnlyLong: true,
  },
]

/** Projects whose tests start a database stand-in, or Google's own when it is requested. */
export const DATABASE_PROJECTS: readonly string[] = ['rules', 'conformance']
