import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getNoShowTime } from '~/domain/booking/limits/noShowTime'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { useServerNow } from '../serverTime'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Milliseconds between checks whether the customer's minutes are over. */
const RECHECK_MS = 5_000

/** Ends the booking of a customer who has not come; says from when this is possible. */
export const NoShowButton = ({
  booking,
  settings,
  isBusy,
  onNoShow,
}: {
  booking: Booking
  settings: Settings
  isBusy: boolean
  onNoShow: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useServerNow(RECHECK_MS)
  const [isAsking, setAsking] = useState(false)
  const time = getNoShowTime(booking, settings)
  const isPossible = now >= time
  const close = () => setAsking(false)
  return (
    <>
      <Button wide disabled={isBusy || !isPossible} onClick={() => setAsking(true)}>
        {isPossible ? t('no_show_driver') : t('no_show_from', { time: format.time(time) })}
      </Button>
      {isAsking && (
        <Dialog
          title={t('no_show_driver')}
          onClose={close}
          actions={
            <>
              <Button size="large" onClick={close}>
                {t('keep')}
              </Button>
              <Button
                size="large"
                variant="danger"
                onClick={() => {
                  close()
                  onNoShow()
                }}
              >
                {t('no_show_end')}
              </Button>
            </>
          }
        >
          <p>{t('no_show_driver_text')}</p>
        </Dialog>
      )}
    </>
  )
}
