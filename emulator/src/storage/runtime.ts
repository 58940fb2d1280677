import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { locate } from '../rules/rulesError'
import { compileStorageRules } from './compile'
import type { StorageRules } from './compile'
import { StorageRulesError } from './syntax'
import { fromWire, isMap } from './values'
import type { Value } from './values'

type Json = Readonly<Record<string, unknown>>

interface Answer {
  readonly result: Json
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

interface Loaded {
  readonly rules: StorageRules
  readonly text: string
  readonly fileName: string
}

const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

const reasonOf = (error: unknown): string =>
  error instanceof RangeError
    ? 'The rules are nested too deeply'
    : error instanceof Error
      ? error.message
      : String(error)

/** A problem as the suite reads it: it prints the description with file and line. */
const issue = (fileName: string, text: string, at: number, description: string): string => {
  const { line, column } = locate(text, at)
  return JSON.stringify({
    sourcePosition_: { fileName_: fileName, line_: line, column_: column, currentOffset_: at },
    description_: description,
    severity_: 'ERROR',
  })
}

/** Holds the rule sets one suite has loaded, and answers its requests. */
export class StorageRulesRuntime {
  private readonly loaded = new Map<string, Loaded>()

  /** Answers one request. Whatever goes wrong is an answer with errors, which the suite takes as no. */
  answer(request: unknown): Json {
    const { id, action, context } = asJson(request)
    const { result, errors, warnings } = this.run(String(action), asJson(context))
    // Any other status would leave the suite waiting for this request for ever.
    return { id, status: 'ok', action, result, errors, warnings }
  }

  private run(action: string, context: Json): Answer {
    try {
      if (action === 'load_ruleset') return this.load(context)
      if (action === 'verify') return this.verify(context)
      return { result: {}, errors: [`Unknown action '${action}'`], warnings: [] }
    } catch (error) {
      return { result: { permit: false }, errors: [reasonOf(error)], warnings: [] }
    }
  }

  private load({ rulesetName, source }: Json): Answer {
    const files = asJson(source)['files']
    const [file, ...others] = Array.isArray(files) ? files.map(asJson) : []
    if (!file || others.length > 0) throw new Error('Expected one rules file')
    const fileName = String(file['name'])
    const text = String(file['content'])
    try {
      const rules = compileStorageRules(text)
      this.loaded.set(String(rulesetName), { rules, text, fileName })
      return { result: { rulesVersion: rules.version }, errors: [], warnings: [] }
    } catch (error) {
      const at = error instanceof StorageRulesError ? error.at : 0
      return { result: {}, errors: [issue(fileName, text, at, reasonOf(error))], warnings: [] }
    }
  }

  private verify({ rulesetName, path, method, variables }: Json): Answer {
    const loaded = this.loaded.get(String(rulesetName))
    if (!loaded) throw new Error(`Unknown ruleset '${String(rulesetName)}'`)
    const { request, resource } = asJson(variables)
    const seen = fromWire(request)
    if (!isMap(seen)) throw new Error('Expected the request as a map')
    const { permit, errors } = loaded.rules.judge({
      method: String(method),
      path: String(path).replace(/^\//, '').split('/'),
      request: new Map<string, Value>([['method', String(method)], ...seen]),
      resource: resource === undefined ? null : fromWire(resource),
    })
    const warnings = errors.map(({ message, at }) => {
      const { line, column } = locate(loaded.text, at)
      return `${loaded.fileName}:${line}:${column}: ${message}`
    })
    return { result: { permit }, errors: [], warnings }
  }
}

/** Speaks with the suite in lines of JSON, as its rules runtime does, until the input ends. */
export const serveStorageRules = async (input: Readable, output: Writable): Promise<void> => {
  const runtime = new StorageRulesRuntime()
  const say = (message: Json) => output.write(`${JSON.stringify(message)}\n`)
  say({ id: -1, status: 'ok' })
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    let request: unknown
    try {
      request = JSON.parse(line)
    } catch {
      // Without an id nobody can be answered; a line that is no JSON goes to the suite's log.
      output.write('A request could not be read\n')
      continue
    }
    say(runtime.answer(request))
  }
}
