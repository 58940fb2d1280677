import { toJson } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import { formatDay } from '~/domain/language/zonedTime'
import {
  toTotalKey,
  type MessageSettings,
  type MessageTotal,
} from '~/domain/messages/messageSettings'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { DEFAULT_DAILY_LIMITS } from '~/domain/messages/sendingLimits'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

/** Numbers of a country that is not the demo city's; the office sees the last two digits. */
const FOREIGN_NUMBERS = ['+44 7700 900177', '+44 7700 900277', '+44 7700 900377']
const SEEN_OF_FOREIGN_NUMBER = '…77'

/** A number of the demo city's country. */
const OWN_NUMBER = '099 765 431'

const PAID_TRIP = [
  { event: 'accept' },
  { event: 'arrive', lat: -34.9055, lng: -56.1913 },
  { event: 'start' },
  { event: 'reach', lat: -34.8855, lng: -56.1813 },
  { event: 'finish' },
  { event: 'collect' },
]

/** The largest number of runs of the job until the messages of a booking are done. */
const MAX_RUNS = 20

/** Returns the messages of a booking to an audience, once they are sent or refused. */
const listMessages = async (
  scene: ProbeContext,
  booking: string,
  to: OutboxMessage['audience'] = 'recipient',
): Promise<OutboxMessage[]> => {
  const admin = await scene.signIn('seed-admin')
  for (let run = 0; run < MAX_RUNS; run++) {
    await scene.call(admin, 'run_sweep')
    const outbox = (await scene.database.get(internalPaths.outbox)) as Record<
      string,
      OutboxMessage
    > | null
    const messages = Object.values(outbox ?? {}).filter(
      ({ booking_id, audience }) => booking_id === booking && audience === to,
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

/** Lets a rider cause an SMS to a number of the own country, and returns why it is not sent. */
const findRefusalOfSms = async (
  scene: ProbeContext,
  rider: SignedInAccount,
  booking: string,
): Promise<string> => {
  const before = await listMessages(scene, booking)
  await changeRecipient(scene, rider, booking, OWN_NUMBER)
  const messages = await listMessages(scene, booking)
  const last = messages.toSorted((a, b) => a.at - b.at).at(-1)
  if (!last || messages.length === before.length)
    throw new Error(`No SMS was prepared: ${JSON.stringify(messages)}`)
  return last.why ?? last.state
}

const readPlatform = async ({ database }: ProbeContext) => ({
  timezone: String(await database.get('settings/timezone')),
  code: String(await database.get('settings/code')),
})

/** Returns the counter of the messages of today that this rider or driver causes. */
const getCounterPath = async (
  scene: ProbeContext,
  subject: 'customer' | 'driver',
  { uid }: SignedInAccount,
): Promise<string> => {
  const { timezone } = await readPlatform(scene)
  return internalPaths.messageCount(`${formatDay(Date.now(), timezone)}_${subject}_${uid}`)
}

/** Runs `act` with a monthly budget that is used up, then restores the settings and the total. */
const withoutBudget = async <Result>(
  scene: ProbeContext,
  act: () => Promise<Result>,
): Promise<Result> => {
  const { database } = scene
  const totalPath = internalPaths.messageTotal(toTotalKey(Date.now(), await readPlatform(scene)))
  const paths = [internalPaths.messageSettings, totalPath]
  const [rules, total] = (await Promise.all(paths.map((path) => database.get(path)))) as [
    MessageSettings | null,
    MessageTotal | null,
  ]
  const spent = { revision: 1, ...total, micros: 1_000_000 }
  const limited = { revision: 1, ...rules, budget: 1, price: { sms: 10 } }
  try {
    await database.put(totalPath, toJson(spent))
    await database.put(internalPaths.messageSettings, toJson(limited))
    return await act()
  } finally {
    await database.put(internalPaths.messageSettings, rules && toJson(rules))
    await database.put(totalPath, total && toJson(total))
  }
}

/** Returns the e-mails that local mode would have sent to an address. */
const listEmails = async (
  scene: ProbeContext,
  address: string,
): Promise<{ text: string; html?: string }[]> => {
  const { body } = await scene.get('local_messages?format=json')
  const messages = body as { channel?: string; to: string; text: string; html?: string }[]
  return messages.filter(({ channel, to }) => channel === 'email' && to === address)
}

export const messageProbes = createProbes('messages', {
  'a rider and a driver cause no SMS to another country': async (scene) => {
    const rider = await scene.createUser()
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    for (const number of FOREIGN_NUMBERS) {
      await changeRecipient(scene, rider, id, number)
      await listMessages(scene, id)
    }
    const messages = await listMessages(scene, id)
    const refused = messages.filter(({ why }) => why === 'country')
    return firstProblem(
      messages.some(({ to }) => to === SEEN_OF_FOREIGN_NUMBER) &&
        'an SMS went to a number of another country',
      refused.length < FOREIGN_NUMBERS.length &&
        `${refused.length} of ${FOREIGN_NUMBERS.length} messages were refused for their country`,
    )
  },

  'a rider and a driver cause no more SMS than their limits of a day': async (scene) => {
    const reasons: string[] = []
    for (const subject of ['customer', 'driver'] as const) {
      const rider = await scene.createUser()
      const driver = await scene.createUser({ usertype: 'driver' })
      const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
      await listMessages(scene, id)
      const path = await getCounterPath(scene, subject, subject === 'driver' ? driver : rider)
      const before = (await scene.database.get(path)) as object | null
      const used = { due: Date.now(), revision: 1, ...before, count: DEFAULT_DAILY_LIMITS[subject] }
      await scene.database.put(path, used)
      reasons.push(await findRefusalOfSms(scene, rider, id))
    }
    return reasons.every((reason) => reason === 'daily_limit')
      ? undefined
      : `beyond the limits of rider and driver, the SMS are ${reasons.join(' and ')}`
  },

  'a rider causes no SMS beyond the budget of the month': async (scene) => {
    const rider = await scene.createUser()
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    await listMessages(scene, id)
    const reason = await withoutBudget(scene, () => findRefusalOfSms(scene, rider, id))
    return reason === 'budget' ? undefined : `beyond the budget, the SMS is ${reason}`
  },

  'a receipt takes no words of rider or driver to an address that nobody verified': async (
    scene,
  ) => {
    const email = `receipt-${scene.createPushKey().toLowerCase()}@example.com`
    const rider = await scene.createUser({ email })
    const names = { firstName: 'Wins', lastName: 'Prizes', vehicleNumber: 'CALL 555' }
    const driver = await scene.createUser({ usertype: 'driver', ...names })
    const { id, pickup, reference } = await scene.createBooking(rider, driver, ...PAID_TRIP)
    await listMessages(scene, id, 'rider')
    const receipts = (await listEmails(scene, email)).filter(({ text }) => text.includes(reference))
    if (receipts.length === 0) throw new Error('No e-mail was sent to the address.')
    const chosenWords = [pickup.add, ...Object.values(names)]
    const sentText = receipts.map(({ text, html = '' }) => `${text}${html}`).join()
    const sentWords = chosenWords.filter((words) => sentText.includes(words))
    return sentWords.length > 0
      ? `an e-mail to an unverified address has the words ${sentWords.join(', ')}`
      : undefined
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
