import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurrentStop, getOpenStops } from '~/domain/booking/stops/bookingStops'
import { findWordsProblem, normalizeWords } from '~/domain/language/words'
import { Button, TextArea } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Address } from '~/src/ui/format/address'
import { useFormat } from '~/src/ui/format/format'
import css from './StopActions.module.css'
import type { Booking } from '~/domain/booking/types'

const MAX_REASON_LENGTH = 500

/** Asks the driver before an event that they cannot take back. */
const ConfirmDialog = ({
  title,
  confirm,
  children,
  disabled = false,
  onConfirm,
  onClose,
}: {
  title: string
  confirm: string
  children: ReactNode
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button size="large" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            variant="danger"
            size="large"
            disabled={disabled}
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

const SkipDialog = ({
  stop: { index, place },
  onSkip,
  onClose,
}: {
  stop: CurrentStop
  onSkip: (reason: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const problem = findWordsProblem(normalizeWords(reason), 'remark')
  return (
    <ConfirmDialog
      disabled={problem !== undefined}
      title={t('skip_stop_title', { number: format.number(index + 1) })}
      confirm={t('skip_stop')}
      onConfirm={() => onSkip(reason)}
      onClose={onClose}
    >
      <p className={css.place}>
        <Address value={place.add} />
      </p>
      <p>{t('skip_stop_text')}</p>
      <TextArea
        rows={2}
        label={t('skip_stop_reason')}
        value={reason}
        error={problem && t(problem)}
        maxLength={MAX_REASON_LENGTH}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}

const EndDialog = ({
  booking,
  onEnd,
  onClose,
}: {
  booking: Booking
  onEnd: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { waypoints = [] } = booking
  return (
    <ConfirmDialog
      title={t('end_early_title')}
      confirm={t('end_early')}
      onConfirm={onEnd}
      onClose={onClose}
    >
      <p>{t('end_early_text')}</p>
      <ul>
        {getOpenStops(booking).map((index) => (
          <li key={index}>
            <Address value={waypoints[index]?.add ?? ''} />
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

/**
 * Lets the driver skip the next stop, or end the trip before they have reached all stops. Asks
 * before both, because neither can be taken back.
 */
export const StopActions = ({
  booking,
  stop,
  busy,
  onSkip,
  onEnd,
}: {
  booking: Booking
  stop: CurrentStop
  busy: boolean
  /** Receives the reason, which may be empty. */
  onSkip: (reason: string) => void
  onEnd: () => void
}) => {
  const { t } = useTranslation()
  // The question about a stop ends with it; the one about the end of the trip does not.
  const [dialog, setDialog] = useState<{ skip: number } | 'end' | null>(null)
  const close = () => setDialog(null)
  const isSkipAsked = dialog !== null && dialog !== 'end' && dialog.skip === stop.index
  const hasOpenStops = getOpenStops(booking).length > 0
  return (
    <div className={css.actions}>
      {stop.state === 'next' && (
        <Button wide disabled={busy} onClick={() => setDialog({ skip: stop.index })}>
          {t('skip_stop')}
        </Button>
      )}
      <Button wide disabled={busy} onClick={() => (hasOpenStops ? setDialog('end') : onEnd())}>
        {t('end_early')}
      </Button>
      {isSkipAsked && <SkipDialog stop={stop} onSkip={onSkip} onClose={close} />}
      {dialog === 'end' && <EndDialog booking={booking} onEnd={onEnd} onClose={close} />}
    </div>
  )
}
