import type { Config } from '../config'
import type { AccountsPort } from './accounts'
import type { ClockPort } from './clock'
import type { DatabasePort } from './database'
import type { FilesPort } from './files'
import type { LazyMaps } from './lazyMaps'
import type { MessagePort } from './messages'
import type { PaymentPort } from './payments'
import type { PushPort } from './push'
import type { RandomPort } from './random'
import type { TaskPort } from './tasks'
import type { TextsPort } from './texts'
import type { BookingService } from './bookings'
import type { RefusalCounter } from './refusals'

/** The ports that a handler may use. */
export interface Ports {
  config: Config
  db: DatabasePort
  bookings: BookingService
  clock: ClockPort
  maps: LazyMaps
  accounts: AccountsPort
  files: FilesPort
  payments: PaymentPort
  push: PushPort
  refusals: RefusalCounter
  messages: MessagePort
  random: RandomPort
  tasks: TaskPort
  texts: TextsPort
}
