import { toJson } from '~/domain/databaseValue'
import type { User } from '~/domain/entities'
import { createProbes } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

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
