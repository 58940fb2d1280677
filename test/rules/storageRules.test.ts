import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StorageRulesRuntime } from '~/emulator/src/storage/runtime'

const content = readFileSync(resolve(import.meta.dirname, '../../storage.rules'), 'utf8')
const runtime = new StorageRulesRuntime()
const loaded = runtime.handleRequest({
  id: 1,
  action: 'load_ruleset',
  context: { rulesetName: 'ours', source: { files: [{ name: 'storage.rules', content }] } },
})

interface Upload {
  contentType?: string
  size?: number
}
const MEGABYTE = 1024 * 1024
const picture: Upload = { contentType: 'image/webp', size: MEGABYTE }
const text = (value: string) => ({ string_value: value })
const map = (fields: object) => ({ map_value: { fields } })
const missingFile = { null_value: null }
const file = ({ contentType, size }: Upload) =>
  map({
    size: { int_value: size },
    ...(contentType !== undefined && { contentType: text(contentType) }),
  })

type Method = 'get' | 'list' | 'create' | 'update' | 'delete'
/**
 * The claims of a token: the role that the functions set, and the phone number verified at sign-in.
 */
interface Claims {
  role?: string
  phone?: string
}
/**
 * Returns true when the rules allow the operation on a file; `upload` is the file as it would
 * become.
 */
const isAllowed = (
  who: string | null,
  method: Method,
  name: string,
  upload?: Upload,
  before = method === 'create' ? missingFile : file(picture),
  { role, phone }: Claims = CLAIMS[who ?? ''] ?? {},
): boolean => {
  const token = map({
    ...(role !== undefined && { role: text(role) }),
    ...(phone !== undefined && { phone_number: text(phone) }),
  })
  const answer = runtime.handleRequest({
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
          auth: who === null ? missingFile : map({ uid: text(who), token }),
          resource: upload === undefined ? missingFile : file(upload),
        }),
      },
    },
  })
  return (answer['result'] as { permit: boolean }).permit
}

const CLAIMS: Record<string, Claims> = {
  driver: { role: 'driver', phone: '+15555550102' },
  rider: { role: 'rider', phone: '+15555550103' },
  fleet: { role: 'fleetadmin', phone: '+15555550101' },
  admin: { role: 'admin', phone: '+15555550100' },
  // This account is blocked, or not approved yet.
  blocked: { role: 'none', phone: '+15555550104' },
  newcomer: { phone: '+15555550105' },
  anonymous: {},
}
const PEOPLE = [null, ...Object.keys(CLAIMS)]
const ownPath =
  (kind: string, file = 'one.webp') =>
  (who: string) =>
    `users/${who}/${kind}/${file}`
/** Rows in which each account tries its own path; exactly the listed accounts succeed. */
const ownPathCases: [
  Method,
  string,
  (who: string) => string,
  Upload | undefined,
  string[],
  string,
][] = [
  [
    'create',
    'a profile picture',
    ownPath('profile_image'),
    picture,
    ['driver', 'rider', 'fleet', 'admin'],
    'every user with a role may upload a profile picture',
  ],
  [
    'create',
    'a license picture',
    ownPath('licenseImage'),
    picture,
    ['driver'],
    'only drivers upload a license picture',
  ],
  [
    'create',
    'a vehicle type picture',
    ownPath('cartypes'),
    picture,
    ['admin'],
    'only the back office uploads vehicle pictures',
  ],
  ['create', 'a vehicle', ownPath('vehicle'), picture, [], 'the app shows no such picture'],
  [
    'create',
    'a file of an unknown kind',
    ownPath('other'),
    picture,
    [],
    'a file must have a known kind',
  ],
  [
    'update',
    'a profile picture',
    ownPath('profile_image'),
    picture,
    [],
    'a file cannot be overwritten, because records keep the link to it',
  ],
  [
    'update',
    'a license picture',
    ownPath('licenseImage'),
    picture,
    [],
    'an approved license picture cannot be overwritten',
  ],
  [
    'delete',
    'a profile picture',
    ownPath('profile_image'),
    undefined,
    ['driver', 'rider', 'fleet', 'admin'],
    'users delete their own profile picture',
  ],
  [
    'delete',
    'a license picture',
    ownPath('licenseImage'),
    undefined,
    [],
    'an approved license picture cannot be deleted',
  ],
  [
    'get',
    'a profile picture',
    ownPath('profile_image'),
    undefined,
    Object.keys(CLAIMS),
    'others read the file only by its download link',
  ],
  [
    'list',
    'profile pictures',
    (who) => `users/${who}/profile_image`,
    undefined,
    [],
    'files cannot be listed',
  ],
  [
    'create',
    'the license picture of a sign-up',
    (who) => `users/${who}/licenseImage`,
    picture,
    ['newcomer'],
    'a verified phone number without a profile uploads one file',
  ],
  [
    'update',
    'the license picture of a sign-up',
    (who) => `users/${who}/licenseImage`,
    picture,
    ['newcomer'],
    'another attempt replaces the file',
  ],
  [
    'delete',
    'the license picture of a sign-up',
    (who) => `users/${who}/licenseImage`,
    undefined,
    [],
    'only the scheduled job deletes the file',
  ],
  [
    'get',
    'the license picture of a sign-up',
    (who) => `users/${who}/licenseImage`,
    undefined,
    Object.keys(CLAIMS),
    'others read the file only by its download link',
  ],
  [
    'create',
    'a profile picture without a name',
    (who) => `users/${who}/profile_image`,
    picture,
    [],
    'a profile picture needs its own name',
  ],
  [
    'create',
    'evidence',
    (who) => `bookings/b1/${who}/pickup_image`,
    picture,
    ['driver'],
    'only drivers upload evidence',
  ],
  [
    'update',
    'evidence',
    (who) => `bookings/b1/${who}/pickup_image`,
    picture,
    [],
    'evidence cannot be overwritten',
  ],
  [
    'delete',
    'evidence',
    (who) => `bookings/b1/${who}/pickup_image`,
    undefined,
    [],
    'evidence cannot be deleted',
  ],
]
const describeAttempt = (who: string | null, allowed: readonly string[], because: string) =>
  `${who ?? 'visitor'} ${who !== null && allowed.includes(who) ? 'may' : 'may not'}: ${because}`
