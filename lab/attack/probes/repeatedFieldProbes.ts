import { dbPaths } from '~/domain/data/databasePaths'
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
})
