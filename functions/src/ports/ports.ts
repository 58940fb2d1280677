import type { Config } from '../config'
import type { AccountsPort } from './accounts'
import type { ClockPort } from './clock'
import type { DatabasePort } from './database'
import type { FilesPort } from './files'
import type { LazyMaps } from './lazyMaps'
import type { MessagePort } from './messages'
import type { OutboxPort } from './outbox'
import type { PaymentPort } from './payments'
import type { PushPort } from './push'
import type { RandomPort } from './random'
import type { TaskPort } from './tasks'
import type { TextsPort } from './texts'
import type { BookingService } from './bookings'
import type { RefusalCounter } from './refusals'

/** All ports. A handler has those that spend nothing, and those whose costs it declares. */
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
  outbox: OutboxPort
  random: RandomPort
  tasks: TaskPort
  texts: TextsPort
}
