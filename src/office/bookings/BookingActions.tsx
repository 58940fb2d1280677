import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { getAllowedActions } from './allowedActions'
import { useOpenBookingDialog } from './BookingDialogs'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Renders the buttons of what the user may do with a booking; nothing when that is nothing. */
export const BookingActions = ({
  booking,
  profile,
  settings,
  isSmall = false,
  className,
}: {
  booking: Booking
  profile: User
  settings: Settings
  /** True beside a list, where no button stands out. */
  isSmall?: boolean
  className: string | undefined
}) => {
  const { t } = useTranslation()
  const ask = useOpenBookingDialog()
  const { assign, amend, release, step, no_show, cancel } = getAllowedActions(
    booking,
    profile,
    settings,
  )
  if (!assign && !amend && !release && !step && !no_show && !cancel) return null
  const size = isSmall && ({ size: 'small' } as const)
  return (
    <div className={className}>
      {assign && (
        <Button
          {...size}
          {...(!isSmall && { variant: 'primary' as const })}
          onClick={() => ask('assign', booking.id)}
        >
          {t('assign_driver')}
        </Button>
      )}
      {amend && (
        <Button {...size} onClick={() => ask('amend', booking.id)}>
          {t('change_booking')}
        </Button>
      )}
      {release && (
        <Button {...size} onClick={() => ask('release', booking.id)}>
          {t('release_booking')}
        </Button>
      )}
      {step && (
        <Button {...size} onClick={() => ask('step', booking.id)}>
          {t(`step_${step}`)}
        </Button>
      )}
      {no_show && (
        <Button {...size} variant="danger" onClick={() => ask('no_show', booking.id)}>
          {t('no_show_booking')}
        </Button>
      )}
      {cancel && (
        <Button {...size} variant="danger" onClick={() => ask('cancel', booking.id)}>
          {t('cancel_booking')}
        </Button>
      )}
    </div>
  )
}
