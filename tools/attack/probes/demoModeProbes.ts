import { dbPaths } from '~/domain/databasePaths'
import { type PanicAlert, toPanicAlertId } from '~/domain/messages/officeAlert'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext } from './probeContext'

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

export const demoModeProbes = createProbes('demo mode', {
  'a visitor of a demo neither takes nor closes an emergency': async (scene) => {
    const [rider, admin] = [await scene.createUser(), await scene.signIn('seed-admin')]
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id: booking_id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const panic = { panic_id: scene.createPushKey(), booking_id }
    const raised = await scene.call(rider, 'raise_panic', panic)
    if (raised.status !== 200) throw new Error(JSON.stringify(raised.body))
    const path = dbPaths.officeAlert(toPanicAlertId(booking_id, rider.uid))
    const { revision } = (await scene.database.get(path)) as PanicAlert
    const answer = (how: 'take' | 'close') =>
      scene.call(admin, 'answer_panic', { booking_id, uid: rider.uid, how, revision })
    const keys = await inDemoMode(scene, async () => {
      const taken = await answer('take')
      const closed = await answer('close')
      await scene.rest(admin, 'DELETE', path)
      return [taken.key, closed.key]
    })
    const alert = (await scene.database.get(path)) as PanicAlert | null
    await answer('close')
    return firstProblem(
      alert === null && 'the emergency is gone',
      alert?.taken_by !== undefined && 'the alarm of the office has ended',
      keys.some((key) => key !== 'demo_mode') && `the calls were answered with ${keys.join()}`,
    )
  },
})
