import { deleteApp, initializeApp } from 'firebase-admin/app'
import { getAuth, type Auth } from 'firebase-admin/auth'
import {
  connectStorageEmulator,
  getDownloadURL,
  getStorage,
  ref,
  uploadBytes,
} from 'firebase/storage'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { removeUnusedFiles } from '~/functions/src/services/jobs/fileCleanup'
import {
  createFirebaseDatabase,
  getFirebaseApp,
} from '~/functions/src/adapters/firebase/firebaseDatabase'
import { firebaseFiles } from '~/functions/src/adapters/firebase/firebaseFiles'
import { PROJECT } from '~/scripts/local/localDatabase'
import { HOST } from '~/scripts/local/ports'
import { decodeClaims } from '~/scripts/local/tokens'
import type { TestClient } from '../support/testClients'
import { advanceBooking, openTestPlatform, expectRefusal, type TestPlatform } from './testPlatform'
import { getSuite } from '../support/testSuite'
import type { User } from '~/domain/accounts/types'

let platform: TestPlatform
let accounts: Auth
beforeAll(() => {
  const { storage, database, auth } = getSuite().ports
  vi.stubEnv('GCLOUD_PROJECT', PROJECT)
  vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', `${HOST}:${auth}`)
  vi.stubEnv('FIREBASE_DATABASE_EMULATOR_HOST', `${HOST}:${database}`)
  vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', `${HOST}:${storage}`)
  vi.stubEnv('STORAGE_EMULATOR_HOST', `http://${HOST}:${storage}`)
  platform = openTestPlatform()
  accounts = getAuth(initializeApp({ projectId: PROJECT }, 'storage-test'))
})
afterAll(async () => {
  await platform.write({ 'internal/jobs/sweep_files': null })
  await platform.close()
  // The tests also call the functions' own code, which opens an app.
  await Promise.all([accounts.app, getFirebaseApp()].map(deleteApp))
  vi.unstubAllEnvs()
})

const KILOBYTE = 1024
/**
 * Uploads an image as the web app does; returns its link, or 'refused' when the rules refuse it.
 */
const uploadImage = async (client: TestClient, name: string, bytes = KILOBYTE): Promise<string> => {
  const store = getStorage(client.app)
  connectStorageEmulator(store, HOST, getSuite().ports.storage)
  const target = ref(store, name)
  try {
    await uploadBytes(target, new Uint8Array(bytes), { contentType: 'image/jpeg' })
    return await getDownloadURL(target)
  } catch (error) {
    if ((error as { code?: string }).code === 'storage/unauthorized') return 'refused'
    throw error
  }
}
const canUpload = async (client: TestClient, name: string, bytes?: number) =>
  (await uploadImage(client, name, bytes)) !== 'refused'
/** Returns an account with a profile and the role that it gives. */
const createKnownAccount = async (like: Partial<User>): Promise<TestClient> => {
  const [uid = ''] = await platform.createUsers(1, like)
  await (await platform.signInAs(uid)).call('ensure_profile').catch(() => undefined)
  return platform.signInAs(uid)
}

