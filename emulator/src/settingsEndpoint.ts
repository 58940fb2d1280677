import { parseJson } from './auth'
import type { Namespace } from './namespace'
import { invalidDataError, methodNotAllowedError, permissionDeniedError } from './requestError'
import { authenticate, parseJsonBody, jsonResponse, JSON_TYPE, readBody } from './rest/restHttp'
import type { RestRequest, RestResponse } from './rest/restHttp'
import { RulesError } from './rules/compiler'
import { parseRulesJson, toPlainJson } from './rules/rulesJson'
import type { TriggerRegistry } from './triggers'

const ALLOW_ALL_RULES = '{\n  "rules": {\n    ".read": true,\n    ".write": true\n  }\n}\n'
const MAX_SETTINGS_BYTES = 16 * 1024 * 1024

const okResponse = (): RestResponse => jsonResponse({ status: 'ok' })

const handleRules = async (call: RestRequest, namespace: Namespace): Promise<RestResponse> => {
  const text = namespace.rulesText ?? ALLOW_ALL_RULES
  if (call.method === 'GET') {
    return call.params.get('format') === 'strict'
      ? jsonResponse(toPlainJson(parseRulesJson(text)))
      : { status: 200, body: text, headers: { 'Content-Type': JSON_TYPE } }
  }
  if (call.method !== 'PUT') throw methodNotAllowedError()
  const body = await readBody(call.request, MAX_SETTINGS_BYTES)
  try {
    namespace.setRules(body)
  } catch (error) {
    if (error instanceof RulesError) throw invalidDataError(error.message)
    throw error
  }
  return okResponse()
}

const handleDiskSimulation = async (
  call: RestRequest,
  disk: { full: boolean },
): Promise<RestResponse> => {
  if (call.method === 'GET') return jsonResponse(disk.full ? 'full' : 'ok')
  if (call.method !== 'PUT') throw methodNotAllowedError()
  const body = parseJsonBody(await readBody(call.request, MAX_SETTINGS_BYTES))
  if (body !== 'full' && body !== 'ok') throw invalidDataError('Invalid disk; it is "full" or "ok"')
  disk.full = body === 'full'
  return okResponse()
}

const handleFunctionTriggers = async (
  call: RestRequest,
  triggers: TriggerRegistry,
): Promise<RestResponse> => {
  if (call.method === 'GET') return jsonResponse(triggers.listRegistered())
  if (call.method !== 'PUT' && call.method !== 'POST') throw methodNotAllowedError()
  const body = parseJsonBody(await readBody(call.request, MAX_SETTINGS_BYTES))
  if (call.method === 'PUT') triggers.clear()
  const list: unknown[] = Array.isArray(body) ? body : [body]
  const areAccepted = list.every((each) => triggers.register(each, call.params.get('ns')))
  if (!areAccepted)
    throw invalidDataError('Invalid trigger; it needs a name, a path and a database event')
  return okResponse()
}

/** The emulator's own endpoints: rules, triggers, and settings that are only stored. */
export class SettingsEndpoint {
  private readonly storedSettings = new Map<string, string>()

  constructor(
    private readonly triggers: TriggerRegistry,
    private readonly disk: { full: boolean },
  ) {}

  /** Handles `/.settings/…`. Throws a refusal for an invalid request. */
  async handleRequest(call: RestRequest, namespace: Namespace): Promise<RestResponse> {
    if (!authenticate(call).admin) throw permissionDeniedError()
    const name = call.keys.slice(1).join('/')
    if (name === 'rules') return handleRules(call, namespace)
    if (name === 'functionTriggers') return handleFunctionTriggers(call, this.triggers)
    if (name === 'disk') return handleDiskSimulation(call, this.disk)
    const place = `${namespace.name}/${name}`
    if (call.method === 'GET')
      return { status: 200, body: this.storedSettings.get(place) ?? 'null' }
    if (call.method === 'DELETE') this.storedSettings.delete(place)
    else {
      const body = await readBody(call.request, MAX_SETTINGS_BYTES)
      if (parseJson(body) === undefined)
        throw invalidDataError('Invalid data; the setting is not JSON')
      this.storedSettings.set(place, body)
    }
    return okResponse()
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? char)

/** Handles `/.inspect/…`: lists the databases and the number of evaluations of each rule. */
export const handleInspect = (
  { request, keys, method }: RestRequest,
  namespace: () => Namespace,
  names: readonly string[],
): RestResponse => {
  if (method !== 'GET') throw methodNotAllowedError()
  if (keys[1] === 'databases') return jsonResponse(names.map((name) => ({ name })))
  if (keys[1] !== 'coverage') throw invalidDataError('Nothing to inspect here')
  const { name, rulesText } = namespace()
  const coverage = namespace().coverage()
  if (request.url?.includes('coverage.json')) return jsonResponse(coverage)
  const body = `<!doctype html><title>Rules coverage of ${escapeHtml(name)}</title>
<pre>${escapeHtml(rulesText ?? ALLOW_ALL_RULES)}</pre>
<pre>${escapeHtml(JSON.stringify(coverage, null, 2))}</pre>`
  return { status: 200, body, headers: { 'Content-Type': 'text/html; charset=utf-8' } }
}
