import { internalPaths } from '~/domain/data/internalPaths'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

/** Numbers of a country that is not the demo city's; the office sees the last two digits. */
const FOREIGN_NUMBERS = ['+44 7700 900177', '+44 7700 900277', '+44 7700 900377']
const SEEN_OF_FOREIGN_NUMBER = '…77'

/** The largest number of runs of the job until the messages of a booking are done. */
const MAX_RUNS = 20

/** Returns the messages to the recipients of a booking, once they are sent or refused. */
const listRecipientMessages = async (
  scene: ProbeContext,
  booking: string,
): Promise<OutboxMessage[]> => {
  const admin = await scene.signIn('seed-admin')
  for (let run = 0; run < MAX_RUNS; run++) {
    await scene.call(admin, 'run_sweep')
    const outbox = (await scene.database.get(internalPaths.outbox)) as Record<
      string,
      OutboxMessage
    > | null
    const messages = Object.values(outbox ?? {}).filter(
      ({ booking_id, audience }) => booking_id === booking && audience === 'recipient',
    )
    const isBusy = messages.some(({ state }) => state === 'waiting' || state === 'claimed')
    if (!isBusy) return messages
  }
  throw new Error('The messages of the booking are not done.')
}

const changeRecipient = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  booking_id: string,
  deliveryPersonPhone: string,
): Promise<void> => {
  const amendment = { booking_id, event: 'amend', deliveryPersonPhone }
  const { status, body } = await scene.call(rider, 'advance_booking', amendment)
  if (status !== 200) throw new Error(JSON.stringify(body))
}

export const messageProbes = createProbes('messages', {
  'a rider and a driver cause no SMS to another country': async (scene) => {
    const rider = await scene.createUser()
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    for (const number of FOREIGN_NUMBERS) {
      await changeRecipient(scene, rider, id, number)
      await listRecipientMessages(scene, id)
    }
    const messages = await listRecipientMessages(scene, id)
    const refused = messages.filter(({ why }) => why === 'country')
    return firstProblem(
      messages.some(({ to }) => to === SEEN_OF_FOREIGN_NUMBER) &&
        'an SMS went to a number of another country',
      refused.length < FOREIGN_NUMBERS.length &&
        `${refused.length} of ${FOREIGN_NUMBERS.length} messages were refused for their country`,
    )
  },

  'changes of the own address warn the earlier one three times a day': async (scene) => {
    const rider = await scene.createUser()
    for (let n = 1; n <= 4; n++) {
      const email = `probe${n}-${rider.uid}@example.com`
      const { status, key } = await scene.call(rider, 'save_user', { id: rider.uid, email })
      if (key === 'too_many_changes') return n === 4 ? undefined : `change ${n} is refused`
      if (status !== 200) throw new Error(`save_user: ${key ?? status}`)
    }
    return 'four changes in a row were made'
  },
})