describe('an upload', () => {
  it('needs an approved profile whose role is in the token', async () => {
    const [uid = ''] = await platform.createUsers(1, {})
    const rider = await platform.signInAs(uid)
    expect(await canUpload(rider, `users/${uid}/profile_image/a`)).toBe(false)
    await rider.call('ensure_profile')
    expect(await canUpload(await platform.signInAs(uid), `users/${uid}/profile_image/a`)).toBe(true)

    // The token proves their number, so they can upload only the one license of a sign-up (tested
    // below).
    const stranger = await platform.signInAs(`stranger-${uid}`)
    expect(await canUpload(stranger, `users/${stranger.uid}/profile_image/a`)).toBe(false)
    expect(await canUpload(stranger, `users/${stranger.uid}/licenseImage/a`)).toBe(false)
    expect(await canUpload(stranger, `bookings/b/${stranger.uid}/pickup_image`)).toBe(false)
  })

  it('by a seeded account works at once, because the startup assigns the roles', async () => {
    const driver = await platform.signInAs('seed-driver')
    expect(await canUpload(driver, 'users/seed-driver/profile_image/test')).toBe(true)
    const pending = await platform.signInAs('seed-driver-pending')
    expect(await canUpload(pending, 'users/seed-driver-pending/profile_image/test')).toBe(false)
  })

  it('is refused after the approval or the account ends', async () => {
    const driver = await createKnownAccount({ usertype: 'driver' })
    const { uid } = driver
    expect(await canUpload(driver, `bookings/b/${uid}/pickup_image`)).toBe(true)
    await platform.write({ [`users/${uid}/approved`]: false })
    const role = async () => decodeClaims(await (await platform.signInAs(uid)).idToken())['role']
    await expect.poll(role).toBe('none')
    expect(await canUpload(await platform.signInAs(uid), `bookings/b/${uid}/deliver_image`)).toBe(
      false,
    )

    const rider = await createKnownAccount({})
    await rider.call('delete_user', { id: rider.uid })
    // Another sign-in creates an account without a profile.
    const again = await platform.signInAs(rider.uid)
    expect(await canUpload(again, `users/${rider.uid}/profile_image/b`)).toBe(false)
    await accounts.deleteUser(rider.uid)
  })

  it('before a sign-up is limited to one small license, which stays fixed afterwards', async () => {
    const mobile = `+1777${String(Date.now()).slice(-7)}`
    const { uid } = await accounts.createUser({ phoneNumber: mobile })
    const newcomer = await platform.signInAs(uid)
    const place = `users/${uid}/licenseImage`
    expect(await canUpload(newcomer, place)).toBe(true)
    expect(await canUpload(newcomer, place)).toBe(true)
    expect(await canUpload(newcomer, place, 1025 * KILOBYTE)).toBe(false)
    expect(await canUpload(newcomer, `${place}/second`)).toBe(false)
    expect(await canUpload(newcomer, `users/${uid}/profile_image`)).toBe(false)

    await platform.write({ [`users/${uid}`]: { usertype: 'driver', approved: false, mobile } })
    const role = async () => decodeClaims(await (await platform.signInAs(uid)).idToken())['role']
    await expect.poll(role).toBe('none')
    expect(await canUpload(await platform.signInAs(uid), place)).toBe(false)
    await platform.write({ [`users/${uid}`]: null })
    await accounts.deleteUser(uid)
  })

  it('of a license cannot replace the picture that the office sees', async () => {
    const mobile = `+1777${String(Date.now()).slice(-7)}`
    const { uid } = await accounts.createUser({ phoneNumber: mobile })
    // The token of this client is from before the sign-up, so it has no role.
    const newcomer = await platform.signInAs(uid)
    const draft = `users/${uid}/licenseImage`
    const link = await uploadImage(newcomer, draft, KILOBYTE)
    const [carType = ''] = Object.keys((await platform.read<object>('cartypes')) ?? {})
    const person = { firstName: 'Eva', lastName: 'Sosa', email: `${uid}@example.com`, mobile }
    const fields = { usertype: 'driver', carType, vehicleNumber: 'E 1', licenseImage: link }
    const signUp = await fetch(`${getSuite().urls.functions}/user_signup`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${await newcomer.idToken()}`,
      },
      body: JSON.stringify({ ...person, ...fields }),
    })
    expect(await signUp.json()).toMatchObject({ success: true, uid })
    const shown = (await platform.read<string>(`users/${uid}/licenseImage`)) ?? ''
    await uploadImage(newcomer, draft, 2 * KILOBYTE)
    const response = await fetch(shown)
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, KILOBYTE])
    await (await platform.signInAs('seed-admin')).call('delete_user', { id: uid })
  })

  it('of evidence is limited to drivers, and only the link of the booking’s driver is accepted', async () => {
    const rider = await createKnownAccount({})
    expect(await canUpload(rider, `bookings/b/${rider.uid}/pickup_image`)).toBe(false)
    const driver = await createKnownAccount({ usertype: 'driver' })
    const other = await createKnownAccount({ usertype: 'driver' })
    const office = await platform.signInAs('seed-admin')
    const { booking_id } = await platform.createBooking(office, { customer: rider.uid })
    await platform.write({ [`bookings/${booking_id}/requestedDrivers/${driver.uid}`]: true })
    await advanceBooking(driver, booking_id, 'accept')
    await advanceBooking(driver, booking_id, 'arrive', { lat: -34.9, lng: -56.18 })
    const otp = await platform.read<number>(`booking_otps/${booking_id}`)
    const start = (pickup_image: string) =>
      advanceBooking(driver, booking_id, 'start', { otp, pickup_image })
    const wrong = [
      await uploadImage(other, `bookings/${booking_id}/${other.uid}/pickup_image-1`),
      await uploadImage(driver, `bookings/elsewhere/${driver.uid}/pickup_image-1`),
      'https://evil.example/pixel.png',
    ]
    for (const link of wrong)
      expect((await expectRefusal(start(link))).details).toMatchObject({
        key: 'bad_input',
        field: 'pickup_image',
      })
    const link = await uploadImage(driver, `bookings/${booking_id}/${driver.uid}/pickup_image-1`)
    expect(await start(link)).toMatchObject({ status: 'STARTED' })
    expect(await platform.read(`bookings/${booking_id}/pickup_image`)).toBe(link)
    await advanceBooking(driver, booking_id, 'reach', { lat: -34.89, lng: -56.18 })
    await advanceBooking(driver, booking_id, 'finish')
    await advanceBooking(driver, booking_id, 'collect')
  })
})

it('maintenance deletes files that no record references, and keeps all others', async () => {
  const rider = await createKnownAccount({})
  const names = [1, 2, 3].map((n) => `users/${rider.uid}/profile_image/${n}`)
  const [, second = ''] = await Promise.all(names.map((name) => uploadImage(rider, name)))
  await rider.call('save_user', { id: rider.uid, profile_image: second })
  await platform.write({ 'internal/jobs/sweep_files': null })
  const ports = { db: createFirebaseDatabase(), files: firebaseFiles }
  const left = async () => {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const { page, next }: Awaited<ReturnType<typeof firebaseFiles.listPage>> =
        await firebaseFiles.listPage(cursor, 2)
      found.push(...page.map(({ name }) => name))
      cursor = next
    } while (cursor !== null)
    return found.filter((name) => names.includes(name)).toSorted()
  }
  expect(await removeUnusedFiles(ports, Date.now())).toMatchObject({
    removedCount: 0,
    isDone: true,
  })
  expect(await left()).toEqual(names)
  expect(await firebaseFiles.measureFolder(`users/${rider.uid}/profile_image/`)).toEqual({
    count: 3,
    bytes: 3 * KILOBYTE,
  })
  const tomorrow = Date.now() + 25 * 3_600_000
  expect((await removeUnusedFiles(ports, tomorrow)).removedCount).toBeGreaterThanOrEqual(2)
  expect(await left()).toEqual([names[1]])
})
