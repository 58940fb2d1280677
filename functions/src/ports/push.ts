import type { Push } from '~/domain/booking/change'

/** Takes a push to the receiver's phone. What he sees in the app is in his inbox already. */
export interface PushPort {
  /** Never rejects: a phone that is off must not fail the booking that was changed. */
  send(token: string, push: Omit<Push, 'to'>): Promise<void>
}

/** Local mode: the inbox, shown in the app, is all there is. */
export const inboxOnly: PushPort = { send: () => Promise.resolve() }