describe.each(ownPathCases)('%s %s', (method, _, place, upload, allowed, because) => {
  for (const who of PEOPLE)
    test(describeAttempt(who, allowed, because), () => {
      const name = place(who ?? 'visitor')
      expect(isAllowed(who, method, name, upload)).toBe(who !== null && allowed.includes(who))
    })
})

/** Rows in which each account tries one path; exactly the listed accounts succeed. */
const singlePathCases: [Method, string, Upload | undefined, readonly string[], string][] = [
  [
    'create',
    'users/driver/profile_image/one.webp',
    picture,
    ['driver'],
    'users upload their own profile picture',
  ],
  [
    'delete',
    'users/driver/profile_image/one.webp',
    undefined,
    ['driver'],
    'users delete their own profile picture',
  ],
  [
    'get',
    'users/driver/licenseImage/one.webp',
    undefined,
    ['driver'],
    'others read the file only by its download link',
  ],
  ['create', 'users/driver/one.webp', picture, [], 'a file needs a kind'],
  ['create', 'users/driver/cartypes', picture, [], 'this kind needs a file name'],
  ['create', 'users/driver/profile_image/a/one.webp', picture, [], 'a kind has no subfolders'],
  [
    'create',
    'bookings/b1/driver/pickup_image',
    picture,
    ['driver'],
    'the driver uploads the pickup picture',
  ],
  [
    'create',
    'bookings/b1/driver/deliver_image.jpg',
    picture,
    ['driver'],
    'the driver uploads the drop-off picture',
  ],
  [
    'create',
    'bookings/b1/driver/selfie.jpg',
    picture,
    [],
    'a booking has only two kinds of pictures',
  ],
  [
    'get',
    'bookings/b1/driver/pickup_image',
    undefined,
    ['driver'],
    'others read the file only by its download link',
  ],
  ['list', 'bookings/b1/driver', undefined, [], 'files cannot be listed'],
  ['create', 'bookings/b1/pickup_image', picture, [], 'evidence is stored under its uploader'],
  [
    'get',
    'bookings/b1/rider/pickup_image',
    undefined,
    ['rider'],
    'uploaders read their own file, whether or not it is their booking',
  ],
  ['create', 'bookings/b1/driver/pickup_image/x', picture, [], 'evidence has no subfolders'],
  [
    'create',
    'bookings/b1/driver/a/../pickup_image',
    picture,
    [],
    'two dots are a folder name like any other',
  ],
  ['create', 'bookings/b1/driver/xpickup_image', picture, [], 'the name must start with the kind'],
  [
    'create',
    'bookings/b1/driver/pickup_image%2f',
    picture,
    [],
    'an escaped separator is not a separator',
  ],
  ['create', 'bookings/b1/driver/pickup_image\nx', picture, [], 'a name has only one line'],
  ['create', 'users/null/profile_image/x', picture, [], 'a visitor does not have the uid “null”'],
  ['create', 'users//profile_image/x', picture, [], 'an empty uid belongs to no user'],
  [
    'create',
    'users/driver/../rider/profile_image/x',
    picture,
    [],
    'a path with dots does not reach other users',
  ],
  ['create', 'users/driver/PROFILE_IMAGE/x', picture, [], 'a file must have a known kind'],
  ['create', 'users/driver/__proto__/x', picture, [], 'a file must have a known kind'],
  ['list', 'users', undefined, [], 'files cannot be listed'],
  ['list', 'bookings/b1', undefined, [], 'files cannot be listed'],
  ['create', 'secret.webp', picture, [], 'paths without a rule are closed'],
  ['get', 'secret.webp', undefined, [], 'paths without a rule are closed'],
  ['list', '', undefined, [], 'files cannot be listed'],
]

