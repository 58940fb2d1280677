/**
 * The keys of the message services in local mode. They send nothing: local mode shows each message
 * on a page. The probes of `npm run attack` sign webhooks with the token.
 */
export const LOCAL_MESSAGE_KEYS = {
  sms: { provider: 'twilio', account: 'AC0', token: 'kerbside-local-token', from: '+15005550006' },
} as const
