import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { stepForm } from '~/domain/forms/stepForm'
import type { TripStep } from '~/domain/booking/transitions'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { TextField } from '~/src/ui/forms/fields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { useOfficeSession } from '../../useOfficeSession'
import type { Booking } from '~/domain/booking/types'

/** Records a step for a driver who cannot send it, with the reason. */
export const StepDialog = ({
  booking,
  event,
  onClose,
}: {
  booking: Booking
  event: TripStep
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const id = useId()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: stepForm,
    initial: { reason: '' },
    onSubmit: async ({ reason }) => {
      await dispatch(advanceBooking.quiet({ booking_id: booking.id, event, reason })).unwrap()
      notify('step_recorded')
      onClose()
    },
  })
  return (
    <Dialog
      title={t(`step_${event}`)}
      onClose={onClose}
      problem={<Refusal>{problem}</Refusal>}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button variant="primary" type="submit" form={id} busy={isSubmitting}>
            {t('step_record')}
          </Button>
        </>
      }
    >
      <p>{t(`step_${event}_text`, { driver: booking.driver_name ?? '' })}</p>
      <form id={id} ref={element} noValidate onSubmit={(submission) => void submit(submission)}>
        <TextField label={t('step_reason')} {...field('reason')} />
      </form>
    </Dialog>
  )
}
