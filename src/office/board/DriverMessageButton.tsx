import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { OfficeMessageDialog } from '~/src/widgets/OfficeMessageDialog'
import { useOfficeSession } from '../useOfficeSession'

/** Writes to the chosen driver, or to all on duty when none is chosen. */
export const DriverMessageButton = ({
  driver,
}: {
  driver: { id: string; name: string } | undefined
}) => {
  const { t } = useTranslation()
  const { canOrNotify, notify } = useOfficeSession()
  const [isOpen, setOpen] = useState(false)
  const title = driver
    ? t('message_driver', { name: driver.name || driver.id })
    : t('message_all_drivers')
  return (
    <>
      <IconButton label={title} onClick={() => canOrNotify('driver_message') && setOpen(true)}>
        <Icon name="chat" size={18} />
      </IconButton>
      {isOpen && (
        <OfficeMessageDialog
          title={title}
          driver={driver?.id}
          onSent={(count) => notify('notification_sent', { count })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
