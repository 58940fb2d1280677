import { once } from 'node:events'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { serveStorageRules, StorageRulesRuntime } from './runtime'

const RULES = `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /users/{uid}/{file} {
      allow get: if request.auth.uid == uid;
      allow create: if request.auth.uid == uid && request.resource.size < 100;
    }
  }
}
`
const loadRequest = (content: string, rulesetName = '0') => ({
  id: 1,
  action: 'load_ruleset',
  context: { rulesetName, source: { files: [{ name: 'storage.rules', content }] } },
})

/** Returns a verify request in the suite's wire format. */
const verifyRequest = (path: string, method: string, request: object, rulesetName = '0') => ({
  id: 2,
  action: 'verify',
  context: {
    rulesetName,
    service: 'firebase.storage',
    path,
    method,
    delimiter: '',
    variables: {
      resource: { null_value: null },
      request: { map_value: { fields: request } },
    },
  },
})
const signedInRequest = (uid: string, size = 1) => ({
  path: { path_value: { segments: [{ simple: 'b' }] } },
  time: { timestamp_value: '2026-11-20T15:30:45.250Z' },
  auth: { map_value: { fields: { uid: { string_value: uid } } } },
  resource: { map_value: { fields: { size: { int_value: size } } } },
})

describe('requests', () => {
  test('load each rule set once and evaluate it separately', () => {
    const runtime = new StorageRulesRuntime()
    expect(runtime.handleRequest(loadRequest(RULES))).toEqual({
      id: 1,
      status: 'ok',
      action: 'load_ruleset',
      result: { rulesVersion: 2 },
      errors: [],
      warnings: [],
    })
    runtime.handleRequest(loadRequest('service firebase.storage { }', 'closed'))
    const permit = (request: object) => runtime.handleRequest(request)['result']
    expect(permit(verifyRequest('/b/x/o/users/a/f', 'get', signedInRequest('a')))).toEqual({
      permit: true,
    })
    expect(permit(verifyRequest('/b/x/o/users/a/f', 'get', signedInRequest('b')))).toEqual({
      permit: false,
    })
    expect(permit(verifyRequest('/b/x/o/users/a/f', 'create', signedInRequest('a', 100)))).toEqual({
      permit: false,
    })
    expect(permit(verifyRequest('/b/x/o/users/a/f', 'delete', signedInRequest('a')))).toEqual({
      permit: false,
    })
    expect(
      permit(verifyRequest('/b/x/o/users/a/f', 'get', signedInRequest('a'), 'closed')),
    ).toEqual({
      permit: false,
    })
  })

  test("with invalid rules return the file, line and construct in the suite's format", () => {
    const answer = new StorageRulesRuntime().handleRequest(
      loadRequest(RULES.replace('allow get', 'allow fetch')),
    )
    expect(answer).toMatchObject({ status: 'ok', result: {} })
    const [error] = answer['errors'] as string[]
    expect(JSON.parse(error ?? '')).toMatchObject({
      description_: "Unknown method 'fetch'",
      sourcePosition_: { fileName_: 'storage.rules', line_: 5, column_: 13 },
      severity_: 'ERROR',
    })
  })

  test('that are malformed get an error, never a permission', () => {
    const runtime = new StorageRulesRuntime()
    runtime.handleRequest(loadRequest(RULES))
    const bad = [
      verifyRequest('/b/x/o/users/a/f', 'get', signedInRequest('a'), 'unknown'),
      verifyRequest('/b/x/o/users/a/f', 'get', { auth: { strange_value: 1 } }),
      verifyRequest('/b/x/o/users/a/f', 'get', { time: { timestamp_value: 'soon' } }),
      { id: 3, action: 'dance', context: {} },
      { id: 3, action: 'verify' },
      { id: 3, action: 'load_ruleset', context: { rulesetName: '1', source: { files: [] } } },
      { id: 3 },
    ]
    for (const request of bad) {
      const answer = runtime.handleRequest(request)
      expect(answer).toMatchObject({ id: request.id, status: 'ok' })
      expect(answer['errors']).not.toEqual([])
      expect(answer['result']).not.toMatchObject({ permit: true })
    }
  })

  test('denied by a runtime error warn with its position', () => {
    const runtime = new StorageRulesRuntime()
    runtime.handleRequest(loadRequest(RULES))
    const anonymous = { auth: { null_value: null }, resource: { null_value: null } }
    expect(
      runtime.handleRequest(verifyRequest('/b/x/o/users/a/f', 'get', anonymous)),
    ).toMatchObject({
      result: { permit: false },
      errors: [],
      warnings: ["storage.rules:5:34: null has no field 'uid'"],
    })
  })

  test('with extreme nesting get a response', () => {
    const runtime = new StorageRulesRuntime()
    const deep = (condition: string) =>
      runtime.handleRequest(loadRequest(RULES.replace('request.auth.uid == uid;', `${condition};`)))
    expect(deep(`${'('.repeat(100_000)}true${')'.repeat(100_000)}`)['errors']).toHaveLength(1)
    expect(deep(`true${' && true'.repeat(100_000)}`)['errors']).toHaveLength(1)
    expect(deep(`${'!'.repeat(100_000)}true`)['errors']).toHaveLength(1)
  })
})

