import { useTranslation } from 'react-i18next'
import type { Booking, Settings } from '~/domain/entities'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { DataTable } from '~/src/ui/office/DataTable'
import { OfficeTheme } from '~/src/ui/office/OfficeTheme'
import { bookingColumns } from './columns'

/** The specification's table of one's own bookings, with the columns of whoever is signed in. */
export const BookingsTable = ({
  label,
  rows,
  settings,
}: {
  label: string
  rows: Booking[]
  settings: Settings | null
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const usertype = useAppSelector(selectProfile)?.usertype ?? 'rider'
  return (
    <OfficeTheme>
      <DataTable
        label={label}
        rows={rows}
        columns={bookingColumns({ t, format, usertype, settings })}
        search={(b) =>
          [b.booking_id, b.pickupAddress, b.dropAddress, b.driver_name, b.customer_name].join(' ')
        }
        actions={(b) => (
          <ButtonLink size="small" to={screens.booking(b.id)}>
            {t('open')}
          </ButtonLink>
        )}
      />
    </OfficeTheme>
  )
}
