import { firstProblem, createProbes } from './probe'
import type { ProbeResponse } from './probeContext'

/** Returns the problem when a text was not refused with the key. */
const checkRefusal = (what: string, { status, key }: ProbeResponse, expected: string) =>
  key !== expected && `${what} is answered with ${key ?? status}`

/** Names that look like something else, or like nothing. */
const HIDDEN = [
  'Ana\u202egnp.exe',
  'A\u0000na',
  'Ana\nPay here',
  '\u3164',
  '\u2066Ana',
  'A\u200bna',
]
const LINKS = [
  ...['https://evil.example', 'www.evil.example', 'evil.com', 'Evil.Casino', 'Prof.express'],
  ...['pay.x.co', '365.de', 'evil❤.ws', 'приз.москва'],
]

export const wordProbes = createProbes('words', {
  'no name, plate or address has a link or characters that nobody sees': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const rider = await scene.createUser()
    const wordCases = [
      ...HIDDEN.map((words) => [words, 'text_not_allowed'] as const),
      ...LINKS.map((words) => [words, 'link_not_allowed'] as const),
    ]
    const problems: (string | false)[] = []
    for (const [words, key] of wordCases) {
      const named = await scene.call(driver, 'save_user', { firstName: words })
      const plated = await scene.call(driver, 'save_user', { vehicleNumber: words })
      const request = await scene.request(rider)
      const pickup = { ...(request.pickup as object), add: words }
      const booked = await scene.call(rider, 'create_booking', { ...request, pickup })
      const quotedWords = JSON.stringify(words)
      problems.push(
        checkRefusal(`the name ${quotedWords}`, named, key),
        checkRefusal(`the plate ${quotedWords}`, plated, key),
        checkRefusal(`the address ${quotedWords}`, booked, key),
      )
    }
    const plated = await scene.call(driver, 'save_user', { vehicleNumber: 'Win $100' })
    return firstProblem(...problems, checkRefusal('a plate', plated, 'plate_not_allowed'))
  },

  'a note has its own characters, and none that nobody sees': async (scene) => {
    const rider = await scene.createUser()
    const request = await scene.request(rider)
    const hidden = { ...request, deliveryInstructions: 'Ring\u202e twice' }
    return firstProblem(
      checkRefusal('a note', await scene.call(rider, 'create_booking', hidden), 'text_not_allowed'),
    )
  },

  'no reason and no comment leads the driver to a link': async (scene) => {
    const [rider, driver] = [
      await scene.createUser(),
      await scene.createUser({ usertype: 'driver' }),
    ]
    const { id: booking_id } = await scene.createBooking(rider, driver, { event: 'accept' })
    const reason = 'Refund at evil.example'
    const cancellation = { booking_id, event: 'cancel', reason }
    const response = await scene.call(rider, 'advance_booking', cancellation)
    return firstProblem(checkRefusal('a reason', response, 'link_not_allowed'))
  },
})
