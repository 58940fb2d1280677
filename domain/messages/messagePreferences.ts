import {
  findMessageRow,
  MESSAGE_TABLE,
  OUTSIDE_CHANNELS,
  type Audience,
  type MessageEvent,
  type OutsideChannel,
} from './messageTable'
import type { UserType } from '../access/types'

/** The optional messages that a person has turned off. */
export interface MessagePreferences {
  off?: Record<string, true>
  revision: number
}

type PreferenceChannel = 'push' | OutsideChannel

/** An optional message by one channel, which a person can turn off. */
interface MessagePreference {
  key: string
  event: MessageEvent
  channel: PreferenceChannel
}

export const toPreferenceKey = (event: string, channel: PreferenceChannel): string =>
  `${event}-${channel}`

const AUDIENCES_OF: Readonly<Record<UserType, readonly Audience[]>> = {
  rider: ['rider', 'guest', 'account'],
  driver: ['driver', 'account'],
  fleetadmin: ['account'],
  admin: ['account'],
}

/** Returns the optional messages that people of a type can receive. The others always go out. */
export const getMessagePreferences = (usertype: UserType): MessagePreference[] =>
  (Object.keys(MESSAGE_TABLE) as MessageEvent[]).flatMap((event) => {
    const rows = AUDIENCES_OF[usertype].flatMap((audience) => findMessageRow(event, audience) ?? [])
    const optional = rows.filter((row) => row.optional)
    const channels: PreferenceChannel[] = [
      ...(optional.some(({ screen }) => screen) ? (['push'] as const) : []),
      ...OUTSIDE_CHANNELS.filter((channel) => optional.some((row) => row[channel])),
    ]
    return channels.map((channel) => ({ key: toPreferenceKey(event, channel), event, channel }))
  })

/** Returns the event of a push by the key of its title, if a person of any type can turn it off. */
export const findOptionalPush = (title: string): string | undefined => {
  const [, event = ''] = /^push_(\w+)_title$/.exec(title) ?? []
  const audiences = new Set(Object.values(AUDIENCES_OF).flat())
  return [...audiences].some((audience) => findMessageRow(event, audience)?.optional)
    ? event
    : undefined
}
