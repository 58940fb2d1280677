import { createBasicHeader, getListAt, getTextAt } from '../payments/providerHttp'
import {
  callService,
  queryService,
  toRefusal,
  type AdapterDeps,
  type MessageAdapter,
} from './adapter'

export interface TwilioKeys {
  account: string
  token: string
  /** The sender's number, or a messaging service that begins with MG. */
  from: string
}

/** The person has answered STOP to an earlier message. */
const UNSUBSCRIBED = '21610'
/** Messages to one number that are compared after a lost reply; the newest come first. */
const COMPARED = '20'
/** Twilio's clock may differ from ours. */
const CLOCK_TOLERANCE_MS = 60_000

/** SMS through Twilio's REST API, version 2010-04-01. */
export const createTwilio = (
  { account, token, from }: TwilioKeys,
  deps: AdapterDeps,
): MessageAdapter => {
  const url = `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`
  const headers = createBasicHeader(account, token)
  const sender: Record<string, string> = from.startsWith('MG')
    ? { MessagingServiceSid: from }
    : { From: from }
  return {
    async send({ to, text }) {
      const reply = await callService(deps, url, {
        form: { To: to, ...sender, Body: text },
        headers,
      })
      if (reply.status === 201) return { state: 'sent', ref: getTextAt(reply.json, 'sid') }
      const refusal = toRefusal('twilio', reply, 'code')
      return refusal.state === 'rejected' && getTextAt(reply.json, 'code') === UNSUBSCRIBED
        ? { ...refusal, isOptedOut: true }
        : refusal
    },
    // Twilio has no idempotency keys. The text has the booking's details, so the same text to the
    // same number since the first attempt is the same message.
    async find({ to, text }, since) {
      const query = new URLSearchParams({ To: to, PageSize: COMPARED })
      const json = await queryService(deps, `${url}?${query.toString()}`, headers)
      const matchingMessage = getListAt(json, 'messages').find(
        (message) =>
          getTextAt(message, 'body') === text &&
          getTextAt(message, 'direction').startsWith('outbound') &&
          Date.parse(getTextAt(message, 'date_created')) >= since - CLOCK_TOLERANCE_MS,
      )
      return matchingMessage === undefined ? null : getTextAt(matchingMessage, 'sid')
    },
  }
}
