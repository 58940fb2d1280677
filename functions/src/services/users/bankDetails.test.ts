import { describe, expect, it } from 'vitest'
import { aSettings } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { complete_withdraw } from '../../endpoints/wallet/completeWithdraw'
import { delete_user } from '../../endpoints/users/deleteUser'
import { import_people } from '../../endpoints/imports/importPeople'
import { request_withdraw } from '../../endpoints/wallet/requestWithdraw'
import { save_user } from '../../endpoints/users/saveUser'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import type { BankChange } from '~/domain/accounts/types'
import type { Withdrawal } from '~/domain/money/types'

const WITHDRAW = '-Owithdrawabcdefghij'
const LATER = '-Owithdrawabcdefghik'

/** The driver’s address. */
const email = 'driver@kerbside.example'
const aFleet = (settings: object = {}) => {
  const { users } = aProject()
  const history = { start: { type: 'Credit', amount: 400, date: 1, txRef: 'start' } }
  const earned = { walletBalance: 400, walletHistory: history }
  const given = createProjectPorts({
    settings: aSettings({ bank_fields: true, ...settings }),
    users: {
      ...users,
      fleet: { ...users.admin, id: 'fleet', mobile: '+15555550177', usertype: 'fleetadmin' },
      driver: {
        ...users.driver,
        email,
        emailVerified: true,
        fleetadmin: 'fleet',
        bankAccount: 'OWN',
        ...earned,
      },
    },
  })
  const as = (uid: string, role: 'driver' | 'admin' | 'fleetadmin', now = TEST_NOW) => ({
    ...createUserContext(uid, role, given),
    now,
  })
  return {
    db: given.db,
    save: (bankAccount: string, context = as('driver', 'driver')) =>
      save_user.handle({ id: 'driver', bankAccount }, context),
    request: (withdraw_id: string, now = TEST_NOW) =>
      request_withdraw.handle({ withdraw_id, amount: 10 }, as('driver', 'driver', now)),
    complete: (withdraw_id: string, now = TEST_NOW) =>
      complete_withdraw.handle({ withdraw_id }, as('admin', 'admin', now)),
    getWithdrawal: (id: string) => given.db.at(`withdraws/${id}`) as Withdrawal,
    as,
  }
}

describe('the bank details of a driver', () => {
  it.each([
    ['', 'removed'],
    ['OTHER', 'changed'],
  ])('set to “%s” by a fleet admin are refused at their field', async (bankAccount) => {
    const { save, as, db } = aFleet()
    expect(await getErrorKey(save(bankAccount, as('fleet', 'fleetadmin')))).toBe('not_allowed')
    expect(db.at('users/driver/bankAccount')).toBe('OWN')
  })

  it('stay when a fleet admin saves them as they are, or changes the vehicle', async () => {
    const { as, db } = aFleet()
    const changes = { bankAccount: 'OWN', vehicleMake: 'Audi' }
    await save_user.handle({ id: 'driver', ...changes }, as('fleet', 'fleetadmin'))
    expect(db.at('users/driver/vehicleMake')).toBe('Audi')
    expect(db.at('internal/bank_changes')).toBeNull()
  })

  it('are not set by a fleet admin who adds or imports a driver', async () => {
    const { as } = aFleet()
    const row = {
      firstName: 'New',
      lastName: 'Driver',
      email: 'new@example.com',
      mobile: '+15555550178',
      bankAccount: 'OTHER',
    }
    const context = as('fleet', 'fleetadmin')
    expect(await getErrorKey(save_user.handle({ usertype: 'driver', ...row }, context))).toBe(
      'not_allowed',
    )
    const { results } = await import_people.handle({ usertype: 'driver', rows: [row] }, context)
    expect(results).toMatchObject([{ status: 'refused', error: { key: 'not_allowed' } }])
  })

  it.each([
    ['their owner', 'driver', 'driver'],
    ['an admin', 'admin', 'admin'],
  ] as const)(
    'are changed by %s, and the owner gets a message and an e-mail',
    async (_, uid, role) => {
      const { save, as, db } = aFleet()
      await save('NEW', as(uid, role))
      expect(db.at('users/driver/bankAccount')).toBe('NEW')
      expect(Object.values(db.at('inbox/driver') as object)).toMatchObject([
        { title: 'push_bank_changed_title', screen: 'Wallet' },
      ])
      expect(Object.values(db.at('internal/outbox') as object)).toMatchObject([
        { event: 'bank_changed', channel: 'email', uid: 'driver', address: email },
        {
          event: 'bank_changed',
          channel: 'sms',
          uid: 'driver',
          address: expect.stringMatching(/^\+/),
        },
      ])
    },
  )

  it('tell nothing again when the same details are saved twice', async () => {
    const { save, db } = aFleet()
    await save('NEW')
    await save('NEW')
    expect(Object.values(db.at('inbox/driver') as object)).toHaveLength(1)
    expect((db.at('internal/bank_changes/driver') as BankChange).revision).toBe(1)
  })
})

