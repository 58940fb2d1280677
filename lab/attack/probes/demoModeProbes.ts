import { dbPaths } from '~/domain/data/databasePaths'
import { type PanicAlert, toPanicAlertId } from '~/domain/messages/officeAlert'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

/** Runs `act` in demo mode, then restores the setting. */
const inDemoMode = async <Result>(
  scene: ProbeContext,
  act: () => Promise<Result>,
): Promise<Result> => {
  const setting = 'settings/AllowCriticalEditsAdmin'
  const before = (await scene.database.get(setting)) as boolean | null
  await scene.database.put(setting, false)
  try {
    return await act()
  } finally {
    await scene.database.put(setting, before)
  }
}

/** Reads contacts by each way that an account of the office has; returns the ways that worked. */
const readContacts = async (
  scene: ProbeContext,
  office: SignedInAccount,
  { rider, booking, own }: { rider: string; booking: string; own: string },
): Promise<string[]> => {
  const attempts: (readonly [path: string, query?: string])[] = [
    [`users/${rider}`],
    [`users/${rider}/mobile`],
    [`users/${rider}/email`],
    [`people/${rider}`],
    [`booking_contacts/${booking}`],
    [`booking_contacts/${booking}/customer_contact`],
    ['people', `orderBy="mobile"&limitToFirst=10`],
    ['people', `orderBy="fleetadmin"&equalTo="${own}"`],
    ['users', `orderBy="mobile"&limitToFirst=10`],
    ['users', `orderBy="fleetadmin"&equalTo="${own}"`],
    ['booking_contacts', `orderBy="$key"&limitToFirst=10`],
  ]
  const worked: string[] = []
  for (const [path, query] of attempts) {
    const { status } = await scene.rest(office, 'GET', path, undefined, query)
    if (status === 200) worked.push(path)
  }
  return worked
}

export const demoModeProbes = createProbes('demo mode', {
  'a visitor of a demo reads no contacts past the screens': async (scene) => {
    const admin = await scene.signIn('seed-admin')
    const fleet = await scene.createUser({ usertype: 'fleetadmin' })
    const rider = await scene.createUser()
    const driver = await scene.createUser({ usertype: 'driver', fleetadmin: fleet.uid })
    const { id: booking } = await scene.createBooking(rider, driver, { event: 'accept' })
    const places = { rider: rider.uid, booking, own: fleet.uid }
    const results = await inDemoMode(scene, async () => ({
      admin: await readContacts(scene, admin, places),
      fleet: await readContacts(scene, fleet, { ...places, rider: driver.uid }),
      listing: await scene.call(admin, 'list_people', {}),
      lookup: await scene.call(admin, 'find_caller', { uid: rider.uid }),
      name: await scene.rest(admin, 'GET', `users/${rider.uid}/firstName`),
      own: await scene.rest(rider, 'GET', `users/${rider.uid}`),
    }))
    const { listing, lookup } = results
    const answers = JSON.stringify([listing.body, lookup.body])
    return firstProblem(
      results.admin.length > 0 && `an admin read ${results.admin.join()}`,
      results.fleet.length > 0 && `a fleet admin read ${results.fleet.join()}`,
      (listing.status !== 200 || lookup.status !== 200) && 'the office lists and finds nobody',
      answers.includes(rider.mobile) && 'a call returned a phone number',
      results.name.status !== 200 && 'the office no longer reads names',
      results.own.status !== 200 && 'a rider no longer reads their own record',
    )
  },

  'a visitor of a demo neither takes nor closes an emergency': async (scene) => {
    const [rider, admin] = [await scene.createUser(), await scene.signIn('seed-admin')]
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id: booking_id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const panic = { panic_id: scene.createPushKey(), booking_id }
    const raised = await scene.call(rider, 'raise_panic', panic)
    if (raised.status !== 200) throw new Error(JSON.stringify(raised.body))
    const path = dbPaths.officeAlert(toPanicAlertId(booking_id, rider.uid))
    const { revision } = (await scene.database.get(path)) as PanicAlert
    const answerPanic = (how: 'take' | 'close') =>
      scene.call(admin, 'answer_panic', { booking_id, uid: rider.uid, how, revision })
    const keys = await inDemoMode(scene, async () => {
      const takeResponse = await answerPanic('take')
      const closeResponse = await answerPanic('close')
      await scene.rest(admin, 'DELETE', path)
      return [takeResponse.key, closeResponse.key]
    })
    const alert = (await scene.database.get(path)) as PanicAlert | null
    await answerPanic('close')
    return firstProblem(
      alert === null && 'the emergency is gone',
      alert?.taken_by !== undefined && 'the alarm of the office has ended',
      keys.some((key) => key !== 'demo_mode') && `the calls were answered with ${keys.join()}`,
    )
  },
})
