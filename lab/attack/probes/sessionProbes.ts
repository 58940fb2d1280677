import { dbPaths } from '~/domain/data/databasePaths'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { withSignInAt } from './identityProbes'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

/** Moves the driver, which they may write themselves, and calls a function, as this session. */
const actAs = async (scene: ProbeContext, session: SignedInAccount) => {
  const place = `${dbPaths.user(session.uid)}/location`
  const written = await scene.rest(session, 'PUT', place, { lat: -34.9, lng: -56.18 })
  return { written, called: await scene.call(session, 'ensure_profile') }
}

/** Returns the problem when a sign-in of an hour ago still works after `end` ended all sessions. */
const checkEndedSession = async (
  scene: ProbeContext,
  end: (driver: SignedInAccount) => Promise<{ status: number; body: unknown }>,
): Promise<string | undefined> => {
  const driver = await scene.createUser({ usertype: 'driver' })
  const stolen = withSignInAt(driver, Date.now() - HOUR_MS)
  const before = await actAs(scene, stolen)
  if (before.written.status !== 200 || before.called.status !== 200)
    throw new Error(`The session does not work: ${JSON.stringify(before)}`)
  const ended = await end(driver)
  if (ended.status !== 200) throw new Error(JSON.stringify(ended.body))
  const { written, called } = await actAs(scene, stolen)
  const again = await actAs(scene, await scene.signIn(driver.uid))
  return firstProblem(
    written.status === 200 && 'the ended session wrote into the database',
    called.key !== 'session_ended' && `the call was answered with ${called.key ?? called.status}`,
    again.written.status !== 200 && 'a new sign-in cannot write',
    again.called.status !== 200 && `a new sign-in is refused with ${again.called.key}`,
  )
}

export const sessionProbes = createProbes('sessions', {
  'a stolen session neither calls nor writes after its person has ended all': (scene) =>
    checkEndedSession(scene, (driver) => scene.call(driver, 'end_sessions', { uid: driver.uid })),

  'a stolen session neither calls nor writes after an admin has ended all': (scene) =>
    checkEndedSession(scene, async ({ uid }) =>
      scene.call(await scene.signIn('seed-admin'), 'end_sessions', { uid }),
    ),

  'a stolen session of the office proves itself with no number of its own, nor stays': async (
    scene,
  ) => {
    const admin = await scene.createUser({ usertype: 'admin' })
    const own = scene.createPhoneNumber()
    const added = await scene.linkPhone(admin, own)
    const called = await scene.call(added, 'message_settings')
    const saved = await scene.call(added, 'save_user', { id: admin.uid, mobile: own })
    // The owner signs in with the number of the record, which Firebase Auth gives a new account.
    const back = await scene.call(await scene.signInByPhone(admin.mobile), 'ensure_profile')
    const again = await scene.signInByPhone(admin.mobile)
    const later = await scene.signInByPhone(own)
    return firstProblem(
      called.key !== 'session_ended' && `the added number got ${called.key ?? called.status}`,
      saved.key !== 'session_ended' && `the number was saved with ${saved.key ?? saved.status}`,
      back.key !== 'session_ended' && `the owner was answered ${back.key ?? back.status}`,
      again.uid !== admin.uid && 'the owner did not get the account back',
      later.uid === admin.uid && 'the added number still signs in',
    )
  },

  'an old session of an admin ends the sessions of nobody else': async (scene) => {
    const admin = await scene.createUser({ usertype: 'admin' })
    const other = await scene.createUser({ usertype: 'admin' })
    const old = withSignInAt(admin, Date.now() - HOUR_MS)
    const { key } = await scene.call(old, 'end_sessions', { uid: other.uid })
    const back = await scene.call(other, 'end_sessions', { uid: admin.uid })
    return firstProblem(
      key !== 'fresh_sign_in_needed' && `the call was answered with ${key ?? 'success'}`,
      back.status !== 200 && `a fresh session is refused with ${back.key ?? back.status}`,
    )
  },

  'an old session of an admin pays and exports nothing, deletes and adds nobody': async (scene) => {
    const admin = await scene.createUser({ usertype: 'admin' })
    const other = await scene.createUser()
    const old = withSignInAt(admin, Date.now() - HOUR_MS)
    const email = `colleague-${other.uid}@example.com`
    const colleague = { firstName: 'Olga', lastName: 'Paz', email }
    const calls: [name: string, input: object][] = [
      ['complete_withdraw', { withdraw_id: scene.createPushKey() }],
      ['refund_payment', { payment_id: scene.createPushKey() }],
      ['resolve_payment', { payment_id: scene.createPushKey(), how: 'credit' }],
      ['delete_user', { id: other.uid }],
      ['export_bookings', { limit: 10 }],
      ['begin_export', { list: 'rider' }],
      ['save_user', { ...colleague, usertype: 'admin', mobile: scene.createPhoneNumber() }],
      ['save_user', { id: other.uid, bankAccount: '42' }],
    ]
    const keys = await Promise.all(
      calls.map(async ([name, input]) => (await scene.call(old, name, input)).key),
    )
    const others = calls.flatMap(([name], i) =>
      keys[i] === 'fresh_sign_in_needed' ? [] : [`${name} was answered with ${keys[i]}`],
    )
    const isThere = (await scene.database.get(dbPaths.user(other.uid))) !== null
    return firstProblem(...others, !isThere && 'the person was deleted')
  },

  'nobody but an admin ends the sessions of another person': async (scene) => {
    const [eve, other] = [await scene.createUser(), await scene.createUser()]
    const { key } = await scene.call(eve, 'end_sessions', { uid: other.uid })
    const path = `${dbPaths.user(other.uid)}/sessionsEnd`
    await scene.rest(eve, 'PUT', path, Date.now())
    return firstProblem(
      key !== 'not_allowed' && `the call was answered with ${key ?? 'success'}`,
      (await scene.database.get(path)) !== null && 'the sessions of another person have ended',
    )
  },
})
