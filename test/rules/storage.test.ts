import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StorageRulesRuntime } from '~/emulator/src/storage/runtime'

const content = readFileSync(resolve(import.meta.dirname, '../../storage.rules'), 'utf8')
const runtime = new StorageRulesRuntime()
const loaded = runtime.answer({
  id: 1,
  action: 'load_ruleset',
  context: { rulesetName: 'ours', source: { files: [{ name: 'storage.rules', content }] } },
})

interface Upload {
  contentType?: string
  size?: number
}
const MB = 1024 * 1024
const picture: Upload = { contentType: 'image/webp', size: MB }
const text = (value: string) => ({ string_value: value })
const map = (fields: object) => ({ map_value: { fields } })
const none = { null_value: null }
const file = ({ contentType, size }: Upload) =>
  map({
    size: { int_value: size },
    ...(contentType !== undefined && { contentType: text(contentType) }),
  })

type Method = 'get' | 'list' | 'create' | 'update' | 'delete'
/** Whether the rules let somebody do this to a file; `upload` is the file as it would become. */
const lets = (
  who: string | null,
  method: Method,
  name: string,
  upload?: Upload,
  before = method === 'create' ? none : file(picture),
): boolean => {
  const answer = runtime.answer({
    id: 2,
    action: 'verify',
    context: {
      rulesetName: 'ours',
      service: 'firebase.storage',
      path: `/b/demo.firebasestorage.app/o/${name}`,
      method,
      delimiter: '',
      variables: {
        resource: before,
        request: map({
          time: { timestamp_value: '2026-11-20T15:30:45.250Z' },
          auth: who === null ? none : map({ uid: text(who), token: map({}) }),
          resource: upload === undefined ? none : file(upload),
        }),
      },
    },
  })
  return (answer['result'] as { permit: boolean }).permit
}

const PEOPLE = [null, 'driver', 'rider', 'admin'] as const
/** Everybody tries; exactly these succeed. */
const cells: [Method, string, Upload | undefined, readonly string[], string][] = [
  ...(['profile_image', 'licenseImage', 'vehicle', 'cartypes'] as const).flatMap(
    (kind): typeof cells => [
      ['create', `users/driver/${kind}/one.webp`, picture, ['driver'], 'one’s own, by oneself'],
      ['update', `users/driver/${kind}/one.webp`, picture, ['driver'], 'one’s own, by oneself'],
      [
        'get',
        `users/driver/${kind}/one.webp`,
        undefined,
        ['driver'],
        'others have its link or not',
      ],
      ['delete', `users/driver/${kind}/one.webp`, undefined, ['driver'], 'one’s own, by oneself'],
      ['list', `users/driver/${kind}`, undefined, [], 'nobody lists'],
    ],
  ),
  ['create', 'users/driver/other/one.webp', picture, [], 'there is no such kind'],
  ['create', 'users/driver/one.webp', picture, [], 'every file has a kind'],
  ['create', 'users/driver/licenseImage', picture, ['driver'], 'there is one licence'],
  ['update', 'users/driver/licenseImage', picture, ['driver'], 'it is renewed'],
  ['get', 'users/driver/licenseImage', undefined, ['driver'], 'others have its link or not'],
  ['delete', 'users/driver/profile_image', undefined, ['driver'], 'one’s own, by oneself'],
  ['create', 'users/driver/cartypes', picture, [], 'there may be several of these'],
  ['create', 'users/driver/vehicle/a/one.webp', picture, [], 'no deeper'],
  ['create', 'bookings/b1/driver/pickup_image', picture, ['driver'], 'his proof of pickup'],
  ['create', 'bookings/b1/driver/deliver_image.jpg', picture, ['driver'], 'his proof of delivery'],
  ['create', 'bookings/b1/driver/selfie.jpg', picture, [], 'a booking has two pictures'],
  ['update', 'bookings/b1/driver/pickup_image', picture, [], 'proof is not replaced'],
  ['delete', 'bookings/b1/driver/pickup_image', undefined, [], 'proof is not removed'],
  ['get', 'bookings/b1/driver/pickup_image', undefined, ['driver'], 'others have its link or not'],
  ['list', 'bookings/b1/driver', undefined, [], 'nobody lists'],
  ['create', 'bookings/b1/pickup_image', picture, [], 'a proof has its uploader'],
  [
    'get',
    'bookings/b1/rider/pickup_image',
    undefined,
    ['rider'],
    'the uploader’s, whose booking it is or not',
  ],
  ['create', 'bookings/b1/driver/pickup_image/x', picture, [], 'no deeper'],
  [
    'create',
    'bookings/b1/driver/a/../pickup_image',
    picture,
    [],
    'two dots are a name like any other',
  ],
  ['create', 'bookings/b1/driver/xpickup_image', picture, [], 'the name begins as it is called'],
  ['create', 'bookings/b1/driver/pickup_image%2f', picture, [], 'no separators in other clothes'],
  ['create', 'bookings/b1/driver/pickup_image\nx', picture, [], 'no second line'],
  ['create', 'users/null/profile_image', picture, [], 'who is not signed in is nobody, not “null”'],
  ['create', 'users//profile_image', picture, [], 'nobody is called nothing'],
  ['create', 'users/driver/../rider/profile_image', picture, [], 'no way over to others'],
  ['create', 'users/driver/PROFILE_IMAGE', picture, [], 'there is no such kind'],
  ['create', 'users/driver/__proto__/x', picture, [], 'there is no such kind'],
  ['list', 'users', undefined, [], 'nobody lists'],
  ['list', 'bookings/b1', undefined, [], 'nobody lists'],
  ['create', 'secret.webp', picture, [], 'what is not named is closed'],
  ['get', 'secret.webp', undefined, [], 'what is not named is closed'],
  ['list', '', undefined, [], 'nobody lists'],
]

