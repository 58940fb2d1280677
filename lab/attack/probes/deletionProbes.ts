import { toJson } from '~/domain/data/databaseValue'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'
import type { User } from '~/domain/accounts/types'

/** Returns a wallet's balance and the history that adds up to it. */
export const createWallet = (amount: number): Pick<User, 'walletBalance' | 'walletHistory'> => ({
  walletBalance: amount,
  walletHistory: {
    start: {
      type: amount < 0 ? 'Debit' : 'Credit',
      amount: Math.abs(amount),
      date: 1,
      txRef: 'start',
    },
  },
})

const isDeleted = async (scene: ProbeContext, { uid }: SignedInAccount): Promise<boolean> =>
  (await scene.database.get(`users/${uid}`)) === null

/** Removes the phone number from an account, which the auth service allows every account. */
const unlinkPhone = async ({ urls }: ProbeContext, { token }: SignedInAccount): Promise<void> => {
  const { ok } = await fetch(
    `${urls.auth}/identitytoolkit.googleapis.com/v1/accounts:update?key=demo-key`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ idToken: token, deleteProvider: ['phone'] }),
    },
  )
  if (!ok) throw new Error('The auth service did not unlink the number.')
}

/** Rounds of a race; in each, the block of the office comes at another moment. */
const RACE_ROUNDS = 10

/**
 * Returns true when the office's block of a rider is undone by a deletion of theirs, which a credit
 * to the wallet lets fail after it has begun.
 */
const isBlockUndone = async (scene: ProbeContext, admin: SignedInAccount): Promise<boolean> => {
  const rider = await scene.createUser()
  const leave = () => scene.call(rider, 'delete_user', { id: rider.uid })
  const credit = { credit_id: scene.createPushKey(), uid: rider.uid, amount: 5 }
  const [, , blocked] = await Promise.all([
    leave(),
    scene.call(admin, 'add_to_wallet', credit),
    scene.call(admin, 'save_user', { id: rider.uid, approved: false }),
    leave(),
  ])
  const profile = (await scene.database.get(`users/${rider.uid}`)) as User | null
  return blocked.status === 200 && profile?.approved === true
}

/** The words and the names that people of the next probe leave behind. */
const OWN_WORDS = 'Zelmira has a fever'
const NAMES = { rider: 'Zelmira', driver: 'Ubaldo' }

/** Lets a rider cancel an accepted booking in their own words. */
const createCanceledBooking = async (scene: ProbeContext) => {
  const rider = await scene.createUser({ firstName: NAMES.rider })
  const driver = await scene.createUser({ usertype: 'driver', firstName: NAMES.driver })
  const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
  const cancel = { booking_id: id, event: 'cancel', reason: OWN_WORDS }
  const canceled = await scene.call(rider, 'advance_booking', cancel)
  if (canceled.status !== 200) throw new Error(JSON.stringify(canceled.body))
  return { rider, driver, id }
}

/** Deletes an account and returns true when one of these records still has the text. */
const isLeftBehind = async (
  scene: ProbeContext,
  person: SignedInAccount,
  text: string,
  paths: readonly string[],
): Promise<boolean> => {
  const hasText = async () => {
    const records = await Promise.all(paths.map((path) => scene.database.get(path)))
    return JSON.stringify(records).includes(text)
  }
  if (!(await hasText())) throw new Error(`No record has “${text}”.`)
  const { status, body } = await scene.call(person, 'delete_user', { id: person.uid })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return hasText()
}

export const deletionProbes = createProbes('returns after a deletion', {
  'a debt cannot be deleted': async (scene) => {
    const rider = await scene.createUser(createWallet(-11))
    const admin = await scene.signIn('seed-admin')
    await scene.call(rider, 'delete_user', {
      id: rider.uid,
      waive_balance: true,
      balance: -11,
    })
    await scene.call(admin, 'delete_user', { id: rider.uid, waive_balance: true })
    await scene.rest(rider, 'DELETE', `users/${rider.uid}`)
    return (await isDeleted(scene, rider)) ? 'the account is gone, and the debt with it' : undefined
  },

  'a debt stays with the phone number when it is removed from the account': async (scene) => {
    const mobile = scene.createPhoneNumber()
    const first = await scene.signInByPhone(mobile)
    await scene.call(first, 'ensure_profile')
    const { walletBalance, walletHistory = {} } = createWallet(-11)
    await scene.database.put(`users/${first.uid}/walletBalance`, walletBalance)
    await scene.database.put(`users/${first.uid}/walletHistory`, toJson(walletHistory))
    await unlinkPhone(scene, first)
    const again = await scene.signInByPhone(mobile)
    await scene.call(again, 'ensure_profile')
    if (again.uid === first.uid) throw new Error('The number is still linked to the first account.')
    const profile = (await scene.database.get(`users/${again.uid}`)) as User | null
    return profile?.mobile === mobile
      ? 'a person with a debt has a new profile with the same number'
      : undefined
  },

  'no balance is waived that the caller did not see': async (scene) => {
    const rider = await scene.createUser(createWallet(300))
    await scene.call(rider, 'delete_user', { id: rider.uid })
    await scene.call(rider, 'delete_user', {
      id: rider.uid,
      waive_balance: true,
      balance: 200,
    })
    return (await isDeleted(scene, rider)) ? 'the deletion took 300 from the rider' : undefined
  },

  'a deletion that names nobody deletes nobody': async (scene) => {
    const [eve, other] = [await scene.createUser(), await scene.createUser()]
    const { uid } = other
    const inputs = [{ uid }, { user: uid }, { ids: [uid] }, { id: null }, { id: '' }, {}]
    const statuses: number[] = []
    for (const input of inputs) statuses.push((await scene.call(eve, 'delete_user', input)).status)
    return firstProblem(
      (await isDeleted(scene, eve)) && 'the caller was deleted',
      (await isDeleted(scene, other)) && 'another person was deleted',
      statuses.some((status) => status !== 400) && `answered with ${statuses.join()}`,
    )
  },

  'a deletion that fails undoes no block of the office': async (scene) => {
    const admin = await scene.signIn('seed-admin')
    for (let round = 1; round <= RACE_ROUNDS; round++)
      if (await isBlockUndone(scene, admin)) return `a block was undone in round ${round}`
    return undefined
  },

  'a deleted rider leaves no words of theirs, and a deleted driver no name': async (scene) => {
    const first = await createCanceledBooking(scene)
    const wordPaths = [`bookings/${first.id}`, `inbox/${first.driver.uid}`]
    const second = await createCanceledBooking(scene)
    const namePaths = [`inbox/${second.rider.uid}`]
    return firstProblem(
      (await isLeftBehind(scene, first.rider, OWN_WORDS, wordPaths)) &&
        'the reason of the cancellation is still readable',
      (await isLeftBehind(scene, second.driver, NAMES.driver, namePaths)) &&
        'the inbox of the rider still names the driver',
    )
  },

  'the token of a deleted account writes nothing': async (scene) => {
    const rider = await scene.createUser()
    const deleted = await scene.call(rider, 'delete_user', { id: rider.uid })
    if (!(await isDeleted(scene, rider))) throw new Error(JSON.stringify(deleted.body))
    await scene.call(rider, 'ensure_profile')
    await scene.call(rider, 'save_user', { id: rider.uid, firstName: 'Back' })
    await scene.rest(rider, 'PUT', `users/${rider.uid}/lang`, 'en')
    const left = (await scene.database.get(`users/${rider.uid}`)) as Partial<User> | null
    return left === null ? undefined : `the profile has ${Object.keys(left).join(', ')} again`
  },
})
