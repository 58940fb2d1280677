import { describe, expect, it, test } from 'vitest'
import { parseFileName, parseFileOwner, isBookingImage, isUserImage } from './storageFiles'

const live = { bucket: 'acme.firebasestorage.app', isLocal: false }
const local = { bucket: 'demo.firebasestorage.app', isLocal: true }
const linkTo = (
  name: string,
  bucket = live.bucket,
  origin = 'https://firebasestorage.googleapis.com',
) => `${origin}/v0/b/${bucket}/o/${encodeURIComponent(name)}?alt=media&token=5f3a`
const evidence = { booking: '-Ob1', driver: 'dan', kind: 'pickup_image' }

describe('a download link', () => {
  it('points to a file in our bucket, in production and in the Emulator Suite', () => {
    expect(parseFileName(linkTo('users/dan/licenseImage'), live)).toBe('users/dan/licenseImage')
    for (const host of ['http://127.0.0.1:9199', 'http://localhost:21504'])
      expect(parseFileName(linkTo('users/dan/a', local.bucket, host), local)).toBe('users/dan/a')
  })

  it.each([
    ['another host', 'https://evil.example/pixel.png'],
    ['another host and our path', linkTo('users/dan/a', live.bucket, 'https://evil.example')],
    ['another bucket', linkTo('users/dan/a', 'evil.appspot.com')],
    ['a bucket whose name starts with ours', linkTo('users/dan/a', `${live.bucket}.evil`)],
    ['a local store in production', linkTo('users/dan/a', live.bucket, 'http://127.0.0.1:9199')],
    [
      'a user name before another host',
      'https://firebasestorage.googleapis.com@evil.example/v0/b/x/o/y',
    ],
    ['a user name before our host', linkTo('a').replace('https://', 'https://x@')],
    [
      'a path that leaves the bucket',
      `https://firebasestorage.googleapis.com/v0/b/${live.bucket}/o/../../x/o/y`,
    ],
    [
      'an unescaped slash in the file name',
      `https://firebasestorage.googleapis.com/v0/b/${live.bucket}/o/users/dan`,
    ],
    ['no file name', `https://firebasestorage.googleapis.com/v0/b/${live.bucket}/o/`],
    [
      'an incomplete percent escape',
      `https://firebasestorage.googleapis.com/v0/b/${live.bucket}/o/%`,
    ],
    ['an insecure protocol', linkTo('a').replace('https', 'http')],
    [
      'a backslash',
      `https://firebasestorage.googleapis.com\\@evil.example/v0/b/${live.bucket}/o/a`,
    ],
    ['a line break', `${linkTo('a')}\nhttps://evil.example`],
    ['a script', 'javascript:alert(1)'],
    ['no text', ''],
  ])('with %s is refused', (_, link) => expect(parseFileName(link, live)).toBeNull())

  it('is refused when no bucket is configured', () =>
    expect(parseFileName(linkTo('a', ''), { bucket: '', isLocal: false })).toBeNull())
})

describe('booking evidence', () => {
  const is = (name: string) => isBookingImage(linkTo(name), live, evidence)
  it.each(['bookings/-Ob1/dan/pickup_image', 'bookings/-Ob1/dan/pickup_image-m5x.jpg'])(
    'accepts %s for this booking and driver',
    (name) => expect(is(name)).toBe(true),
  )
  it.each([
    ['another booking', 'bookings/-Ob2/dan/pickup_image'],
    ['another driver', 'bookings/-Ob1/eve/pickup_image'],
    ['the other picture of the trip', 'bookings/-Ob1/dan/deliver_image'],
    ['a subfolder', 'bookings/-Ob1/dan/pickup_image/x'],
    ['a path with dots', 'bookings/-Ob1/dan/pickup_image/../../x'],
    ["the user's own profile", 'users/dan/profile_image/x'],
  ])('refuses a file from %s', (_, name) => expect(is(name)).toBe(false))
})

test.each(['constructor', 'toString', '__proto__'])(
  'a file of the unknown kind %s has no record that can show it',
  (kind) => {
    expect(parseFileOwner(`users/dan/${kind}/m5x`)).toEqual({ kind: 'unknown', uid: 'dan' })
  },
)

describe('a user’s own picture', () => {
  const is = (name: string, kind = 'licenseImage') =>
    isUserImage(linkTo(name), live, { uid: 'dan', kind })
  it('is stored under its owner and kind', () => {
    expect(is('users/dan/licenseImage')).toBe(true)
    expect(is('users/dan/licenseImage/m5x')).toBe(true)
  })
  it.each([
    ['another person', 'users/eve/licenseImage'],
    ['another kind', 'users/dan/profile_image/x'],
    ['a kind with the same prefix', 'users/dan/licenseImages'],
    ['a second subfolder', 'users/dan/licenseImage/a/b'],
    ['an empty file name', 'users/dan/licenseImage/'],
  ])('is not stored under %s', (_, name) => expect(is(name)).toBe(false))
})
