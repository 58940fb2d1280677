import type { TestStep } from './steps'

/** The arguments of `npm test`. */
export interface TestRequest {
  /** Names of steps, and parts of test files' paths. Empty: everything. */
  names: readonly string[]
  /** Runs only tests whose full name matches. */
  pattern?: string
  /** Runs only what the changes since main touch. */
  changed: boolean
  /** Runs only the long tests, at full length. */
  endurance: boolean
}
export interface TestFile {
  /** Path from the root. */
  file: string
  project: string
}
/** Lists files by their paths from the root. */
export interface TestSources {
  listTestFiles: () => readonly TestFile[]
  listChangedFiles: () => readonly string[]
  /** Lists the test files that are longer in `npm test -- --endurance`. */
  listLongTests: () => readonly string[]
}
/** A step of this run, and the part of its tests that runs. */
export interface PlannedStep {
  step: TestStep
  projects: readonly string[]
  /** Further arguments of Vitest. */
  args: readonly string[]
}

/** Parses the arguments of `npm test`; throws a readable error for an unknown one. */
export function parseArguments(args: readonly string[]): TestRequest {
  const names: string[] = []
  let pattern: string | undefined
  let changed = false
  let endurance = false
  for (let at = 0; at < args.length; at += 1) {
    const one = args[at] ?? ''
    if (one === '--changed') changed = true
    else if (one === '--endurance') endurance = true
    else if (one === '-t') {
      pattern = args[(at += 1)]
      if (pattern === undefined) throw new Error('-t needs the name of a test after it.')
    } else if (one.startsWith('-')) {
      throw new Error(
        `Unknown option ${one}. Use: npm test [-- PATH or STEP …] [-t "test name"] [--changed] [--endurance]`,
      )
    } else names.push(one.replace(/^\.\//, ''))
  }
  if (changed && names.length > 0)
    throw new Error('--changed chooses the tests by itself. Leave out the paths and steps.')
  if (endurance && (changed || names.length > 0))
    throw new Error('--endurance chooses the tests by itself. Leave out everything else.')
  return { names, ...(pattern !== undefined && { pattern }), changed, endurance }
}

const BROWSER_TESTS = 'test/e2e/'
/**
 * Tests that import none of the code under test, because they run the built product. A change of a
 * file that matches the first column runs the tests in the second one.
 */
export const TESTS_BY_CHANGED_PATH: readonly [RegExp, readonly string[]][] = [
  [/^(domain|functions|emulator|rules|seed)\//, ['test/functions/', 'test/attack/']],
  [/^(domain|functions|emulator|rules|seed)\//, ['test/e2e/firstBooking', 'test/e2e/payments']],
  [/^(database\.rules\.json|storage\.rules|firebase\.json)$/, ['test/rules/', 'test/functions/']],
  [/^(scripts|tools)\/(simulate|backup|database|suite)/, ['test/load/']],
  [/^src\/office\//, ['test/e2e/office', 'test/e2e/dispatcher', 'test/e2e/board']],
  [/^src\/office\/.*(phone|caller|call)/i, ['test/e2e/phoneOffice', 'test/e2e/telephoneDesk']],
  [/^src\/driver\//, ['test/e2e/driver', 'test/e2e/emergency', 'test/e2e/matchedDispatch']],
  [/^src\/site\//, ['test/e2e/riderSite', 'test/e2e/publicPages', 'test/e2e/firstBooking']],
  [/^src\/(ui|widgets|features|services|store|i18n|app|worker)\//, [BROWSER_TESTS]],
  [/^test\/(support|functions\/testPlatform)/, ['test/functions/booking', BROWSER_TESTS]],
  [/^(package-lock\.json|vite\.config\.ts|index\.html|public\/)/, [BROWSER_TESTS]],
]

const isCode = (path: string) => /\.(ts|tsx|mjs|js|json|jsonc)$/.test(path)

/** Returns true when a change of these files can change the result of a check. */
const isCheckTouched = (name: string, changed: readonly string[]) =>
  name === 'types' || name === 'lint' ? changed.some(isCode) : changed.length > 0

/**
 * Returns the steps of this run in order. Throws a readable error when a name is neither a step nor
 * part of a test file's path.
 */
export function planSteps(
  steps: readonly TestStep[],
  request: TestRequest,
  sources: TestSources,
): PlannedStep[] {
  const pattern = request.pattern === undefined ? [] : ['-t', request.pattern]
  const planned = (): PlannedStep[] => {
    if (request.changed) return planChanged(steps, sources)
    if (request.endurance) return planNamed(steps, sources.listLongTests(), sources.listTestFiles())
    if (request.names.length === 0)
      return steps
        .filter(({ isOnlyLong }) => !isOnlyLong)
        .map((step) => ({ step, projects: step.projects ?? [], args: [] }))
    return planNamed(steps, request.names, sources.listTestFiles())
  }
  const selected = planned().map((one) => ({ ...one, args: [...one.args, ...pattern] }))
  const needed = new Set(selected.flatMap(({ step }) => step.needs ?? []))
  return steps.flatMap((step): PlannedStep[] => {
    const selectedStep = selected.find((one) => one.step === step)
    if (selectedStep) return [selectedStep]
    return needed.has(step.name) ? [{ step, projects: step.projects ?? [], args: [] }] : []
  })
}

const planNamed = (
  steps: readonly TestStep[],
  names: readonly string[],
  files: readonly TestFile[],
): PlannedStep[] => {
  const isStep = (name: string) =>
    steps.some((step) => step.name === name || step.projects?.includes(name))
  const paths = names.filter((name) => !isStep(name))
  for (const path of paths)
    if (!files.some(({ file }) => file.includes(path)))
      throw new Error(
        `"${path}" is neither a step nor part of a test file's path. ` +
          `The steps are: ${steps.map(({ name }) => name).join(', ')}.`,
      )
  return steps.flatMap((step): PlannedStep[] => {
    if (names.includes(step.name)) return [{ step, projects: step.projects ?? [], args: [] }]
    const whole = (step.projects ?? []).filter((project) => names.includes(project))
    const matching = files.filter(
      ({ file, project }) =>
        step.projects?.includes(project) === true && paths.some((path) => file.includes(path)),
    )
    const projects = [...new Set([...whole, ...matching.map(({ project }) => project)])]
    if (projects.length === 0) return []
    // A filter would also apply to a project that was named as a whole.
    const filters = whole.length > 0 ? [] : matching.map(({ file }) => file)
    return [{ step, projects, args: filters }]
  })
}

const planChanged = (
  steps: readonly TestStep[],
  { listTestFiles, listChangedFiles }: TestSources,
): PlannedStep[] => {
  const changed = listChangedFiles()
  if (changed.length === 0) return []
  const matchingRules = TESTS_BY_CHANGED_PATH.filter(([path]) =>
    changed.some((one) => path.test(one)),
  )
  const files = listTestFiles().filter(
    ({ file }) =>
      changed.includes(file) ||
      matchingRules.some(([, starts]) => starts.some((start) => file.startsWith(start))),
  )
  return steps.flatMap((step): PlannedStep[] => {
    const { projects } = step
    if (!projects)
      return isCheckTouched(step.name, changed) ? [{ step, projects: [], args: [] }] : []
    if (!step.needs) return [{ step, projects, args: ['--changed=main', '--passWithNoTests'] }]
    const mine = files.filter(({ project }) => projects.includes(project))
    if (mine.length === 0) return []
    return [
      {
        step,
        projects: [...new Set(mine.map(({ project }) => project))],
        args: mine.map(({ file }) => file),
      },
    ]
  })
}