test('the rules load', () => {
  expect(loaded).toMatchObject({ errors: [], result: { rulesVersion: 2 } })
})

describe.each(cells)('%s %s', (method, name, upload, allowed, because) => {
  test.each(PEOPLE)(`%s: ${because}`, (who) => {
    expect(lets(who, method, name, upload)).toBe(who !== null && allowed.includes(who))
  })
})

test('proof is not uploaded over: the store asks for `create` then too, with the old file at hand', () => {
  const name = 'bookings/b1/driver/pickup_image'
  expect(lets('driver', 'create', name, picture)).toBe(true)
  expect(lets('driver', 'create', name, picture, file(picture))).toBe(false)
})

describe('what is uploaded', () => {
  const uploads: [string, Upload, boolean][] = [
    ['a JPEG', { contentType: 'image/jpeg', size: MB }, true],
    ['a PNG', { contentType: 'image/png', size: MB }, true],
    ['a WebP of ten megabytes', { contentType: 'image/webp', size: 10 * MB }, true],
    ['one byte more', { contentType: 'image/webp', size: 10 * MB + 1 }, false],
    ['nothing', { contentType: 'image/png', size: 0 }, false],
    ['an SVG, which can carry scripts', { contentType: 'image/svg+xml', size: MB }, false],
    ['a page', { contentType: 'text/html', size: MB }, false],
    [
      'a page that calls itself a picture',
      { contentType: 'image/jpeg; text/html', size: MB },
      false,
    ],
    ['something without a type', { size: MB }, false],
    [
      'a type in capitals, which a browser takes for the same',
      { contentType: 'IMAGE/PNG', size: MB },
      false,
    ],
    ['a type of two lines', { contentType: 'image/png\ntext/html', size: MB }, false],
    ['a picture of any type', { contentType: 'image/*', size: MB }, false],
    ['an icon, a kind of which is SVG', { contentType: 'image/x-icon', size: MB }, false],
    ['XML', { contentType: 'application/xhtml+xml', size: MB }, false],
    ['less than nothing', { contentType: 'image/png', size: -1 }, false],
  ]
  test.each(uploads)('%s', (_what, upload, allowed) => {
    for (const name of [
      'users/rider/profile_image',
      'users/rider/vehicle/a',
      'bookings/b1/rider/pickup_image',
    ])
      expect(lets('rider', 'create', name, upload)).toBe(allowed)
  })

  test('a picture is not turned into a page afterwards', () => {
    const name = 'users/rider/profile_image/me'
    expect(lets('rider', 'update', name, { contentType: 'image/png', size: MB })).toBe(true)
    expect(lets('rider', 'update', name, { contentType: 'text/html', size: MB })).toBe(false)
  })
})
