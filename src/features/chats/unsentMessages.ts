import type { ChatMessage } from '~/domain/messages/types'

/** A message that the database has not confirmed; the server adds its time. */
export interface UnsentMessage {
  booking_id: string
  /** Created by the sender's page, so that sending again writes the same message. */
  key: string
  message: Omit<ChatMessage, 'at'>
}

const toPrefix = (uid: string) => `kerbside.message.${uid}.`

const loadMessage = (name: string): UnsentMessage[] => {
  try {
    return [JSON.parse(localStorage.getItem(name) ?? '') as UnsentMessage]
  } catch {
    // A damaged entry must not keep the others from being sent.
    return []
  }
}

/** Returns the messages of a person that this device has stored, oldest first. */
export const loadUnsentMessages = (uid: string): UnsentMessage[] => {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(toPrefix(uid)))
      .sort()
      .flatMap(loadMessage)
  } catch {
    // A browser that blocks storage has stored none.
    return []
  }
}

/** Stores a message on this device. Without room, only this page keeps it. */
export const saveUnsentMessage = (unsent: UnsentMessage) => {
  try {
    const name = toPrefix(unsent.message.from) + unsent.key
    localStorage.setItem(name, JSON.stringify(unsent))
  } catch {
    // The page still sends it while it is open.
  }
}

export const deleteUnsentMessage = ({ key, message: { from } }: UnsentMessage) => {
  try {
    localStorage.removeItem(toPrefix(from) + key)
  } catch {
    // Nothing was stored.
  }
}
