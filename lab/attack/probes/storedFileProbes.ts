import { NEW_FILES_QUOTA } from '~/domain/data/storageFiles'
import { BUCKET } from '~/scripts/local/localDatabase'
import { HOST } from '~/scripts/local/ports'
import { listFiles } from '../fileRequests'
import { firstProblem, createProbes } from './probe'
import type { SignedInAccount, ProbeContext } from './probeContext'

const countAccepted = (statuses: readonly number[]) =>
  statuses.filter((status) => status === 200).length
/**
 * Tries every path that storage.rules names as this account and returns those that accepted the
 * file.
 */
const findWritablePaths = async (scene: ProbeContext, who: SignedInAccount): Promise<string[]> => {
  const { uid } = who
  const names = [
    `users/${uid}/profile_image/a`,
    `users/${uid}/profile_image`,
    `users/${uid}/licenseImage/a`,
    `users/${uid}/licenseImage`,
    `users/${uid}/vehicle/a`,
    `users/${uid}/cartypes/a`,
    `bookings/no-such/${uid}/pickup_image`,
  ]
  const open: string[] = []
  for (const name of names) if ((await scene.upload(who, name)) === 200) open.push(name)
  return open
}
const describeWritablePaths = (open: readonly string[], who: string): string | undefined =>
  open.length > 0 ? `${who} filled ${open.join(', ')}` : undefined

/** Removes the one file that a person with a verified number may upload before they sign up. */
const excludeLicense = (open: readonly string[], { uid }: SignedInAccount): string[] =>
  open.filter((name) => name !== `users/${uid}/licenseImage`)

/** Returns the address at which the storage of the suite would serve a file. */
const toFileLink = ({ ports }: ProbeContext, name: string): string =>
  `http://${HOST}:${ports.storage}/v0/b/${BUCKET}/o/${encodeURIComponent(name)}?alt=media&token=t`

/** Files that the next probe uploads at once, and files above the quota. */
const UPLOADS_AT_ONCE = 20
const FILES_ABOVE_QUOTA = 20

