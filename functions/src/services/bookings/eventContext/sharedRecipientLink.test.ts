import { describe, expect, it } from 'vitest'
import { buildOutboxUpdates, type OutboxMessage } from '~/domain/messages/outbox'
import { aBooking, rider, someBookingContacts } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { share_booking } from '../../../endpoints/bookings/shareBooking'
import { track } from '../../../endpoints/bookings/track'
import { getRecipientLinkName } from '../shareLinks'
import {
  createProjectPorts,
  createRequestContext,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../../testing/testPorts'
import type { Booking } from '~/domain/booking/types'

const ID = aBooking().id
const [WRONG, RIGHT] = ['099 123 456', '099 765 432']
const accept = {
  event: 'accept',
  by: 'driver',
  at: TEST_NOW,
  status: 'ACCEPTED',
  revision: 1,
} as const
const SHARE = {
  booking: ID,
  level: 'live',
  at: TEST_NOW,
  expires: TEST_NOW + HOUR_MS,
} as const

/** A booking under way whose customer has the live link `token`, and the recipient's message. */
const aParcel = async (
  state: OutboxMessage['state'] = 'sent',
  { booking = {}, hasOwnLink = false }: { booking?: Partial<Booking>; hasOwnLink?: boolean } = {},
) => {
  const given = createProjectPorts({
    bookings: {
      [ID]: aBooking({
        status: 'ACCEPTED',
        driver: 'driver',
        accepted_at: TEST_NOW,
        event_log: { accept },
        ...booking,
      }),
    },
    booking_contacts: { [ID]: { ...someBookingContacts(), deliveryPersonPhone: WRONG } },
    shares: { token: { ...SHARE, by: 'rider' } },
    share_links: { [ID]: { rider: { live: 'token' } } },
  })
  const told = { event: 'parcel_sent', audience: 'recipient', booking_id: ID } as const
  const updates = buildOutboxUpdates({ scope: `${ID}-1`, ...told, at: TEST_NOW, now: TEST_NOW })
  for (const [path, message] of Object.entries(updates))
    given.db.put({ [path]: { ...(message as object), state } })
  if (hasOwnLink) {
    const name = getRecipientLinkName(given.config, ID, WRONG)
    given.db.put({
      'shares/own': { ...SHARE, by: name },
      [`share_links/${ID}/${name}/live`]: 'own',
    })
  }
  const correct = (deliveryPersonPhone = RIGHT) =>
    given.bookings.applyEvent(ID, { event: 'amend', deliveryPersonPhone }, rider)
  const open = (token: string) =>
    track.handle({ token }, { ...createRequestContext(null, given), now: TEST_NOW })
  return { given, correct, open }
}

describe('the customer’s link that an earlier release sent to the recipient', () => {
  it.each(['sent', 'claimed'] as const)(
    'ends in the write that corrects the number, when the message is %s',
    async (state) => {
      const { given, correct, open } = await aParcel(state)
      expect(await open('token')).toMatchObject({ level: 'live' })
      const commits = given.db.getCommitCount()
      await correct()
      expect(given.db.getCommitCount()).toBe(commits + 1)
      expect(await getErrorKey(open('token'))).toBe('not_found')
    },
  )

  it('ends once when the correction comes twice, and the customer gets a new one', async () => {
    const { given, correct, open } = await aParcel()
    await Promise.allSettled([correct(), correct(), correct()])
    expect(given.db.at('shares/token/revoked')).toBe(true)
    const request = { booking_id: ID, level: 'live', hours: 2 } as const
    const answer = await share_booking.handle(request, createUserContext('rider', 'rider', given))
    expect(answer.token).not.toBe('token')
    expect(await open(answer.token)).toMatchObject({ level: 'live' })
  })

  it('ends when another process revokes it during the correction', async () => {
    const { given, correct } = await aParcel()
    const request = { booking_id: ID, level: 'live', hours: 2, revoke: 'token' } as const
    const revoke = share_booking.handle(request, createUserContext('rider', 'rider', given))
    await Promise.all([revoke, correct()])
    expect(given.db.at('shares/token/revoked')).toBe(true)
    expect(given.db.at(`booking_contacts/${ID}/deliveryPersonPhone`)).toBe(RIGHT)
  })
})

describe('the customer’s own link', () => {
  it.each<[string, Parameters<typeof aParcel>]>([
    ['the recipient has a link of their own', ['sent', { hasOwnLink: true }]],
    ['the recipient’s message has not been sent', ['waiting']],
    ['the recipient’s message was skipped', ['skipped']],
    ['no driver has accepted', ['sent', { booking: { event_log: {} } }]],
  ])('stays when %s', async (_, setup) => {
    const { correct, open } = await aParcel(...setup)
    await correct()
    expect(await open('token')).toMatchObject({ level: 'live' })
  })

  it('stays when the number stays', async () => {
    const { given, open, correct } = await aParcel()
    await correct(WRONG)
    await given.bookings.applyEvent(ID, { event: 'amend', pickUpInstructions: 'Ring twice' }, rider)
    expect(await open('token')).toMatchObject({ level: 'live' })
  })
})
