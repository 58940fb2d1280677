import type { GenericSchema } from 'valibot'
import { expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { API, type EndpointName } from '~/domain/api/api'
import { createPushKey } from '~/domain/data/pushKeys'
import { parseInput } from './requestHandler'

/** The parts of a schema that the walk needs. */
interface SchemaPart {
  kind: string
  type: string
  entries?: Record<string, SchemaPart>
  options?: SchemaPart[]
  wrapped?: SchemaPart
  item?: SchemaPart
  value?: SchemaPart
  rest?: SchemaPart
  items?: SchemaPart[]
  pipe?: SchemaPart[]
  description?: string
}

/** Schemas whose values have no fields, or only the fields that an entry lists. */
const CLOSED_TYPES = [
  ...['strict_object', 'array', 'optional', 'nullable', 'nullish', 'union', 'variant'],
  ...['string', 'number', 'boolean', 'literal', 'picklist'],
]

const isSchema = (part: unknown): part is SchemaPart =>
  typeof part === 'object' && part !== null && (part as SchemaPart).kind === 'schema'

/** Returns true for a field that is listed as known and ignored. */
const isIgnored = ({ pipe = [] }: SchemaPart): boolean =>
  pipe.some(({ type, description }) => type === 'description' && description === 'ignored')

/** Returns the paths in a schema at which it accepts unknown fields. */
const findOpenParts = (schema: SchemaPart, path: string): string[] => {
  if (isIgnored(schema)) return []
  const { type, entries = {}, options = [], wrapped, item, value, rest, items = [], pipe } = schema
  // The first part of a pipe is the schema itself, and the last schema decides what is accepted.
  const last = (pipe ?? []).slice(1).findLast(isSchema)
  if (last) return findOpenParts(last, path)
  const children = [...options, ...items, wrapped, item, value, rest].filter(isSchema)
  return [
    ...(CLOSED_TYPES.includes(type) ? [] : [`${path}: ${type}`]),
    ...children.flatMap((part) => findOpenParts(part, path)),
    ...Object.entries(entries).flatMap(([name, part]) => findOpenParts(part, `${path}/${name}`)),
  ]
}

/** Returns every text of a schema, with its path. */
const findTexts = (schema: SchemaPart, path: string): [string, SchemaPart][] => {
  if (isIgnored(schema)) return []
  const { type, entries = {}, options = [], wrapped, item, value, rest, items = [], pipe } = schema
  if (type === 'string') return [[path, schema]]
  const inner = (pipe ?? []).slice(1)
  const children = [...options, ...items, ...inner, wrapped, item, value, rest].filter(isSchema)
  return [
    ...children.flatMap((part) => findTexts(part, path)),
    ...Object.entries(entries).flatMap(([name, part]) => findTexts(part, `${path}/${name}`)),
  ]
}
const TEXTS = Object.entries(API).flatMap(([name, { input }]) =>
  findTexts(input as unknown as SchemaPart, name),
)

/** Returns the value that a schema makes of a text; undefined when it refuses the text. */
const readText = (schema: SchemaPart, text: string): string | undefined => {
  const parsed = v.safeParse(schema as unknown as GenericSchema<string, string>, text)
  return parsed.success ? parsed.output : undefined
}

/** Texts of the forms that fields require. Each field accepts one of them. */
const SAMPLES = [
  ...[
    'Ana',
    'test',
    'abc-1',
    '7',
    '12:30',
    '2026-11',
    '2026-11-27',
    '+15555550188',
    'eva@example.com',
  ],
  ...['https://example.com/a', 'example.com', 'USD', 'UY', '1,2', '3,4|5,6', '5.abc'],
  ...['America/Montevideo', createPushKey(1, 1)],
]
const findSamples = (schema: SchemaPart): string[] =>
  SAMPLES.filter((sample) => readText(schema, sample) !== undefined)

/** Returns the paths of the texts for which the condition holds. */
const listTexts = (condition: (schema: SchemaPart) => boolean): string[] => [
  ...new Set(TEXTS.filter(([, schema]) => condition(schema)).map(([path]) => path)),
]

test('every text accepts a sample, so that the tests of refusals prove something', () => {
  expect(TEXTS.length).toBeGreaterThan(250)
  expect(listTexts((schema) => findSamples(schema).length === 0)).toEqual([])
})

const UNSEEN = ['\u0000', '\u001b', '\u202e', '\u200b']
/** Returns a text with each unseen character at each place. */
const hideIn = (text: string): string[] =>
  UNSEEN.flatMap((sign) =>
    Array.from({ length: text.length + 1 }, (_, at) => text.slice(0, at) + sign + text.slice(at)),
  )

test('no text keeps a control character or an invisible one, wherever it stands', () => {
  const keepsUnseen = (schema: SchemaPart) =>
    ['', ...findSamples(schema)]
      .flatMap(hideIn)
      .some((text) => UNSEEN.some((sign) => readText(schema, text)?.includes(sign)))
  expect(listTexts(keepsUnseen)).toEqual([])
})

/** Texts that may be or contain a link, by the reason. */
const WITH_LINKS = {
  'A note, which the people of the booking or the office read in the product': [
    ...['create_booking', 'advance_booking', 'save_recurring', 'change_recurring'].flatMap(
      (name) => [`${name}/pickUpInstructions`, `${name}/deliveryInstructions`],
    ),
    ...['pickUpInstructions', 'deliveryInstructions'].map((name) => `import_bookings/rows/${name}`),
    ...['user_signup', 'save_user', 'import_people/rows'].map((name) => `${name}/other_info`),
    ...['ask_help', 'answer_help', 'save_note', 'add_booking_note'].map((name) => `${name}/text`),
  ],
  'The words of an admin; what parties of a booking send each other is fixed': [
    ...['advance_booking', 'refund_payment/complaint'].map((name) => `${name}/text`),
    ...['add_to_wallet', 'take_from_wallet', 'return_withdraw'].map((name) => `${name}/note`),
    ...['title', 'msg', 'params'].map((name) => `send_notification/${name}`),
    ...['title', 'body'].map((name) => `broadcast_notification/${name}`),
    ...['operatorName', 'address', 'taxNumber', 'allowedEmailDomains', 'refusedEmailDomains'].map(
      (name) => `save_message_settings/settings/${name}`,
    ),
    ...['country', 'symbol', 'companyName'].map((name) => `setup/${name}`),
    'change_currency/symbol',
  ],
  'A picture, which the functions accept from our own bucket only': [
    ...['pickup_image', 'deliver_image'].map((name) => `advance_booking/${name}`),
    ...['user_signup', 'save_user'].flatMap((name) => [
      `${name}/profile_image`,
      `${name}/licenseImage`,
    ]),
  ],
  'A key or a search, which no person reads': [
    ...['find_bookings/words', 'googleapis-autocomplete/searchKeyword', 'setup/secret'],
    ...['googleapis-getcoords/place_id', 'import_bookings/rows/key', 'save_user/mobile_token'],
    ...['check_user_exists/email', 'check_user_exists/mobile', 'caller/extension'],
    ...['register_push_token/token', 'register_push_token/replaces', 'send_notification/token'],
    ...['validate_referrer', 'user_signup', 'save_user'].map((name) => `${name}/referralId`),
    ...['user_signup', 'save_user'].flatMap((name) => [
      `${name}/lang/langLocale`,
      `${name}/lang/dateLocale`,
    ]),
  ],
}
const LINKS = ['a.co', 'evil.com', 'www.evil.example', 'https://evil.example']

test('no text has a link, except those that are listed with the reason', () => {
  const acceptsLink = (schema: SchemaPart) =>
    ['', ...findSamples(schema)]
      .flatMap((sample) => LINKS.map((link) => `${sample} ${link}`.trim()))
      .some((text) => readText(schema, text) !== undefined)
  expect(listTexts(acceptsLink).toSorted()).toEqual(Object.values(WITH_LINKS).flat().toSorted())
})

const HIDDEN = 'Ana\u202egnp'
const somewhere = (add: string) => ({ lat: 1, lng: 2, add })

test.each([
  ['save_user', { id: 'driver', firstName: HIDDEN }, 'text_not_allowed', 'firstName'],
  ['save_user', { id: 'driver', firstName: '\u3164' }, 'text_not_allowed', 'firstName'],
  ['save_user', { id: 'driver', vehicleNumber: 'evil.com' }, 'link_not_allowed', 'vehicleNumber'],
  [
    'save_place',
    { name: 'home', place: somewhere('https://evil.example') },
    'link_not_allowed',
    'place.add',
  ],
  ['save_user', { id: 'driver', vehicleNumber: 'Win $9' }, 'plate_not_allowed', 'vehicleNumber'],
  ['save_note', { uid: 'rider', text: 'a\u0000b', revision: 0 }, 'text_not_allowed', 'text'],
  [
    'add_booking_note',
    { booking_id: 'b1', note_id: createPushKey(1, 1), text: HIDDEN },
    'text_not_allowed',
    'text',
  ],
  [
    'advance_booking',
    { booking_id: 'b1', event: 'cancel', reason: HIDDEN },
    'text_not_allowed',
    'reason',
  ],
  ...(
    [
      ['cancel', 'reason', {}],
      ['release', 'reason', {}],
      ['skip_stop', 'reason', { index: 0, stop: { lat: 1, lng: 2 } }],
      ['rate', 'comment', { rating: 5 }],
    ] as const
  ).map(
    ([event, field, more]) =>
      [
        'advance_booking',
        { booking_id: 'b1', event, ...more, [field]: 'Pay at\nhttps://evil.example' },
        'link_not_allowed',
        field,
      ] as const,
  ),
] as const)('%s refuses %j as %s at the field %s', (name, input, key, field) => {
  const parse = () => parseInput(API[name].input as unknown as GenericSchema, input)
  expect(parse).toThrow(expect.objectContaining({ error: expect.objectContaining({ key, field }) }))
})

test('a note keeps its lines and links', () => {
  const text = 'Gate 3\nSee https://kerbside.example/map'
  const input = { uid: 'rider', text, revision: 0 }
  expect(parseInput(API.save_note.input, input)).toEqual(input)
})

/** Fields whose names the sender chooses. */
const FREE_NAMES = ['send_notification/params: record']

test('every endpoint refuses fields that it does not know, also in nested objects', () => {
  const open = Object.entries(API).flatMap(([name, { input }]) =>
    findOpenParts(input as unknown as SchemaPart, name),
  )
  expect([...new Set(open)]).toEqual(FREE_NAMES)
})

/** Returns true for a text whose form is that of a key, which has no slash. */
const isKeyForm = ({ pipe = [] }: SchemaPart): boolean =>
  pipe.some((part) => {
    const { requirement } = part as { requirement?: RegExp }
    return part.type === 'regex' && requirement?.test('constructor') && !requirement.test('a/b')
  })

/** Returns the paths of all schemas of keys, with the schemas. */
const findKeys = (schema: SchemaPart, path: string): [string, SchemaPart][] => {
  const { entries = {}, options = [], wrapped, item, value, rest, items = [], pipe = [] } = schema
  const key = (schema as { key?: SchemaPart }).key
  const inner = pipe.slice(1).filter(isSchema)
  const children = [...options, ...items, ...inner, wrapped, item, value, rest, key]
  return [
    ...(schema.type === 'string' && isKeyForm(schema)
      ? [[path, schema] as [string, SchemaPart]]
      : []),
    ...children.filter(isSchema).flatMap((part) => findKeys(part, path)),
    ...Object.entries(entries).flatMap(([name, part]) => findKeys(part, `${path}/${name}`)),
  ]
}

/** Fields in the form of a key by which nothing is looked up. */
const NO_KEYS = /\/(language|sessionToken|extension|cursor)$/

test('every key of an endpoint refuses the names that every object has', () => {
  const keys = Object.entries(API).flatMap(([name, { input }]) =>
    findKeys(input as unknown as SchemaPart, name),
  )
  expect(keys.length).toBeGreaterThan(50)
  const accepted = keys.filter(([path, schema]) =>
    Object.getOwnPropertyNames(Object.prototype).some(
      (name) => !NO_KEYS.test(path) && v.safeParse(schema as never, name).success,
    ),
  )
  expect(accepted.map(([path]) => path)).toEqual([])
})

const registration = {
  usertype: 'rider',
  firstName: 'Eva',
  lastName: 'Sosa',
  email: 'eva@example.com',
  mobile: '+15555550188',
}
/** Accepted inputs of the calls that mobile apps make without a Firebase SDK. */
const PLAIN_INPUTS = {
  send_notification: { token: 'device', title: 'Rain', msg: 'Drive with care' },
  'googleapis-getaddress': { latlng: '1,2' },
  'googleapis-getdirections': { start: '1,2', dest: '3,4', waypoints: '5,6|7,8' },
  'googleapis-autocomplete': { searchKeyword: 'Plaza' },
  'googleapis-getcoords': { place_id: 'here' },
  'googleapis-getdistancematrix': { start: '1,2|3,4', dest: '5,6' },
  validate_referrer: { referralId: 'ana1234' },
  check_user_exists: { email: 'eva@example.com', mobile: '+15555550188' },
  user_signup: registration,
  get_providers: {},
} satisfies { [Name in EndpointName]?: object }

test.each(Object.entries(PLAIN_INPUTS))(
  '%s accepts its input, and refuses another field with its name',
  (name, input) => {
    const schema = API[name as keyof typeof PLAIN_INPUTS].input
    expect(parseInput(schema, input)).toMatchObject(input)
    expect(() => parseInput(schema, { ...input, nickname: 'E' })).toThrow(refusalOf('nickname'))
  },
)

const refusalOf = (field: string): unknown =>
  expect.objectContaining({ error: expect.objectContaining({ key: 'bad_input', field }) })

test('a wrapped registration refuses an unknown field inside and beside it with its name', () => {
  const parse = (body: object) => parseInput(API.user_signup.input, body)
  expect(parse({ regData: registration })).toEqual(registration)
  const inside = { regData: { ...registration, walletBalance: 1000 } }
  expect(() => parse(inside)).toThrow(refusalOf('walletBalance'))
  const beside = { regData: registration, approved: true }
  expect(() => parse(beside)).toThrow(refusalOf('approved'))
})

test('the ignored fields of an app reach no handler', () => {
  const createdAt = '2026-11-27T10:00:00.000Z'
  const vehicle = { vehicleMake: 'Fiat', licenseImage: null, carType: '' }
  expect(parseInput(API.user_signup.input, { ...registration, ...vehicle, createdAt })).toEqual(
    registration,
  )
  const driver = { ...registration, usertype: 'driver', vehicleMake: 'Fiat' }
  expect(parseInput(API.user_signup.input, { ...driver, createdAt })).toEqual(driver)
  const push = PLAIN_INPUTS.send_notification
  const record = { body: 'Drive with care', devicetype: 'All', usertype: 'rider', createdAt }
  expect(parseInput(API.send_notification.input, { ...push, ...record })).toEqual(push)
})

test('an unknown field of a place is refused as unknown, whatever key its place has', () => {
  const place = { lat: -34.9, lng: -56.2, add: 'Plaza Independencia' }
  const booking_id = createPushKey(1, 1)
  const parse = (pickup: object) =>
    parseInput(API.create_booking.input, { booking_id, pickup }, { pickup: 'select_proper' })
  expect(() => parse({ ...place, zz: 1 })).toThrow(refusalOf('pickup.zz'))
})

test('a misspelled field is refused with its name, and no account is deleted by default', () => {
  const parse = (input: object) => parseInput(API.delete_user.input, input)
  expect(() => parse({ id: 'rider', uid: 'driver' })).toThrow(refusalOf('uid'))
  expect(() => parse({})).toThrow(refusalOf('id'))
})

/** A deployed function over HTTP. */
interface Exported {
  __endpoint?: { httpsTrigger?: object; callableTrigger?: object }
  /** The reason for accepting unknown fields. */
  openInput?: string
}

test('every function over HTTP has a strict input or states why its input is open', async () => {
  vi.stubEnv('FIREBASE_CONFIG', '{"databaseURL":"https://x.firebaseio.com"}')
  vi.stubEnv('GCLOUD_PROJECT', 'live')
  vi.resetModules()
  const { functions } = await import('..')
  vi.unstubAllEnvs()
  const { googleapis, ...others } = functions
  const maps = Object.entries(googleapis).map(([name, value]) => [`googleapis-${name}`, value])
  const endpoints = [...Object.entries(others), ...maps] as [string, Exported | undefined][]
  const open = endpoints
    .filter(([, value]) => value?.__endpoint?.httpsTrigger ?? value?.__endpoint?.callableTrigger)
    .filter(([name]) => !Object.hasOwn(API, name))
  expect(open.filter(([, value]) => !value?.openInput)).toEqual([])
  // A new name here needs a sender whose fields we cannot list.
  const names = open.map(([name]) => name).filter((name) => !name.startsWith('pay_'))
  expect(names.sort()).toEqual(['message_webhook', 'payment_return', 'payment_webhook'])
})