test('the rules load', () => {
  expect(loaded).toMatchObject({ errors: [], result: { rulesVersion: 2 } })
})

describe.each(singlePathCases)('%s %s', (method, name, upload, allowed, because) => {
  for (const who of PEOPLE)
    test(describeAttempt(who, allowed, because), () => {
      expect(isAllowed(who, method, name, upload)).toBe(who !== null && allowed.includes(who))
    })
})

test('evidence cannot be overwritten, although the store requests `create` with the old file for it', () => {
  const name = 'bookings/b1/driver/pickup_image'
  expect(isAllowed('driver', 'create', name, picture)).toBe(true)
  expect(isAllowed('driver', 'create', name, picture, file(picture))).toBe(false)
})

test.each(['', 'pilot', 'none', 'Driver', 'admin '])('the role “%s” gives no access', (role) => {
  const claims = { role, phone: '+15555550102' }
  const tries = [
    'users/driver/profile_image/a',
    'users/driver/licenseImage',
    'bookings/b/driver/pickup_image',
  ]
  for (const name of tries)
    expect([name, isAllowed('driver', 'create', name, picture, missingFile, claims)]).toEqual([
      name,
      false,
    ])
})

describe('an upload', () => {
  const uploads: [string, Upload, boolean][] = [
    ['a JPEG', { contentType: 'image/jpeg', size: MEGABYTE }, true],
    ['a PNG', { contentType: 'image/png', size: MEGABYTE }, true],
    ['a WebP of ten megabytes', { contentType: 'image/webp', size: 10 * MEGABYTE }, true],
    [
      'a WebP one byte above ten megabytes',
      { contentType: 'image/webp', size: 10 * MEGABYTE + 1 },
      false,
    ],
    ['an empty file', { contentType: 'image/png', size: 0 }, false],
    ['an SVG, which can contain scripts,', { contentType: 'image/svg+xml', size: MEGABYTE }, false],
    ['an HTML page', { contentType: 'text/html', size: MEGABYTE }, false],
    [
      'an HTML page with an image type in front',
      { contentType: 'image/jpeg; text/html', size: MEGABYTE },
      false,
    ],
    ['a file without a type', { size: MEGABYTE }, false],
    [
      'an image with its type in capitals, which a browser treats like lowercase,',
      { contentType: 'IMAGE/PNG', size: MEGABYTE },
      false,
    ],
    [
      'an image with a type of two lines',
      { contentType: 'image/png\ntext/html', size: MEGABYTE },
      false,
    ],
    ['a picture with a wildcard type', { contentType: 'image/*', size: MEGABYTE }, false],
    [
      'an icon, whose type also covers SVG,',
      { contentType: 'image/x-icon', size: MEGABYTE },
      false,
    ],
    ['an XML document', { contentType: 'application/xhtml+xml', size: MEGABYTE }, false],
    ['an image of negative size', { contentType: 'image/png', size: -1 }, false],
  ]
  for (const [content, upload, isAccepted] of uploads) {
    test(`of ${content} is ${isAccepted ? 'allowed' : 'refused'}`, () => {
      for (const name of [
        'users/driver/profile_image/me',
        'users/driver/licenseImage/a',
        'bookings/b1/driver/pickup_image',
      ])
        expect(isAllowed('driver', 'create', name, upload)).toBe(isAccepted)
    })

    const isSmall = (upload.size ?? 0) <= MEGABYTE
    const isAcceptedEarly = isAccepted && isSmall
    test(`of ${content} is ${isAcceptedEarly ? 'allowed' : 'refused'} before a sign-up`, () => {
      for (const method of ['create', 'update'] as const)
        expect(isAllowed('newcomer', method, 'users/newcomer/licenseImage', upload)).toBe(
          isAcceptedEarly,
        )
    })
  }

  test('an uploaded image cannot become an HTML page', () => {
    const page = { contentType: 'text/html', size: MEGABYTE }
    expect(isAllowed('driver', 'update', 'users/driver/profile_image/me', page)).toBe(false)
    expect(isAllowed('newcomer', 'update', 'users/newcomer/licenseImage', page)).toBe(false)
  })
})
