import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { bookingColumns } from '~/src/features/bookings/columns'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { DataTable } from '~/src/ui/office/DataTable'
import { OfficeTheme } from '~/src/ui/office/OfficeTheme'

/** The specification's table of the driver's own bookings. */
export const DriverBookingsTable = ({ rows }: { rows: Booking[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  return (
    <OfficeTheme>
      <DataTable
        label={t('menu_bookings')}
        rows={rows}
        columns={bookingColumns({ t, format, usertype: 'driver', settings })}
        search={(b) => `${b.booking_id} ${b.pickupAddress} ${b.dropAddress} ${b.customer_name}`}
        actions={(b) => (
          <ButtonLink size="small" to={screens.booking(b.id)}>
            {t('open')}
          </ButtonLink>
        )}
      />
    </OfficeTheme>
  )
}
