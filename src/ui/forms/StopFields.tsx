import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_STOPS } from '~/domain/booking/limits/limits'
import { Button, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import css from './fields.module.css'
import type { Place } from '~/domain/geo/types'

/** A stop in a form; its place is null until one is chosen. */
export interface StopDraft {
  id: number
  place: Place | null
}

interface StopProps {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
}

/** Shows a stop that can no longer change. */
const FixedStop = ({ label, value }: Pick<StopProps, 'label' | 'value'>) => (
  <p className={css.fixedStop}>
    <small>{label}</small> {value?.add}
  </p>
)

/**
 * Edits the stops between pickup and drop-off, except the first `fixedCount`. `children` is the
 * drop-off, below the stops.
 */
export const StopFields = ({
  stops,
  fixedCount = 0,
  onChange,
  renderStop,
  children,
}: {
  stops: readonly StopDraft[]
  fixedCount?: number
  onChange: (stops: StopDraft[]) => void
  renderStop: (props: StopProps, stop: StopDraft, index: number) => ReactNode
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const add = () =>
    onChange([...stops, { id: Math.max(-1, ...stops.map(({ id }) => id)) + 1, place: null }])
  const toProps = ({ id, place: value }: StopDraft, index: number): StopProps => ({
    label: `${t('stop')} ${format.number(index + 1)}`,
    value,
    onChange: (place) => onChange(stops.map((one) => (one.id === id ? { id, place } : one))),
  })
  return (
    <>
      {stops.map((stop, index) =>
        index < fixedCount ? (
          <FixedStop key={stop.id} {...toProps(stop, index)} />
        ) : (
          <div key={stop.id} className={css.stop}>
            {renderStop(toProps(stop, index), stop, index)}
            <IconButton
              label={t('remove_stop')}
              onClick={() => onChange(stops.filter(({ id }) => id !== stop.id))}
            >
              <Icon name="trash" />
            </IconButton>
          </div>
        ),
      )}
      {children}
      <div>
        <Button size="small" variant="quiet" disabled={stops.length >= MAX_STOPS} onClick={add}>
          <Icon name="plus" size={18} />
          {t('add_stop')}
        </Button>
      </div>
    </>
  )
}
