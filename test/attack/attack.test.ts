import { expect, it } from 'vitest'
import { internalPaths } from '~/domain/data/internalPaths'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { FEW_ENDPOINTS } from '~/lab/attack/endpointRequests'
import { sendRequest } from '~/lab/attack/httpRequest'
import { runAttack } from '~/lab/attack/attackRun'
import { PROJECT } from '~/scripts/local/localDatabase'
import { openTestPlatform } from '../functions/testPlatform'
import { getSuite } from '../support/testSuite'

const functionsPath = `/${PROJECT}/us-central1`

const requestCounts = {
  rest: 900,
  websocket: 500,
  polling: 200,
  files: 100,
  uploads: 100,
  functions: 150,
  office: 150,
}

/** Sends the messages of earlier tests, whose records would otherwise change during the attack. */
const sendWaitingMessages = async () => {
  const platform = openTestPlatform()
  const admin = await platform.signInAs('seed-admin')
  const sendDue = async () => {
    const outbox = (await platform.read<Record<string, OutboxMessage>>(internalPaths.outbox)) ?? {}
    const unsent = Object.entries(outbox).filter(
      ([, { state, due }]) =>
        state === 'claimed' || (state === 'waiting' && due < Date.now() + MINUTE_MS),
    )
    const waiting = unsent.filter(([, { state }]) => state === 'waiting')
    // The next sweep sends them, instead of one in up to a minute.
    await platform.write(
      Object.fromEntries(waiting.map(([id]) => [`${internalPaths.outbox}/${id}/due`, Date.now()])),
    )
    await admin.call('run_sweep')
    return unsent
  }
  await expect.poll(sendDue, { timeout: 300_000, interval: 500 }).toEqual([])
  await platform.close()
}

/** Runs one fixed seed; `npm run attack` runs longer with other seeds. */
it('two thousand hostile requests cause no failure, change no data and reveal nothing', async () => {
  await sendWaitingMessages()
  const report = await runAttack(
    {
      seed: 1,
      requests: requestCounts,
      endpoints: FEW_ENDPOINTS,
      // probes.test.ts covers the probes.
      probes: [],
      slowConnections: 25,
      oversizeBytes: 2 * 1024 * 1024,
    },
    { urls: getSuite().urls, ports: getSuite().ports },
  )
  const { seed, problems, violations, sentCounts } = report
  expect({ seed, wrong: problems, violations }).toEqual({ seed, wrong: [], violations: [] })
  expect(sentCounts).toEqual(requestCounts)
}, 1_800_000)

const JSON_TYPE = 'application/json'
const INT64_TYPE = 'type.googleapis.com/google.protobuf.Int64Value'
it.each([
  ['broken JSON', 'check_user_exists', JSON_TYPE, '{"mobile"'],
  ['broken JSON for a callable', 'create_booking', JSON_TYPE, '{"data":'],
  ['a callable without data', 'create_booking', JSON_TYPE, '{"hasOwnProperty":1}'],
  ['a callable with more than data', 'create_booking', JSON_TYPE, '{"data":{},"b":1}'],
  ['an unknown type', 'create_booking', JSON_TYPE, '{"data":{"a":{"@type":"x"}}}'],
  ['a type that is not a string', 'create_booking', JSON_TYPE, '{"data":{"@type":{"toString":1}}}'],
  ['an invalid number', 'create_booking', JSON_TYPE, `{"data":{"@type":"${INT64_TYPE}"}}`],
  [
    'unlimited nesting',
    'create_booking',
    JSON_TYPE,
    `{"data":${'['.repeat(9e4)}${']'.repeat(9e4)}}`,
  ],
  ['an unknown character set', 'check_user_exists', `${JSON_TYPE}; charset=utf-9`, '{}'],
  ['a path that cannot be decoded', 'check_user_exists/%zz', JSON_TYPE, '{}'],
  ['a path that is not a valid URL', 'payment_return//[', JSON_TYPE, '{}'],
])('refuses %s without naming a file of the server', async (_, path, type, body) => {
  const { status, text } = await sendRequest({
    port: getSuite().ports.functions,
    method: 'POST',
    path: `${functionsPath}/${path}`,
    headers: { 'Content-Type': type },
    body: Buffer.from(body),
  })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(text).not.toMatch(/node_modules|\.js:|&nbsp;at|\n\s+at /)
})
