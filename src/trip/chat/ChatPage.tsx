import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { booking as liveBooking } from '~/src/features/bookings/bookings'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { ChatThread } from '~/src/features/chats/ChatThread'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Icon } from '~/src/ui/Icon'
import { EmptyState, SkeletonLines } from '~/src/ui/states'
import { useTripTexts } from '../texts'
import css from './ChatPage.module.css'

const QUICK = ['quick_coming', 'quick_here', 'quick_where', 'quick_traffic']

/** The chat of one booking, for its rider, its driver and the office. */
export const ChatPage = () => {
  useTripTexts()
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
        <Link to={isDriver ? screens.trips : screens.booking(id)} aria-label={t('back')}>
          <Icon name="back" size={24} />
        </Link>
        <h1>{other}</h1>
        <BookingStatus status={booking.status} />
      </header>
      <ChatThread
        booking={{ ...booking, id }}
        user={user}
        timezone={settings.timezone}
        quick={isDriver ? QUICK.map((key) => t(key)) : []}
      />
    </div>
  )
}
