import type { OutgoingMessage } from './messages'

/** A push that the double accepted, as the local inbox page shows it. */
export interface LocalMessage {
  /** Time of arrival, ms. */
  at: number
  token: string
  /** The whole message of the HTTP v1 API, as JSON. */
  message: string
  /** The JSON that a browser's service worker gets in its `push` event. */
  payload: string
}

/** The storage of a double, newest last. */
export interface LocalMessageStore<Message = LocalMessage> {
  add(message: Message): Promise<void>
  list(): Promise<Message[]>
}

/** A message that the double took, as the local inbox page shows it. */
export interface LocalOutgoing extends OutgoingMessage {
  /** Time of arrival, ms. */
  at: number
}