test('exchanges lines of JSON and survives an invalid line', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveStorageRules(input, output)
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)

  expect(await next()).toBe('{"id":-1,"status":"ok"}')
  input.write(`${JSON.stringify(loadRequest(RULES))}\n`)
  expect(JSON.parse(await next())).toMatchObject({ id: 1, result: { rulesVersion: 2 } })
  input.write('no json\n\n')
  expect(await next()).toBe('A request could not be read')
  const text = JSON.stringify(verifyRequest('/b/x/o/users/ä/f', 'get', signedInRequest('ä')))
  input.write(Buffer.from(text).subarray(0, 90))
  input.write(Buffer.from(`${text}\n`).subarray(90))
  expect(JSON.parse(await next())).toMatchObject({ id: 2, result: { permit: true } })
  input.end()
  await served
})

test("the suite's own client accepts every response", async () => {
  const require = createRequire(import.meta.url)
  const client = require('firebase-tools/lib/emulator/storage/rules/runtime.js') as {
    StorageRulesRuntime: new () => {
      _childprocess: unknown
      handleRuntimeStdout(chunk: string): void
      loadRuleset(source: { files: { name: string; content: string }[] }): Promise<{
        ruleset?: { verify(opts: object): Promise<{ permitted?: boolean }>; rulesVersion: number }
        issues: { errors: string[] }
      }>
    }
  }
  const suite = new client.StorageRulesRuntime()
  const input = new PassThrough()
  const output = new PassThrough()
  suite._childprocess = { stdin: input }
  const served = serveStorageRules(input, output)
  await once(output, 'data')
  output.on('data', (chunk: Buffer) => suite.handleRuntimeStdout(chunk.toString()))

  const { ruleset } = await suite.loadRuleset({ files: [{ name: 'a.rules', content: RULES }] })
  expect(ruleset?.rulesVersion).toBe(2)
  const token = (uid: string) => {
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
    return `${part({ alg: 'none', typ: 'JWT' })}.${part({ user_id: uid, sub: uid })}.`
  }
  const create = (uid: string | null, size: number) =>
    ruleset?.verify({
      method: 'create',
      path: 'b/bucket/o/users/alice/photo.png',
      projectId: 'demo-x',
      ...(uid === null ? {} : { token: token(uid) }),
      file: {
        after: { name: 'users/alice/photo.png', size, timeCreated: new Date(), metadata: {} },
      },
    })
  expect(await create('alice', 99)).toMatchObject({ permitted: true })
  expect(await create('alice', 100)).toMatchObject({ permitted: false })
  expect(await create('bob', 99)).toMatchObject({ permitted: false })
  expect(await create(null, 99)).toMatchObject({ permitted: false })

  const broken = await suite.loadRuleset({ files: [{ name: 'a.rules', content: 'service x {}' }] })
  expect(broken.ruleset).toBeUndefined()
  expect(broken.issues.errors).toHaveLength(1)
  input.end()
  await served
  output.end()
  await once(output, 'end')
})
