import { describe, expect, it } from 'vitest'
import { aBooking, aDriver, aSettings } from '~/domain/testing/builders'
import { parseFileName } from '~/domain/data/storageFiles'
import { readConfig } from '../../config'
import { advance_booking } from '../../endpoints/bookings/advanceBooking'
import { save_user } from '../../endpoints/users/saveUser'
import { user_signup } from '../../endpoints/users/userSignup'
import { parseInput } from '../../http/requestHandler'
import {
  createUserContext,
  createRequestContext,
  createDownloadLink,
  createMemoryFiles,
  createProjectPorts,
} from '../../testing/testPorts'

const EVIL = 'https://evil.example/pixel.png'
const booking = aBooking({ status: 'ARRIVED', driver: 'driver' })
const { id: booking_id } = booking
/** The uploaded files of these tests. */
const UPLOADED = [
  `bookings/${booking_id}/driver/pickup_image-1.jpg`,
  `bookings/${booking_id}/driver/deliver_image`,
  `bookings/${booking_id}/other/pickup_image`,
  'bookings/-Oother/driver/pickup_image',
  ...['profile_image', 'licenseImage'].flatMap((kind) => [
    `users/driver/${kind}/m5x`,
    `users/rider/${kind}/m5x`,
  ]),
  'users/driver/profile_image/a',
  'users/driver/vehicle/a',
  'users/driver/licenseImage',
  'users/driver/licenseImage/new',
]
const createUploads = () => createMemoryFiles(Object.fromEntries(UPLOADED.map((name) => [name, 1])))
const createPorts = (more: object = {}) => createProjectPorts(more, { files: createUploads() })
const driving = () =>
  createPorts({
    bookings: { [booking_id]: booking },
    booking_otps: { [booking_id]: 12_345 },
    settings: aSettings({ AllowDeliveryPickupImageCapture: true }),
  })
const field = (key: string) => ({ error: { key: 'bad_input', field: key } })

describe('pickup and delivery images', () => {
  const start = (pickup_image: string, given = driving()) =>
    advance_booking.handle(
      { booking_id, event: 'start', otp: 12_345, pickup_image },
      createUserContext('driver', 'driver', given),
    )

  it('are accepted when the driver uploaded them for this booking', async () => {
    const given = driving()
    const link = createDownloadLink(`bookings/${booking_id}/driver/pickup_image-1.jpg`)
    expect(await start(link, given)).toMatchObject({ status: 'STARTED' })
    expect(given.db.at(`bookings/${booking_id}/pickup_image`)).toBe(link)
  })

  it.each([
    ['another site', EVIL],
    [
      'no upload at all',
      createDownloadLink(`bookings/${booking_id}/driver/pickup_image-never.jpg`),
    ],
    ['another booking', createDownloadLink('bookings/-Oother/driver/pickup_image')],
    ['another driver', createDownloadLink(`bookings/${booking_id}/other/pickup_image`)],
    ['the drop-off picture', createDownloadLink(`bookings/${booking_id}/driver/deliver_image`)],
    ['a profile picture', createDownloadLink('users/driver/profile_image/a')],
    [
      'another bucket',
      createDownloadLink(`bookings/${booking_id}/driver/pickup_image`).replace('/b/', '/b/x'),
    ],
  ])('are refused when they come from %s, and nothing is written', async (_, link) => {
    const given = driving()
    const before = given.db.at(`bookings/${booking_id}`)
    await expect(start(link, given)).rejects.toMatchObject(field('pickup_image'))
    expect(given.db.at(`bookings/${booking_id}`)).toEqual(before)
  })

  it('are refused in the same manner at delivery', async () => {
    const reach = { booking_id, event: 'reach', lat: 1, lng: 1, deliver_image: EVIL } as const
    await expect(
      advance_booking.handle(reach, createUserContext('driver', 'driver', driving())),
    ).rejects.toMatchObject(field('deliver_image'))
  })
})

it.each([
  ['text/html', 1000],
  ['image/svg+xml', 1000],
  ['image/jpeg', 0],
  ['image/jpeg', 10 * 1024 * 1024 + 1],
])('refuses a file of the type %s with %i bytes as a picture', async (contentType, size) => {
  const given = driving()
  const files = { ...given.files, find: () => Promise.resolve({ contentType, size }) }
  const pickup_image = createDownloadLink(`bookings/${booking_id}/driver/pickup_image-1.jpg`)
  await expect(
    advance_booking.handle(
      { booking_id, event: 'start', otp: 12_345, pickup_image },
      createUserContext('driver', 'driver', { ...given, files }),
    ),
  ).rejects.toMatchObject(field('pickup_image'))
})

