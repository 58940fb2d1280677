import { expect, inject, it } from 'vitest'
import { FEW_DOORS } from '~/scripts/attack/doors'
import { send } from '~/scripts/attack/requests'
import { attack } from '~/scripts/attack/run'
import { PROJECT } from '~/scripts/localDatabase'

const door = `/${PROJECT}/us-central1`

const requests = {
  rest: 900,
  websocket: 500,
  polling: 200,
  files: 100,
  uploads: 100,
  functions: 150,
  office: 150,
}

/** More of it, with other seeds: `npm run attack`. */
it('two thousand hostile requests break nothing, change nothing and learn nothing', async () => {
  const report = await attack(
    {
      seed: 1,
      requests,
      doors: FEW_DOORS,
      slow: 25,
      oversize: 2 * 1024 * 1024,
    },
    { urls: inject('urls'), ports: inject('ports') },
  )
  const { seed, wrong, violations, sent } = report
  expect({ seed, wrong, violations }).toEqual({ seed, wrong: [], violations: [] })
  expect(sent).toEqual(requests)
  // However slow the machine is: each function it knocks at starts a process.
}, 1_800_000)

const JSON_TYPE = 'application/json'
const WHOLE = 'type.googleapis.com/google.protobuf.Int64Value'
it.each([
  ['broken JSON', 'check_user_exists', JSON_TYPE, '{"mobile"'],
  ['broken JSON for a callable', 'create_booking', JSON_TYPE, '{"data":'],
  ['a callable without data', 'create_booking', JSON_TYPE, '{"hasOwnProperty":1}'],
  ['a callable with more than data', 'create_booking', JSON_TYPE, '{"data":{},"b":1}'],
  ['a type nobody knows', 'create_booking', JSON_TYPE, '{"data":{"a":{"@type":"x"}}}'],
  ['a type that is no text', 'create_booking', JSON_TYPE, '{"data":{"@type":{"toString":1}}}'],
  ['a number that is none', 'create_booking', JSON_TYPE, `{"data":{"@type":"${WHOLE}"}}`],
  [
    'depth without an end',
    'create_booking',
    JSON_TYPE,
    `{"data":${'['.repeat(9e4)}${']'.repeat(9e4)}}`,
  ],
  ['a character set nobody knows', 'check_user_exists', `${JSON_TYPE}; charset=utf-9`, '{}'],
  ['a path that cannot be decoded', 'check_user_exists/%zz', JSON_TYPE, '{}'],
  ['a path that is no address', 'payment_return//[', JSON_TYPE, '{}'],
])('%s is refused without a word about our files', async (_, path, type, body) => {
  const { status, text } = await send({
    port: inject('ports').functions,
    method: 'POST',
    path: `${door}/${path}`,
    headers: { 'Content-Type': type },
    body: Buffer.from(body),
  })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(text).not.toMatch(/node_modules|\.js:|&nbsp;at|\n\s+at /)
})
