import { Button } from '~/src/ui/controls'
import { useBookingActions } from './row/useBookingMenu'
import type { Booking } from '~/domain/booking/types'

/** Renders the buttons of what the user may do with a booking; nothing when that is nothing. */
export const BookingActions = ({
  booking,
  isSmall = false,
  className,
}: {
  booking: Booking
  /** True beside a list, where no button stands out. */
  isSmall?: boolean
  className: string | undefined
}) => {
  const actions = useBookingActions()(booking)
  if (actions.length === 0) return null
  return (
    <div className={className}>
      {actions.map(({ name, label, isDangerous, onAct }) => (
        <Button
          key={name}
          {...(isSmall && { size: 'small' as const })}
          {...(isDangerous
            ? { variant: 'danger' as const }
            : name === 'assign' && !isSmall && { variant: 'primary' as const })}
          onClick={onAct}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
