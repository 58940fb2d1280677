import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { findLineAndColumn } from '../rules/rulesLoadError'
import { compileStorageRules } from './compiler'
import type { StorageRules } from './compiler'
import { StorageRulesSyntaxError } from './syntaxTree'
import { parseWireValue, isMap } from './values'
import type { Value } from './values'

type Json = Readonly<Record<string, unknown>>

interface RuntimeResponse {
  readonly result: Json
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

interface LoadedRules {
  readonly rules: StorageRules
  readonly text: string
  readonly fileName: string
}

const toJsonObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

const toErrorMessage = (error: unknown): string =>
  error instanceof RangeError
    ? 'The rules are nested too deeply'
    : error instanceof Error
      ? error.message
      : String(error)

/** Formats a problem for the suite, which prints the description with file and line. */
const formatIssue = (fileName: string, text: string, at: number, description: string): string => {
  const { line, column } = findLineAndColumn(text, at)
  return JSON.stringify({
    sourcePosition_: { fileName_: fileName, line_: line, column_: column, currentOffset_: at },
    description_: description,
    severity_: 'ERROR',
  })
}

/** Stores the rule sets loaded by one suite and handles its requests. */
export class StorageRulesRuntime {
  private readonly rulesByName = new Map<string, LoadedRules>()

  /**
   * Handles one request. Any failure becomes a response with errors, which the suite treats as a
   * refusal.
   */
  handleRequest(request: unknown): Json {
    const { id, action, context } = toJsonObject(request)
    const { result, errors, warnings } = this.executeAction(String(action), toJsonObject(context))
    // With any other status the suite would wait for this request forever.
    return { id, status: 'ok', action, result, errors, warnings }
  }

  private executeAction(action: string, context: Json): RuntimeResponse {
    try {
      if (action === 'load_ruleset') return this.load(context)
      if (action === 'verify') return this.verify(context)
      return { result: {}, errors: [`Unknown action '${action}'`], warnings: [] }
    } catch (error) {
      return { result: { permit: false }, errors: [toErrorMessage(error)], warnings: [] }
    }
  }

  private load({ rulesetName, source }: Json): RuntimeResponse {
    const files = toJsonObject(source)['files']
    const [file, ...others] = Array.isArray(files) ? files.map(toJsonObject) : []
    if (!file || others.length > 0) throw new Error('Expected one rules file')
    const fileName = String(file['name'])
    const text = String(file['content'])
    try {
      const rules = compileStorageRules(text)
      this.rulesByName.set(String(rulesetName), { rules, text, fileName })
      return { result: { rulesVersion: rules.version }, errors: [], warnings: [] }
    } catch (error) {
      const at = error instanceof StorageRulesSyntaxError ? error.at : 0
      return {
        result: {},
        errors: [formatIssue(fileName, text, at, toErrorMessage(error))],
        warnings: [],
      }
    }
  }

  private verify({ rulesetName, path, method, variables }: Json): RuntimeResponse {
    const loaded = this.rulesByName.get(String(rulesetName))
    if (!loaded) throw new Error(`Unknown ruleset '${String(rulesetName)}'`)
    const { request, resource } = toJsonObject(variables)
    const requestMap = parseWireValue(request)
    if (!isMap(requestMap)) throw new Error('Expected the request as a map')
    const { permit, errors } = loaded.rules.evaluate({
      method: String(method),
      path: String(path).replace(/^\//, '').split('/'),
      request: new Map<string, Value>([['method', String(method)], ...requestMap]),
      resource: resource === undefined ? null : parseWireValue(resource),
    })
    const warnings = errors.map(({ message, at }) => {
      const { line, column } = findLineAndColumn(loaded.text, at)
      return `${loaded.fileName}:${line}:${column}: ${message}`
    })
    return { result: { permit }, errors: [], warnings }
  }
}

/** Exchanges lines of JSON with the suite, like its rules runtime, until the input ends. */
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
      // Without an id no response is possible; the suite logs a line that is not JSON.
      output.write('A request could not be read\n')
      continue
    }
    say(runtime.handleRequest(request))
  }
}
