import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { liveBooking } from '~/src/features/bookings/bookings'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { ChatThread } from '~/src/features/chats/ChatThread'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Icon } from '~/src/ui/Icon'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { useDriverTexts } from '../driverTexts'
import css from './ChatPage.module.css'

const QUICK_REPLY_KEYS = ['quick_coming', 'quick_here', 'quick_where', 'quick_traffic']

/** Renders the chat of one booking for its rider, its driver and the back office. */
export const ChatPage = () => {
  useDriverTexts()
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const user = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { booking, loading } = useLive(liveBooking, id)
  if (!user || !settings || loading)
    return (
      <div className={css.page}>
        <SkeletonLines lines={4} />
      </div>
    )
  if (!booking) return <EmptyState title={t('chat_not_found')} />
  const isDriver = user.usertype === 'driver'
  const other = isDriver ? booking.customer_name : (booking.driver_name ?? t('driver'))
  return (
    <div className={css.page}>
      <header className={css.head}>
        <Link to={isDriver ? screenPaths.trips : screenPaths.booking(id)} aria-label={t('back')}>
          <Icon name="back" size={24} />
        </Link>
        <h1>{other}</h1>
        <BookingStatus status={booking.status} />
      </header>
      <ChatThread
        booking={{ ...booking, id }}
        user={user}
        timezone={settings.timezone}
        quick={isDriver ? QUICK_REPLY_KEYS.map((key) => t(key)) : []}
      />
    </div>
  )
}