describe('a picture of a person who holds too many', () => {
  const save = (given: ReturnType<typeof createPorts>, files: object) =>
    save_user.handle(
      parseInput(save_user.input, {
        id: 'driver',
        profile_image: createDownloadLink('users/driver/profile_image/m5x'),
      }),
      createUserContext('driver', 'driver', { ...given, files: { ...given.files, ...files } }),
    )
  const holding = (count: number, bytes: number) => ({
    measureFolder: () => Promise.resolve({ count, bytes }),
  })
  const refusal = (field: string) => ({ error: { key: 'too_many_files', field } })

  it.each([
    [50, 1, true],
    [51, 1, false],
    [1, 200 * 1024 * 1024, true],
    [1, 200 * 1024 * 1024 + 1, false],
  ])('with %i files of %i bytes is saved: %s', async (count, bytes, isSaved) => {
    const given = createPorts()
    const saved = save(given, holding(count, bytes))
    if (isSaved) await saved
    else await expect(saved).rejects.toMatchObject(refusal('profile_image'))
    expect(given.db.at('users/driver/profile_image') !== null).toBe(isSaved)
  })

  it('is counted in its folder only', async () => {
    const names = Array.from({ length: 51 }, (_, i) => `users/driver/licenseImage/${i}`)
    const files = createMemoryFiles(
      Object.fromEntries([...UPLOADED, ...names].map((name) => [name, 1])),
    )
    await save(createPorts(), files)
  })

  it('is refused as evidence of a booking too', async () => {
    const given = driving()
    const start = advance_booking.handle(
      {
        booking_id,
        event: 'start',
        otp: 12_345,
        pickup_image: createDownloadLink(`bookings/${booking_id}/driver/pickup_image-1.jpg`),
      },
      createUserContext('driver', 'driver', {
        ...given,
        files: { ...given.files, ...holding(51, 1) },
      }),
    )
    await expect(start).rejects.toMatchObject(refusal('pickup_image'))
    expect(given.db.at(`bookings/${booking_id}/status`)).toBe('ARRIVED')
  })
})

describe('a person’s pictures', () => {
  const edit = (change: object, by = 'driver', given = createPorts()) =>
    save_user.handle(
      parseInput(save_user.input, { id: 'driver', ...change }),
      createUserContext(by, by === 'admin' ? 'admin' : 'driver', given),
    )

  it.each(['profile_image', 'licenseImage'])(
    'include a %s only if its owner uploaded it',
    async (kind) => {
      const given = createPorts()
      const link = createDownloadLink(`users/driver/${kind}/m5x`)
      await edit({ [kind]: link }, 'driver', given)
      expect(given.db.at(`users/driver/${kind}`)).toBe(link)
      for (const other of [
        EVIL,
        createDownloadLink(`users/rider/${kind}/m5x`),
        createDownloadLink(`users/driver/vehicle/a`),
        createDownloadLink(`users/driver/${kind}/never-uploaded`),
      ])
        await expect(edit({ [kind]: other }, 'driver', given)).rejects.toMatchObject(field(kind))
      await expect(edit({ [kind]: EVIL }, 'admin', given)).rejects.toMatchObject(field(kind))
      expect(given.db.at(`users/driver/${kind}`)).toBe(link)
      await edit({ [kind]: null }, 'driver', given)
      expect(given.db.at(`users/driver/${kind}`)).toBeNull()
    },
  )

  it('stay when an older release linked to them elsewhere and another field changes', async () => {
    const given = createProjectPorts({ users: { driver: aDriver({ profile_image: EVIL }) } })
    await edit({ profile_image: EVIL, firstName: 'New' }, 'driver', given)
    expect(given.db.at('users/driver')).toMatchObject({ firstName: 'New', profile_image: EVIL })
  })

  it('are accepted at sign-up only from the account that signs up', async () => {
    const own = createDownloadLink('users/eva/licenseImage')
    const { config } = createProjectPorts()
    const person = { firstName: 'Eva', lastName: 'Sosa', email: 'e@x.co', mobile: '+15555550188' }
    const signUp = (licenseImage: string, uid: string | null, uploaded = [own]) => {
      const names = uploaded.map((link) => [parseFileName(link, config), 1])
      const files = createMemoryFiles(Object.fromEntries(names) as Record<string, number>)
      const given = createProjectPorts({}, { files })
      const caller = uid === null ? null : { uid, phone: person.mobile }
      const input = { usertype: 'driver', ...person, licenseImage }
      return user_signup.handle(
        parseInput(user_signup.input, input),
        createRequestContext(caller, given),
      )
    }
    expect(await signUp(own, 'eva')).toMatchObject({ uid: 'eva' })
    await expect(signUp(own, 'eva', [])).rejects.toMatchObject(field('licenseImage'))
    await expect(signUp(own, 'other')).rejects.toMatchObject(field('licenseImage'))
    await expect(signUp(own, null)).rejects.toMatchObject(field('licenseImage'))
    await expect(signUp(EVIL, 'eva')).rejects.toMatchObject(field('licenseImage'))
  })

  it('are not those uploaded for a sign-up afterwards, which can still be replaced', async () => {
    const save = (name: string) =>
      save_user.handle(
        { id: 'driver', licenseImage: createDownloadLink(name) },
        createUserContext('driver', 'driver', createPorts()),
      )
    await expect(save('users/driver/licenseImage')).rejects.toMatchObject(field('licenseImage'))
    expect(await save('users/driver/licenseImage/new')).toMatchObject({ id: 'driver' })
  })
})

it('uses the project’s own bucket, and none when the environment names none', () => {
  const named = { FIREBASE_CONFIG: '{"storageBucket":"acme.firebasestorage.app"}' }
  expect(readConfig(named).bucket).toBe('acme.firebasestorage.app')
  expect(readConfig({}).bucket).toBe('')
  const local = { FUNCTIONS_EMULATOR: 'true', GCLOUD_PROJECT: 'demo-kerbside', ...named }
  expect(readConfig(local).bucket).toBe('demo-kerbside.firebasestorage.app')
})
