export interface ChatMessage {
  message: string
  /** The sender's uid. */
  from: string
  type: 'msg'
  msgDate: string
  msgTime: string
  source: 'rider' | 'driver'
  at: number
}

/** The notice of new messages to one party of a chat. */
export interface ChatNotice {
  /** The key of the entry in the party's inbox; a new notice replaces it. */
  entry: string
  /** Times of the last message and the last push, ms. */
  at: number
  pushed_at: number
  /** Increases by one with every change. */
  revision: number
}

export interface PushNotification {
  id: string
  devicetype: 'All' | 'ANDROID' | 'IOS'
  usertype: 'All' | 'rider' | 'driver'
  title: string
  body: string
  createdAt: number
}

export const APP_SCREENS = ['BookedCab', 'onlineChat', 'Wallet', 'DriverTrips', 'Profile'] as const

export type AppScreen = (typeof APP_SCREENS)[number]

/** A push as shown in the recipient's inbox. Texts are translation keys with their parameters. */
export interface InboxEntry {
  title: string
  msg: string
  params?: Record<string, string | number>
  screen: AppScreen
  booking_id?: string
  at: number
  read?: boolean
}

/** A phone number or an e-mail address that gets no messages; only functions read it. */
export interface MessageOptOut {
  /** ms */
  at: number
  /** The person answered STOP, or the e-mail service reported the address or a complaint. */
  why: 'stop' | 'bounce' | 'complaint'
  revision: number
}
