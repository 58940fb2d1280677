import { useCancellationReasons } from '~/src/features/cancellationReasons/useCancellationReasons'
import { InboxBell } from '~/src/features/inbox/InboxBell'

/** Shows the inbox, with the office's cancellation reasons in the user's language. */
export const InboxButton = () => <InboxBell reasons={useCancellationReasons().reasons} />
