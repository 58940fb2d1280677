import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_STOPS } from '~/domain/booking/limits/limits'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'

/** Renders the button for another stop, which explains why it is disabled. */
export const AddStopButton = ({
  stopCount,
  hasProblem = false,
  onAdd,
}: {
  stopCount: number
  /** True when a submission was refused for too many stops. */
  hasProblem?: boolean
  onAdd: () => void
}) => {
  const { t } = useTranslation()
  const note = useId()
  const hasAllStops = stopCount >= MAX_STOPS
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        disabled={hasAllStops}
        aria-describedby={hasAllStops ? note : undefined}
        onClick={onAdd}
      >
        <Icon name="plus" size={18} />
        {t('add_stop')}
      </Button>
      {hasAllStops && (
        <p id={note} role={hasProblem ? 'alert' : 'status'}>
          {t('too_many_stops', { most: MAX_STOPS })}
        </p>
      )}
    </>
  )
}
