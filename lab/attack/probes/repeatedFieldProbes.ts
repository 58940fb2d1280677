import { dbPaths } from '~/domain/data/databasePaths'
import { signTwilio } from '~/functions/src/endpoints/messages/webhooks'
import { LOCAL_MESSAGE_KEYS } from '~/scripts/local/localMessageKeys'
import { createProbes, firstProblem } from './probe'
import type { ProbeContext, SignedInAccount } from './probeContext'

/** Sends a body as it is, because JSON.stringify never repeats a field. */
const sendJson = async (
  { urls }: ProbeContext,
  { token }: SignedInAccount,
  name: string,
  body: string,
): Promise<number> => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const { status } = await fetch(`${urls.functions}/${name}`, { method: 'POST', headers, body })
  return status
}

type Fields = readonly (readonly [name: string, value: string])[]

/** Sends an SMS to the webhook as Twilio does, with its signature, and returns the status. */
const sendSms = async ({ urls }: ProbeContext, fields: Fields): Promise<number> => {
  const url = `${urls.functions}/message_webhook/twilio`
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  const signature = signTwilio(url, body, LOCAL_MESSAGE_KEYS.sms.token)
  const headers = { 'X-Twilio-Signature': signature }
  const { status } = await fetch(url, { method: 'POST', headers, body })
  return status
}

const readOptOuts = async ({ database }: ProbeContext): Promise<string> =>
  JSON.stringify(await database.get('internal/message_opt_outs'))

/**
 * Returns forms with the signatures of SMS from `sender`: with a field twice, and with fields that
 * begin elsewhere in the signed text.
 */
const createForgedForms = (sender: string, victim: string): Fields[] => {
  const [stop, from] = [['Body', 'STOP'] as const, ['From', victim] as const]
  return [
    [stop, from, ['From', sender]],
    [stop, ['From', sender], from],
    [['Body', 'Hello'], stop, from],
    [stop, from, [`From${sender}`, '']],
    [stop, from, ['G', `From${sender}FromCityX`]],
    [stop, from, ['GFrom', `${sender}FromCityX`]],
    [stop, ['From', `whatsapp:${victim}`], ['G', `Fromwhatsapp:${sender}`]],
  ]
}

export const repeatedFieldProbes = createProbes('repeated fields', {
  'a link with two tokens opens nothing': async (scene) => {
    const rider = await scene.createUser()
    const driver = await scene.createUser({ usertype: 'driver' })
    const { id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const { body } = await scene.call(rider, 'share_booking', { booking_id: id })
    const { token } = (body as { result: { token: string } }).result
    const once = await scene.get(`track?token=${token}`)
    if (once.status !== 200) throw new Error(`The link does not work: ${JSON.stringify(once.body)}`)
    const queries = [
      `token=${token}&token=${token}`,
      `token=${token}&token=another`,
      `token=another&token=${token}`,
      `token[]=${token}`,
      `token[a]=${token}`,
    ]
    const answers = await Promise.all(queries.map((query) => scene.get(`track?${query}`)))
    const others = queries.filter((_, i) => answers[i]?.status !== 400)
    return others.length > 0
      ? `not refused: ${others.join(', ').replaceAll(token, 'TOKEN')}`
      : undefined
  },

  'a field that comes twice is not checked for one person and written for another': async (
    scene,
  ) => {
    const [eve, other] = [await scene.createUser(), await scene.createUser()]
    const fields = (ids: string) => `{"data":{${ids},"lastName":"Evil"}}`
    const orders = [
      [eve, other],
      [other, eve],
    ].map((pair) => pair.map(({ uid }) => `"id":"${uid}"`).join())
    const bodies = [
      ...orders.map(fields),
      `${fields(`"id":"${eve.uid}"`).slice(0, -1)},"data":{"id":"${other.uid}","lastName":"Evil"}}`,
      `{"data":{"id":"${other.uid}","lastName":"Evil"},${fields(`"id":"${eve.uid}"`).slice(1)}`,
    ]
    const statuses: number[] = []
    for (const body of bodies) statuses.push(await sendJson(scene, eve, 'save_user', body))
    const name = await scene.database.get(`${dbPaths.user(other.uid)}/lastName`)
    return firstProblem(
      name === 'Evil' && 'the name of another person was changed',
      statuses.some((status) => status >= 500) && `answered with ${statuses.join()}`,
    )
  },

  'a signed SMS stops the messages to no other number than that of its sender': async (scene) => {
    const [sender, victim] = [scene.createPhoneNumber(), scene.createPhoneNumber()]
    const before = await readOptOuts(scene)
    const send = (word: string) =>
      sendSms(scene, [
        ['Body', word],
        ['From', sender],
      ])
    const status = await send('STOP')
    if (status !== 200 || (await readOptOuts(scene)) === before)
      throw new Error(`A signed SMS is answered with ${status} and changes nothing.`)
    await send('START')
    const statuses: number[] = []
    for (const form of createForgedForms(sender, victim)) statuses.push(await sendSms(scene, form))
    return firstProblem(
      (await readOptOuts(scene)) !== before && 'an opt-out was stored',
      statuses.some((one) => one !== 403) && `answered with ${statuses.join()}`,
    )
  },
})
