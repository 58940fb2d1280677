import { parseJson } from './auth'
import type { Namespace } from './namespace'
import { invalid, notAllowed, permissionDenied } from './refusal'
import { actorOf, jsonBody, jsonReply, JSON_TYPE, readBody } from './rest/http'
import type { Call, Reply } from './rest/http'
import { RulesError } from './rules/compile'
import { parseRulesJson, toPlainJson } from './rules/rulesJson'
import type { Triggers } from './triggers'

const OPEN_RULES = '{\n  "rules": {\n    ".read": true,\n    ".write": true\n  }\n}\n'
const MAX_SETTINGS = 16 * 1024 * 1024

const accepted = (): Reply => jsonReply({ status: 'ok' })

const rules = async (call: Call, namespace: Namespace): Promise<Reply> => {
  const text = namespace.rulesText ?? OPEN_RULES
  if (call.method === 'GET') {
    return call.params.get('format') === 'strict'
      ? jsonReply(toPlainJson(parseRulesJson(text)))
      : { status: 200, body: text, headers: { 'Content-Type': JSON_TYPE } }
  }
  if (call.method !== 'PUT') throw notAllowed()
  const body = await readBody(call.request, MAX_SETTINGS)
  try {
    namespace.setRules(body)
  } catch (error) {
    if (error instanceof RulesError) throw invalid(error.message)
    throw error
  }
  return accepted()
}

const pretend = async (call: Call, disk: { full: boolean }): Promise<Reply> => {
  if (call.method === 'GET') return jsonReply(disk.full ? 'full' : 'ok')
  if (call.method !== 'PUT') throw notAllowed()
  const body = jsonBody(await readBody(call.request, MAX_SETTINGS))
  if (body !== 'full' && body !== 'ok') throw invalid('Invalid disk; it is "full" or "ok"')
  disk.full = body === 'full'
  return accepted()
}

const functionTriggers = async (call: Call, triggers: Triggers): Promise<Reply> => {
  if (call.method === 'GET') return jsonReply(triggers.list())
  if (call.method !== 'PUT' && call.method !== 'POST') throw notAllowed()
  const body = jsonBody(await readBody(call.request, MAX_SETTINGS))
  if (call.method === 'PUT') triggers.clear()
  const list: unknown[] = Array.isArray(body) ? body : [body]
  const known = list.every((each) => triggers.register(each, call.params.get('ns')))
  if (!known) throw invalid('Invalid trigger; it needs a name, a path and a database event')
  return accepted()
}

/** The emulator's own endpoints: rules, triggers, and settings that are merely kept. */
export class Settings {
  private readonly kept = new Map<string, string>()

  constructor(
    private readonly triggers: Triggers,
    private readonly disk: { full: boolean },
  ) {}

  /** Answers `/.settings/…`; throws the refusal when it can't be done. */
  async answer(call: Call, namespace: Namespace): Promise<Reply> {
    if (!actorOf(call).admin) throw permissionDenied()
    const name = call.keys.slice(1).join('/')
    if (name === 'rules') return rules(call, namespace)
    if (name === 'functionTriggers') return functionTriggers(call, this.triggers)
    if (name === 'disk') return pretend(call, this.disk)
    const place = `${namespace.name}/${name}`
    if (call.method === 'GET') return { status: 200, body: this.kept.get(place) ?? 'null' }
    if (call.method === 'DELETE') this.kept.delete(place)
    else {
      const body = await readBody(call.request, MAX_SETTINGS)
      if (parseJson(body) === undefined) throw invalid('Invalid data; the setting is not JSON')
      this.kept.set(place, body)
    }
    return accepted()
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? char)

/** Answers `/.inspect/…`: what databases there are, and how often each rule was asked. */
export const inspect = (
  { request, keys, method }: Call,
  namespace: () => Namespace,
  names: readonly string[],
): Reply => {
  if (method !== 'GET') throw notAllowed()
  if (keys[1] === 'databases') return jsonReply(names.map((name) => ({ name })))
  if (keys[1] !== 'coverage') throw invalid('Nothing to inspect here')
  const { name, rulesText } = namespace()
  const coverage = namespace().coverage()
  if (request.url?.includes('coverage.json')) return jsonReply(coverage)
  const body = `<!doctype html><title>Rules coverage of ${escapeHtml(name)}</title>
<pre>${escapeHtml(rulesText ?? OPEN_RULES)}</pre>
<pre>${escapeHtml(JSON.stringify(coverage, null, 2))}</pre>`
  return { status: 200, body, headers: { 'Content-Type': 'text/html; charset=utf-8' } }
}