export const storedFileProbes = createProbes('files', {
  'an account without a profile or a verified number cannot upload': async (scene) => {
    const email = `stranger-${scene.createPushKey()}@example.com`
    const anonymous = await scene.signInByMethod('signUp', {})
    const stranger = await scene.signInByMethod('signUp', { email, password: 'a long password' })
    return firstProblem(
      describeWritablePaths(await findWritablePaths(scene, anonymous), 'an anonymous account'),
      describeWritablePaths(
        await findWritablePaths(scene, stranger),
        'an account with an unverified email address',
      ),
    )
  },

  'an account with a verified number can upload one small file before sign-up': async (scene) => {
    const newcomer = await scene.signInByPhone(scene.createPhoneNumber())
    const { uid } = newcomer
    const statuses: number[] = []
    for (let n = 0; n < 20; n++)
      statuses.push(await scene.upload(newcomer, `users/${uid}/licenseImage/${n}`))
    const large = await scene.upload(newcomer, `users/${uid}/licenseImage`, 2 * 1024 * 1024)
    const others = excludeLicense(await findWritablePaths(scene, newcomer), newcomer)
    return firstProblem(
      describeWritablePaths(others, 'an account before its sign-up'),
      countAccepted(statuses) > 0 && `${countAccepted(statuses)} files of 20 before a sign-up`,
      large === 200 && 'two megabytes before a sign-up',
    )
  },

  'a person does not fill the store with new files': async (scene) => {
    const rider = await scene.createUser()
    const folder = `users/${rider.uid}/profile_image/`
    for (let n = 0; n < NEW_FILES_QUOTA.count + FILES_ABOVE_QUOTA; n += UPLOADS_AT_ONCE)
      await Promise.all(
        Array.from({ length: UPLOADS_AT_ONCE }, (_, i) => scene.upload(rider, `${folder}${n + i}`)),
      )
    const admin = await scene.signIn('seed-admin')
    const swept = await scene.call(admin, 'run_sweep', { files: true })
    if (swept.status !== 200) throw new Error(JSON.stringify(swept.body))
    const names = await listFiles(scene.ports.storage)
    const { length } = names.filter((name) => name.startsWith(folder))
    return length > NEW_FILES_QUOTA.count ? `${length} new files of one rider stay` : undefined
  },

  'a blocked account cannot upload': async (scene) => {
    const blocked = await scene.createUser({ usertype: 'driver', approved: false })
    return describeWritablePaths(await findWritablePaths(scene, blocked), 'a blocked driver')
  },

  'a deleted account that signs in again can upload no more than an account before its sign-up':
    async (scene) => {
      const { uid, token } = await scene.createUser()
      await scene.call({ uid, token }, 'delete_user', { id: uid })
      const again = await scene.signIn(uid)
      return describeWritablePaths(
        excludeLicense(await findWritablePaths(scene, again), again),
        'a deleted rider',
      )
    },

  'a rider can upload a profile picture, but no license, evidence or vehicle picture': async (
    scene,
  ) => {
    const rider = await scene.createUser()
    const open = await findWritablePaths(scene, rider)
    return describeWritablePaths(
      open.filter((name) => name !== `users/${rider.uid}/profile_image/a`),
      'a rider',
    )
  },

  'users cannot write below another uid or overwrite a file': async (scene) => {
    const [me, other] = [await scene.createUser({ usertype: 'driver' }), await scene.createUser()]
    const evidence = `bookings/b/${me.uid}/pickup_image-1`
    const first = await scene.upload(me, evidence)
    return firstProblem(
      (await scene.upload(me, `users/${other.uid}/profile_image/a`)) === 200 &&
        'another person’s profile picture was created',
      (await scene.upload(me, `bookings/b/${other.uid}/pickup_image`)) === 200 &&
        'another person’s evidence was created',
      first !== 200 && `a driver’s own evidence was refused with ${first}`,
      (await scene.upload(me, evidence)) === 200 && 'evidence was overwritten',
    )
  },

  'a link to a picture that was never uploaded is refused at its field': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const { uid } = driver
    const stored: string[] = []
    for (const field of ['profile_image', 'licenseImage']) {
      const name = `users/${uid}/${field}/never`
      const { status } = await scene.call(driver, 'save_user', {
        id: uid,
        [field]: toFileLink(scene, name),
      })
      if (status === 200) stored.push(field)
    }
    if ((await scene.upload(driver, `users/${uid}/profile_image/here`)) !== 200)
      throw new Error('The picture was not uploaded.')
    const profile_image = toFileLink(scene, `users/${uid}/profile_image/here`)
    const { status } = await scene.call(driver, 'save_user', { id: uid, profile_image })
    return firstProblem(
      stored.length > 0 && `stored without an upload: ${stored.join(', ')}`,
      status !== 200 && 'an uploaded picture was refused',
    )
  },

  'a photo that was never uploaded proves neither a pickup nor a delivery': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id } = await scene.createBooking(
      await scene.createUser(),
      driver,
      { event: 'accept' },
      { event: 'arrive', lat: -34.9, lng: -56.18 },
    )
    const otp = (await scene.database.get(`booking_otps/${id}`)) as number
    const advance = (input: Record<string, unknown>) =>
      scene.call(driver, 'advance_booking', { booking_id: id, ...input })
    const never = (field: string) => ({
      [field]: toFileLink(scene, `bookings/${id}/${driver.uid}/${field}-never`),
    })
    const started = await advance({ event: 'start', otp, ...never('pickup_image') })
    await advance({ event: 'start', otp })
    const here = { lat: -34.9, lng: -56.18 }
    const reached = await advance({ event: 'reach', ...here, ...never('deliver_image') })
    return firstProblem(
      started.status === 200 && 'a trip started with a photo that does not exist',
      reached.status === 200 && 'a parcel was delivered with a photo that does not exist',
    )
  },

  'a picture of another site is refused as evidence, profile picture or license': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const evil = 'https://evil.example/pixel.png'
    const written: string[] = []
    for (const field of ['profile_image', 'licenseImage']) {
      await scene.rest(driver, 'PUT', `users/${driver.uid}/${field}`, evil)
      await scene.call(driver, 'save_user', { id: driver.uid, [field]: evil })
      if ((await scene.database.get(`users/${driver.uid}/${field}`)) === evil) written.push(field)
    }
    const { id } = await scene.createBooking(
      await scene.createUser(),
      driver,
      { event: 'accept' },
      { event: 'arrive', lat: -34.9, lng: -56.18 },
    )
    const otp = (await scene.database.get(`booking_otps/${id}`)) as number
    await scene.call(driver, 'advance_booking', {
      booking_id: id,
      event: 'start',
      otp,
      pickup_image: evil,
    })
    if ((await scene.database.get(`bookings/${id}/pickup_image`)) === evil)
      written.push('pickup_image')
    return written.length > 0 ? `stored: ${written.join(', ')}` : undefined
  },
})