describe('a payout after a change of bank details', () => {
  it('waits for 24 hours, and the office cannot pay it before', async () => {
    const { save, request, complete, getWithdrawal } = aFleet()
    await save('NEW')
    await request(WITHDRAW)
    expect(getWithdrawal(WITHDRAW)).toMatchObject({
      bankAccount: 'NEW',
      payable_at: TEST_NOW + 24 * HOUR_MS,
    })
    expect(await getErrorKey(complete(WITHDRAW))).toBe('payout_waits')
    expect(await getErrorKey(complete(WITHDRAW, TEST_NOW + 24 * HOUR_MS - 1))).toBe('payout_waits')
    expect(await complete(WITHDRAW, TEST_NOW + 24 * HOUR_MS)).toMatchObject({ processed: true })
  })

  it('waits as long as the office has set', async () => {
    const { save, request, getWithdrawal } = aFleet({ bankWaitHours: 2 })
    await save('NEW')
    await request(WITHDRAW, TEST_NOW + HOUR_MS)
    await request(LATER, TEST_NOW + 2 * HOUR_MS)
    expect(getWithdrawal(WITHDRAW).payable_at).toBe(TEST_NOW + 2 * HOUR_MS)
    expect(getWithdrawal(LATER).payable_at).toBeUndefined()
  })

  it('is paid at once without a change, also one that was requested before it', async () => {
    const { save, request, complete, getWithdrawal } = aFleet()
    await request(WITHDRAW)
    await save('NEW')
    expect(getWithdrawal(WITHDRAW)).toMatchObject({ bankAccount: 'OWN' })
    expect(await complete(WITHDRAW)).toMatchObject({ processed: true })
  })

  it('goes to the corrected account when the owner corrects a change that was not theirs', async () => {
    const { save, request, getWithdrawal, as } = aFleet()
    await save('THIEF')
    await request(WITHDRAW)
    await save('OWN', as('driver', 'driver', TEST_NOW + HOUR_MS))
    expect(getWithdrawal(WITHDRAW)).toMatchObject({
      bankAccount: 'OWN',
      payable_at: TEST_NOW + 25 * HOUR_MS,
    })
  })

  it('does not wait on a platform without bank details', async () => {
    const { save, request, getWithdrawal } = aFleet({ bank_fields: false })
    await save('NEW')
    await request(WITHDRAW)
    expect(getWithdrawal(WITHDRAW).payable_at).toBeUndefined()
  })
})

describe('the money of a deleted driver', () => {
  const waiver = { id: 'driver', waive_balance: true, balance: 400 }

  it('is not given up by a fleet admin', async () => {
    const { as, db } = aFleet({ AllowCriticalEditsAdmin: true })
    const refused = delete_user.handle(waiver, as('fleet', 'fleetadmin'))
    expect(await getErrorKey(refused)).toBe('waiver_not_yours')
    expect(db.at('users/driver/walletBalance')).toBe(400)
    expect(db.at('users/driver/approved')).toBe(true)
  })

  it.each([
    ['the driver', 'driver', 'driver'],
    ['an admin', 'admin', 'admin'],
  ] as const)('is given up by %s', async (_, uid, role) => {
    const { as, db } = aFleet({ AllowCriticalEditsAdmin: true })
    await delete_user.handle(waiver, as(uid, role))
    expect(db.at('users/driver')).toBeNull()
  })

  it('keeps a fleet admin from deleting, who can delete a driver without money', async () => {
    const { as, db } = aFleet({ AllowCriticalEditsAdmin: true })
    const context = as('fleet', 'fleetadmin')
    expect(await getErrorKey(delete_user.handle({ id: 'driver' }, context))).toBe('balance_left')
    db.put({ 'users/driver/walletBalance': 0, 'users/driver/walletHistory': null })
    await delete_user.handle({ id: 'driver' }, context)
    expect(db.at('users/driver')).toBeNull()
  })
})
