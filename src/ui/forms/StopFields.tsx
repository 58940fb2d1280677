import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_STOPS } from '~/domain/booking/limits'
import type { Place } from '~/domain/entities'
import { Button, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import css from './fields.module.css'

/** A stop in a form; its place is null until one is chosen. */
export interface StopDraft {
  id: number
  place: Place | null
}

/** Edits the stops between pickup and drop-off. `children` is the drop-off, below the stops. */
export const StopFields = ({
  stops,
  onChange,
  renderStop,
  children,
}: {
  stops: readonly StopDraft[]
  onChange: (stops: StopDraft[]) => void
  renderStop: (
    props: { label: string; value: Place | null; onChange: (place: Place | null) => void },
    stop: StopDraft,
    index: number,
  ) => ReactNode
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      {stops.map((stop, index) => (
        <div key={stop.id} className={css.stop}>
          {renderStop(
            {
              label: `${t('stop')} ${format.number(index + 1)}`,
              value: stop.place,
              onChange: (place) =>
                onChange(stops.map((one) => (one.id === stop.id ? { id: stop.id, place } : one))),
            },
            stop,
            index,
          )}
          <IconButton
            label={t('remove_stop')}
            onClick={() => onChange(stops.filter(({ id }) => id !== stop.id))}
          >
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      {children}
      <div>
        <Button
          size="small"
          variant="quiet"
          disabled={stops.length >= MAX_STOPS}
          onClick={() =>
            onChange([
              ...stops,
              { id: Math.max(-1, ...stops.map(({ id }) => id)) + 1, place: null },
            ])
          }
        >
          <Icon name="plus" size={18} />
          {t('add_stop')}
        </Button>
      </div>
    </>
  )
}
